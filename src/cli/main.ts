/** The entry of the command line: connects it to files, streams and the exit status of the process. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Io } from "./io.ts";
import { sim } from "./sim.ts";

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
};

process.exitCode = sim(process.argv.slice(2), io);
