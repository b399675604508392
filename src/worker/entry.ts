/** The engine's worker: ties a session to the worker's messages. */
import type { Request } from "./port.ts";
import { EngineSession } from "./session.ts";

interface WorkerScope {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  addEventListener(type: "message", listen: (event: { readonly data: Request }) => void): void;
  setTimeout(work: () => void, delay: number): number;
  readonly performance: { now(): number };
}

const scope = globalThis as unknown as WorkerScope;
const session = new EngineSession({
  reply: (reply, transfer) => scope.postMessage(reply, transfer),
  later: (work) => scope.setTimeout(work, 0),
  now: () => scope.performance.now(),
});
scope.addEventListener("message", ({ data }) => session.handle(data));
