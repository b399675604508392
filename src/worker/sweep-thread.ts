/**
 * What a thread of a pool does: of a sweep it takes the task once, then piece after piece; of the guarantee table cell after
 * cell; along a run it moves a failure. No globals of any kind of thread.
 */
import { guaranteeOf } from "../explorer/guarantee.ts";
import { CrashProbe } from "../explorer/crash-probe.ts";
import { Sweeper } from "../explorer/sweeper.ts";
import type { Piece, PieceResult, Survey, SweepTask } from "../explorer/sweep-pieces.ts";
import type { Injection, Landing, ProbeSurvey, ProbeTask } from "../scenario/exploration.ts";
import type { Cell } from "../scenario/guarantees/kinds.ts";
import type { CellResult } from "../scenario/guarantees/result.ts";

export type ToThread =
  | { readonly type: "sweep"; readonly task: SweepTask }
  | { readonly type: "piece"; readonly piece: Piece }
  | { readonly type: "cell"; readonly cell: Cell }
  | { readonly type: "probe"; readonly task: ProbeTask }
  | { readonly type: "strike"; readonly injection: Injection };

export type FromThread =
  | { readonly type: "survey"; readonly survey: Survey }
  | { readonly type: "result"; readonly result: PieceResult }
  | { readonly type: "cell"; readonly result: CellResult }
  | { readonly type: "probed"; readonly survey: ProbeSurvey }
  | { readonly type: "landed"; readonly injection: Injection; readonly landing: Landing }
  /** A mistake of ours. */
  | { readonly type: "failed"; readonly message: string };

export class SweepThread {
  private readonly reply: (reply: FromThread) => void;
  private sweeper: Sweeper | null = null;
  private probe: CrashProbe | null = null;

  constructor(reply: (reply: FromThread) => void) {
    this.reply = reply;
  }

  handle(message: ToThread): void {
    try {
      this.carryOut(message);
    } catch (error) {
      this.reply({ type: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }

  private carryOut(message: ToThread): void {
    switch (message.type) {
      case "sweep":
        this.sweeper = new Sweeper(message.task);
        return this.reply({ type: "survey", survey: this.sweeper.survey() });
      case "piece":
        return this.sweeper === null
          ? undefined
          : this.reply({ type: "result", result: this.sweeper.carryOut(message.piece) });
      case "cell":
        return this.reply({ type: "cell", result: guaranteeOf(message.cell) });
      case "probe":
        this.probe = new CrashProbe(message.task);
        return this.reply({ type: "probed", survey: this.probe.survey });
      case "strike":
        return this.probe === null
          ? undefined
          : this.reply({ type: "landed", injection: message.injection, landing: this.probe.strike(message.injection) });
    }
  }
}
