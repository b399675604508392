/**
 * What a thread of a pool does: of a sweep it takes the task once, then piece after piece; of the guarantee table cell after
 * cell. No globals of any kind of thread.
 */
import { guaranteeOf } from "../explorer/guarantee.ts";
import { Sweeper } from "../explorer/sweeper.ts";
import type { Piece, PieceResult, Survey, SweepTask } from "../explorer/sweep-pieces.ts";
import type { Cell } from "../scenario/guarantees/kinds.ts";
import type { CellResult } from "../scenario/guarantees/result.ts";

export type ToThread =
  | { readonly type: "sweep"; readonly task: SweepTask }
  | { readonly type: "piece"; readonly piece: Piece }
  | { readonly type: "cell"; readonly cell: Cell };

export type FromThread =
  | { readonly type: "survey"; readonly survey: Survey }
  | { readonly type: "result"; readonly result: PieceResult }
  | { readonly type: "cell"; readonly result: CellResult }
  /** A mistake of ours. */
  | { readonly type: "failed"; readonly message: string };

export class SweepThread {
  private readonly reply: (reply: FromThread) => void;
  private sweeper: Sweeper | null = null;

  constructor(reply: (reply: FromThread) => void) {
    this.reply = reply;
  }

  handle(message: ToThread): void {
    try {
      if (message.type === "sweep") {
        this.sweeper = new Sweeper(message.task);
        this.reply({ type: "survey", survey: this.sweeper.survey() });
      } else if (message.type === "cell") {
        this.reply({ type: "cell", result: guaranteeOf(message.cell) });
      } else if (this.sweeper !== null) {
        this.reply({ type: "result", result: this.sweeper.carryOut(message.piece) });
      }
    } catch (error) {
      this.reply({ type: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
}
