/** One thread that is asked where a failure lands. It is asked again when it has answered: what came between is forgotten. */
import type { Injection, ProbeTask } from "../scenario/exploration.ts";
import type { ProbePort, ProbeReply } from "./port.ts";
import type { Thread } from "./thread-pool.ts";

export class ProbeLink implements ProbePort {
  private readonly thread: Thread;
  private readonly listeners = new Set<(reply: ProbeReply) => void>();
  private busy = true;
  private next: Injection | null = null;

  constructor(task: ProbeTask, thread: Thread) {
    this.thread = thread;
    thread.listen(
      (reply) => {
        if (reply.type === "probed" || reply.type === "landed" || reply.type === "failed") this.receive(reply);
      },
      (message) => this.receive({ type: "failed", message }),
    );
    thread.post({ type: "probe", task });
  }

  ask(injection: Injection): void {
    this.next = injection;
    this.goOn();
  }

  subscribe(listen: (reply: ProbeReply) => void): () => void {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  cancel(): void {
    this.listeners.clear();
    this.thread.end();
  }

  private receive(reply: ProbeReply): void {
    this.busy = false;
    this.goOn();
    for (const listen of this.listeners) listen(reply);
  }

  private goOn(): void {
    if (this.busy || this.next === null) return;
    this.busy = true;
    this.thread.post({ type: "strike", injection: this.next });
    this.next = null;
  }
}
