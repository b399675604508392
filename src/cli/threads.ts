/** Threads of a sweep in Node: the command line's own file, started once more as a worker thread. */
import { availableParallelism } from "node:os";
import { type MessagePort, Worker } from "node:worker_threads";
import type { PoolOptions } from "../worker/thread-pool.ts";
import { type FromThread, SweepThread, type ToThread } from "../worker/sweep-thread.ts";

/** One thread fewer than there are cores, at least one. `file` is what a thread runs. */
export function threadPool(file: URL): PoolOptions {
  return {
    threads: Math.max(1, availableParallelism() - 1),
    now: () => performance.now(),
    spawn: () => {
      const worker = new Worker(file);
      return {
        post: (message) => worker.postMessage(message),
        listen(received, died) {
          worker.on("message", (reply: FromThread) => received(reply));
          worker.on("error", (error) => died(error.stack ?? error.message));
        },
        end: () => void worker.terminate(),
      };
    },
  };
}

/** What a thread does. */
export function serve(port: MessagePort): void {
  const thread = new SweepThread((reply) => port.postMessage(reply));
  port.on("message", (message: ToThread) => thread.handle(message));
}
