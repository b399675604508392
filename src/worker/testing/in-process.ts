/** Threads of a sweep that are none: they answer in the same process, after whatever else waits. */
import type { PoolOptions, Thread } from "../thread-pool.ts";
import { SweepThread } from "../sweep-thread.ts";

export function inProcessPool(threads = 1): PoolOptions {
  let clock = 0;
  return { threads, spawn: inProcessThread, now: () => (clock += 40) };
}

export function inProcessThread(): Thread {
  let ended = false;
  let thread: SweepThread | null = null;
  return {
    post: (message) =>
      queueMicrotask(() => {
        if (!ended) thread?.handle(message);
      }),
    listen: (received) => (thread = new SweepThread((reply) => queueMicrotask(() => received(reply)))),
    end: () => (ended = true),
  };
}
