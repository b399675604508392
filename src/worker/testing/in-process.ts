/** Threads that are none: they answer in the same process, after whatever else waits. */
import type { WorkerConnection } from "../connect.ts";
import type { Reply } from "../port.ts";
import { EngineSession } from "../session.ts";
import type { PoolOptions, Thread } from "../thread-pool.ts";
import { SweepThread } from "../sweep-thread.ts";

export function inProcessPool(threads = 1): PoolOptions {
  let clock = 0;
  return { threads, spawn: inProcessThread, now: () => (clock += 40) };
}

/** An engine behind the port. */
export function inProcessEngine(): WorkerConnection {
  let clock = 0;
  let listen: ((reply: Reply) => void) | null = null;
  const session = new EngineSession({
    reply: (reply) => queueMicrotask(() => listen?.(reply)),
    later: (work) => void setTimeout(work),
    now: () => (clock += 1),
  });
  return {
    send: (request) => queueMicrotask(() => session.handle(request)),
    subscribe(listener) {
      listen = listener;
      return () => (listen = null);
    },
    onDeath: () => undefined,
    close: () => (listen = null),
  };
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
