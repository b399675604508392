/** The port to an engine that runs in a worker. A worker can die: then nothing it was asked will be answered. */
import type { EnginePort, Reply, Request } from "./port.ts";

export interface WorkerConnection extends EnginePort {
  /** Calls `listen` when the worker has thrown, or could not be started, or sent what cannot be read. */
  onDeath(listen: (message: string) => void): void;
  close(): void;
}

export function connect(worker: Worker): WorkerConnection {
  return {
    send(request: Request): void {
      worker.postMessage(request);
    },
    subscribe(listen: (reply: Reply) => void): () => void {
      const receive = (event: MessageEvent<Reply>): void => listen(event.data);
      worker.addEventListener("message", receive);
      return () => worker.removeEventListener("message", receive);
    },
    onDeath(listen: (message: string) => void): void {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        listen(event.message);
      });
      worker.addEventListener("messageerror", () => listen("a message could not be read"));
    },
    close(): void {
      worker.terminate();
    },
  };
}
