/**
 * A sweep over a pool of threads, in the browser and in Node alike: each takes the next piece when it is done with one.
 * A thread that dies ends the sweep, since what it was at may be what killed it.
 */
import { Sweep } from "../explorer/sweep.ts";
import type { Piece, SweepTask } from "../explorer/sweep-pieces.ts";
import type { SweepPort, SweepReply } from "./port.ts";
import type { FromThread, ToThread } from "./sweep-thread.ts";

export interface Thread {
  post(message: ToThread): void;
  /** `died` is called with words for a person when the thread has thrown or cannot be started. */
  listen(received: (reply: FromThread) => void, died: (message: string) => void): void;
  end(): void;
}

export interface PoolOptions {
  readonly threads: number;
  readonly spawn: () => Thread;
  /** Wall time in milliseconds. */
  readonly now: () => number;
}

/** Milliseconds between two words about how far it has come. */
const TELL_EVERY = 100;

export class SweepPool implements SweepPort {
  private readonly task: SweepTask;
  private readonly now: () => number;
  private readonly listeners = new Set<(reply: SweepReply) => void>();
  /** Each thread and what it is at: reading the task, a piece, or nothing. */
  private readonly threads = new Map<Thread, Piece | "task" | null>();
  private sweep: Sweep | null = null;
  private lastTold = 0;
  /** When it began; moved on by the time that it was paused. */
  private began: number;
  private pausedAt: number | null = null;

  constructor(task: SweepTask, { threads, spawn, now }: PoolOptions) {
    this.task = task;
    this.now = now;
    this.began = now();
    for (let i = 0; i < threads; i++) {
      const thread = spawn();
      this.threads.set(thread, "task");
      thread.listen(
        (reply) => this.receive(thread, reply),
        (message) => this.fail(message),
      );
      thread.post({ type: "sweep", task });
    }
  }

  subscribe(listen: (reply: SweepReply) => void): () => void {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  pause(): void {
    this.pausedAt ??= this.now();
  }

  resume(): void {
    if (this.pausedAt === null) return;
    this.began += this.now() - this.pausedAt;
    this.pausedAt = null;
    this.handOut();
  }

  cancel(): void {
    this.listeners.clear();
    this.end();
  }

  private receive(thread: Thread, reply: FromThread): void {
    if (!this.threads.has(thread)) return;
    if (reply.type === "failed") return this.fail(reply.message);
    const work = this.threads.get(thread) ?? null;
    if (reply.type === "survey") this.sweep ??= new Sweep(this.task, reply.survey);
    else if (work !== null && work !== "task") this.sweep?.add(work, reply.result);
    this.threads.set(thread, null);
    this.handOut();
  }

  private handOut(): void {
    const { sweep } = this;
    if (sweep === null) return;
    for (const [thread, work] of this.threads) {
      const piece = work === null && this.pausedAt === null ? sweep.next() : null;
      if (piece === null) continue;
      this.threads.set(thread, piece);
      thread.post({ type: "piece", piece });
    }
    this.report(sweep);
  }

  private report(sweep: Sweep): void {
    if (sweep.finished) {
      const seconds = ((this.pausedAt ?? this.now()) - this.began) / 1000;
      this.tell({ type: "finished", totals: sweep.totals(), seconds });
      this.end();
    } else if (this.now() >= this.lastTold + TELL_EVERY) {
      this.lastTold = this.now();
      this.tell({ type: "progress", ...sweep.progress, totals: sweep.totals() });
    }
  }

  private fail(message: string): void {
    this.tell({ type: "failed", message });
    this.end();
  }

  private tell(reply: SweepReply): void {
    for (const listen of this.listeners) listen(reply);
  }

  private end(): void {
    for (const thread of this.threads.keys()) thread.end();
    this.threads.clear();
    this.sweep = null;
  }
}
