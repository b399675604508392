/** The guarantee table over a pool of threads: a cell is a piece of work. */
import type { Cell } from "../scenario/guarantees/kinds.ts";
import type { GuaranteePort, GuaranteeReply } from "./port.ts";
import type { FromThread, ToThread } from "./sweep-thread.ts";
import { type Labour, type PoolOptions, PoolPort, ThreadPool } from "./thread-pool.ts";

export class GuaranteePool extends PoolPort<Cell, GuaranteeReply> implements GuaranteePort, Labour<Cell> {
  readonly greeting = null;
  private readonly waiting: Cell[];
  private readonly total: number;
  private done = 0;
  protected override readonly pool: ThreadPool<Cell>;

  constructor(cells: readonly Cell[], options: PoolOptions) {
    super();
    this.waiting = [...cells];
    this.total = cells.length;
    this.pool = new ThreadPool(this, { ...options, threads: Math.min(options.threads, cells.length) });
  }

  next(): Cell | null {
    return this.waiting.shift() ?? null;
  }

  message(cell: Cell): ToThread {
    return { type: "cell", cell };
  }

  receive(cell: Cell | null, reply: FromThread): void {
    if (reply.type !== "cell" || cell === null) return;
    this.done++;
    this.tell({ type: "cell", result: reply.result, done: this.done, total: this.total });
  }

  get finished(): boolean {
    return this.done === this.total;
  }

  advanced(finished: boolean, seconds: number): void {
    if (finished) this.tell({ type: "finished", seconds });
  }

  failed(message: string): void {
    this.tell({ type: "failed", message });
  }
}
