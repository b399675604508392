/** The entry of the command line: connects it to files, streams and the exit status of the process. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { isMainThread, parentPort } from "node:worker_threads";
import type { Io } from "./io.ts";
import { sim } from "./sim.ts";
import { serve, threadPool } from "./threads.ts";

const io: Io = {
  terminal: process.stdout.isTTY,
  read: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  },
  write: (path, pieces) => {
    const file = openSync(path, "w");
    try {
      for (const piece of pieces) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  },
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  pool: threadPool(new URL(import.meta.url)),
};

if (isMainThread) process.exitCode = await sim(process.argv.slice(2), io);
else if (parentPort !== null) serve(parentPort);
