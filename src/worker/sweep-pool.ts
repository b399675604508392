/** A kill sweep over a pool of threads: each surveys the base run once, then takes pieces. */
import { Sweep } from "../explorer/sweep.ts";
import type { Piece, SweepTask } from "../explorer/sweep-pieces.ts";
import type { SweepPort, SweepReply } from "./port.ts";
import type { FromThread, ToThread } from "./sweep-thread.ts";
import { type Labour, type PoolOptions, PoolPort, ThreadPool } from "./thread-pool.ts";

/** Milliseconds between two words about how far it has come. */
const TELL_EVERY = 100;

export class SweepPool extends PoolPort<Piece, SweepReply> implements SweepPort, Labour<Piece> {
  readonly greeting: ToThread;
  private readonly task: SweepTask;
  private readonly now: () => number;
  protected override readonly pool: ThreadPool<Piece>;
  private sweep: Sweep | null = null;
  private lastTold = 0;

  constructor(task: SweepTask, options: PoolOptions) {
    super();
    this.task = task;
    this.now = options.now;
    this.greeting = { type: "sweep", task };
    this.pool = new ThreadPool(this, options);
  }

  next(): Piece | null {
    return this.sweep?.next() ?? null;
  }

  message(piece: Piece): ToThread {
    return { type: "piece", piece };
  }

  receive(piece: Piece | null, reply: FromThread): void {
    if (reply.type === "survey") this.sweep ??= new Sweep(this.task, reply.survey);
    else if (reply.type === "result" && piece !== null) this.sweep?.add(piece, reply.result);
  }

  get finished(): boolean {
    return this.sweep?.finished ?? false;
  }

  advanced(finished: boolean, seconds: number): void {
    const { sweep } = this;
    if (sweep === null) return;
    if (finished) this.tell({ type: "finished", totals: sweep.totals(), seconds });
    else if (this.now() >= this.lastTold + TELL_EVERY) {
      this.lastTold = this.now();
      this.tell({ type: "progress", ...sweep.progress, totals: sweep.totals() });
    }
  }

  failed(message: string): void {
    this.tell({ type: "failed", message });
  }
}
