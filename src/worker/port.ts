/**
 * The only way between the page and the engine: two unions over `postMessage`. Requests are imperative and go left;
 * replies are facts and go right, in the order in which they became true. Types only, so that whoever speaks to the
 * engine does not import it.
 */
import type { LogChunk } from "../protocol/log.ts";
import type { Violation } from "../protocol/violation.ts";
import type { Injection, Landing, ProbeSurvey, SweepQuestion, SweepTotals } from "../scenario/exploration.ts";
import type { CellResult } from "../scenario/guarantees/result.ts";
import type { Report } from "../scenario/report.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";

export type { Violation };

/** `0` is the run as the scenario says; every fork makes the next number. */
export type BranchId = number;

/** What a person decided in a branch. */
export type Decision = Injection;

export interface Branch {
  readonly id: BranchId;
  readonly parent: BranchId | null;
  /** Entries below this step are the parent's. */
  readonly step: number;
  /** The command that opened it; `null` for the root. */
  readonly command: Command | null;
}

/** All that is needed to see a failure of ours again. */
export interface Reproduction {
  readonly scenario: Scenario;
  readonly decisions: readonly Decision[];
  readonly step: number;
}

export type Request =
  /** Runs the scenario to its end. What was open is forgotten. `session` is echoed, so that late replies can be told. */
  | { readonly type: "open"; readonly session: number; readonly scenario: Scenario; readonly checkInvariants: boolean }
  /** Makes a child of `branch` at `step`, whose first act is `command`, and runs it to its end. */
  | {
      readonly type: "fork";
      readonly session: number;
      readonly branch: BranchId;
      readonly step: number;
      readonly command: Command;
    }
  /** Computes, or judges, no more of a branch; what there is stays, and `resume` goes on with it. */
  | { readonly type: "pause" | "resume"; readonly session: number; readonly branch: BranchId };

export type Reply =
  | { readonly type: "opened"; readonly session: number }
  | { readonly type: "forked"; readonly session: number; readonly branch: Branch }
  | { readonly type: "appended"; readonly session: number; readonly branch: BranchId; readonly chunk: LogChunk }
  /** The branch is at its end; so many of its entries have been judged. */
  | { readonly type: "judged"; readonly session: number; readonly branch: BranchId; readonly entries: number }
  | { readonly type: "ended"; readonly session: number; readonly branch: BranchId; readonly report: Report }
  | { readonly type: "paused"; readonly session: number; readonly branch: BranchId }
  | { readonly type: "violated"; readonly session: number; readonly branch: BranchId; readonly violation: Violation }
  /** A mistake of ours; the session still answers, and the branch keeps what it has. */
  | {
      readonly type: "failed";
      readonly session: number;
      readonly message: string;
      readonly reproduction: Reproduction;
    };

export interface EnginePort {
  send(request: Request): void;
  /** Calls `listen` for each reply until the returned function is called. */
  subscribe(listen: (reply: Reply) => void): () => void;
}

/** A kill sweep of a run: of the scenario with what was decided on the way to the branch that is on screen. */
export interface SweepRequest {
  readonly scenario: Scenario;
  readonly decisions: readonly Decision[];
  readonly question: SweepQuestion;
}

export type SweepReply =
  /** `done` and `total` count pieces of work of about equal size; `total` may grow while pairs are being found. */
  | { readonly type: "progress"; readonly done: number; readonly total: number; readonly totals: SweepTotals }
  | { readonly type: "finished"; readonly totals: SweepTotals; readonly seconds: number }
  /** A mistake of ours; the sweep is over. */
  | { readonly type: "failed"; readonly message: string };

export type GuaranteeReply =
  /** A cell is there: the `done`-th of `total`. */
  | { readonly type: "cell"; readonly result: CellResult; readonly done: number; readonly total: number }
  | { readonly type: "finished"; readonly seconds: number }
  /** A mistake of ours; nothing more comes. */
  | { readonly type: "failed"; readonly message: string };

/** Many runs, which begin when the port is made. Their workers are gone when all is finished, failed or cancelled. */
interface PoolPort<Reply> {
  subscribe(listen: (reply: Reply) => void): () => void;
  /** What has begun is finished; nothing new begins. */
  pause(): void;
  resume(): void;
  cancel(): void;
}

export type SweepPort = PoolPort<SweepReply>;
export type GuaranteePort = PoolPort<GuaranteeReply>;

export type ProbeReply =
  /** Questions are answered from now on. */
  | { readonly type: "probed"; readonly survey: ProbeSurvey }
  | { readonly type: "landed"; readonly injection: Injection; readonly landing: Landing }
  /** A mistake of ours; nothing more comes. */
  | { readonly type: "failed"; readonly message: string };

/** A failure that is moved along a run. Of questions that come faster than answers only the newest is answered. */
export interface ProbePort {
  ask(injection: Injection): void;
  subscribe(listen: (reply: ProbeReply) => void): () => void;
  cancel(): void;
}
