/**
 * The engine's worker: ties a session to the worker's messages. The same file is a thread of a sweep's pool when that is
 * what it is asked first; what only a sweep needs is fetched then.
 */
import type { Request } from "./port.ts";
import { EngineSession } from "./session.ts";
import type { ToThread } from "./sweep-thread.ts";

interface WorkerScope {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  addEventListener(type: "message", listen: (event: { readonly data: Request | ToThread }) => void): void;
  readonly performance: { now(): number };
}

// The compiler knows this file with the page's globals: those of workers cannot be loaded beside them.
const scope = globalThis as unknown as WorkerScope;
// Timers that set timers wait for some milliseconds each; messages do not, and come after those that wait.
const turns = new MessageChannel();
const waiting: (() => void)[] = [];
turns.port1.addEventListener("message", () => waiting.shift()?.());
turns.port1.start();
const session = new EngineSession({
  reply: (reply, transfer) => scope.postMessage(reply, transfer),
  later: (work) => {
    waiting.push(work);
    turns.port2.postMessage(null);
  },
  now: () => scope.performance.now(),
});

let thread: Promise<{ handle(message: ToThread): void }> | null = null;
async function sweep(message: ToThread): Promise<void> {
  thread ??= import("./sweep-thread.ts").then(
    ({ SweepThread }) => new SweepThread((reply) => scope.postMessage(reply)),
  );
  (await thread).handle(message);
}

scope.addEventListener("message", ({ data }) => {
  if ("session" in data) session.handle(data);
  else sweep(data).catch((error: unknown) => scope.postMessage({ type: "failed", message: String(error) }));
});
