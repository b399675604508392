/** Many runs in the browser: a pool of the engine's workers, which is gone when they are over. */
import type { Cell } from "../scenario/guarantees/kinds.ts";
import type { ProbeTask } from "../scenario/exploration.ts";
import type { GuaranteePort, ProbePort, SweepPort, SweepRequest } from "./port.ts";
import { GuaranteePool } from "./guarantee-pool.ts";
import { ProbeLink } from "./probe-link.ts";
import { SweepPool } from "./sweep-pool.ts";
import type { PoolOptions, Thread } from "./thread-pool.ts";
import type { FromThread } from "./sweep-thread.ts";

/** `spawn` starts a worker of `entry.ts`. */
export function connectSweep(request: SweepRequest, spawn: () => Worker): SweepPort {
  return new SweepPool(request, poolOf(spawn));
}

export function connectGuarantees(cells: readonly Cell[], spawn: () => Worker): GuaranteePort {
  return new GuaranteePool(cells, poolOf(spawn));
}

export function connectProbe(task: ProbeTask, spawn: () => Worker): ProbePort {
  return new ProbeLink(task, threadOf(spawn()));
}

function poolOf(spawn: () => Worker): PoolOptions {
  const threads = Math.max(1, navigator.hardwareConcurrency - 1);
  return { threads, spawn: () => threadOf(spawn()), now: () => performance.now() };
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
