/** A sweep in the browser: a pool of the engine's workers, which is gone when the sweep is over. */
import type { SweepPort, SweepRequest } from "./port.ts";
import { SweepPool, type Thread } from "./sweep-pool.ts";
import type { FromThread } from "./sweep-thread.ts";

/** `spawn` starts a worker of `entry.ts`. */
export function connectSweep(request: SweepRequest, spawn: () => Worker): SweepPort {
  const threads = Math.max(1, navigator.hardwareConcurrency - 1);
  return new SweepPool(request, { threads, spawn: () => threadOf(spawn()), now: () => performance.now() });
}

function threadOf(worker: Worker): Thread {
  return {
    post: (message) => worker.postMessage(message),
    listen(received, died) {
      worker.addEventListener("message", (event: MessageEvent<FromThread>) => received(event.data));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        died(event.message);
      });
      worker.addEventListener("messageerror", () => died("a message could not be read"));
    },
    end: () => worker.terminate(),
  };
}
