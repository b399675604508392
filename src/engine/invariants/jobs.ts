/**
 * The jobs of a run, for the invariants: what each of them went on with of those before it, and which claims about all that
 * becomes of a record carry over to the next one (CP-170 to CP-172; INV-033, INV-114, INV-120, INV-121, INV-125, INV-128).
 *
 * A job that starts from a snapshot continues the one that took it up to that snapshot, and that one's own beginning. Flink
 * gives its guarantees along this line, so claims are carried along it:
 *
 * - State (INV-033) and what a flushed sink has written (INV-125) are as right as the snapshot: an older one makes sources
 *   read again what came since, and a job without state begins with the first record. An operator's state that is left out
 *   is gone, and another graph makes something else of the same records.
 * - Transactions that a snapshot holds are committed by the job that starts from it (INV-114), or their loss shows
 *   (INV-128), unless the sink's state is left out or the sink writes in another way now. What newer checkpoints held is
 *   not asked for: nobody knows it any more.
 * - What is committed is never undone. So a committed reader is promised nothing (INV-120, INV-121) from the job on that
 *   starts from an older snapshot than a commit was for, or from nothing behind any commit (FI-15, FI-63, FI-39, FI-24);
 *   nor from the job on that starts from a snapshot whose transactions a job between them has aborted.
 */
import { isSink, traitsOf } from "../../protocol/sinks.ts";
import { wholeReferenceOf } from "../../scenario/reference.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { Rows } from "../rows.ts";
import { waivedIn } from "./conditions.ts";

/** A snapshot by the job that took it. */
export interface Start {
  readonly submission: number;
  readonly checkpoint: number;
}

/** A job that is over. */
interface Past {
  readonly scenario: Scenario;
  readonly waived: ReadonlySet<string>;
  readonly lineage: readonly Start[];
  /** The highest checkpoint that its tasks were told is complete. */
  readonly lastTold: number;
}

/** The highest checkpoint of a job for which a transaction was committed; and each for which a later job aborted one. */
const Commit = { submission: 0, checkpoint: 1, SIZE: 2 } as const;

/** What follows from a snapshot alone, and what from all that was committed before. */
const ofSnapshot = ["INV-033", "INV-114", "INV-125", "INV-128"] as const;
export const ofCommits = ["INV-120", "INV-121", "INV-122"] as const;
/** What is not promised when state of an operator is left out (`allowNonRestoredState`). */
export const ofDroppedState = [...ofSnapshot, ...ofCommits, "INV-123"] as const;

export class Jobs {
  submission = 0;
  /** The snapshots that the job goes back to: of the first job on its line first, its own start last. */
  lineage: readonly Start[] = [];
  private past: readonly Past[] = [];
  private readonly commits = new Rows(Commit.SIZE, 1);
  private readonly aborts = new Rows(Commit.SIZE, 1);

  clone(): Jobs {
    const clone = new Jobs();
    clone.submission = this.submission;
    clone.lineage = this.lineage;
    clone.past = this.past;
    clone.commits.copyFrom(this.commits);
    clone.aborts.copyFrom(this.aborts);
    return clone;
  }

  /** What the job that runs started from; `null`: no state. */
  get start(): Start | null {
    return this.lineage.at(-1) ?? null;
  }

  /** Does the job that runs go on with what an earlier one took for a checkpoint? */
  goesOnWith(submission: number, checkpoint: number): boolean {
    return this.lineage.some((start) => start.submission === submission && checkpoint <= start.checkpoint);
  }

  /** The highest checkpoint of an earlier job that its tasks were told is complete. */
  lastTold(submission: number): number {
    return this.past[submission]?.lastTold ?? 0;
  }

  noteCommit(submission: number, checkpoint: number): void {
    const row = this.commits.find(Commit.submission, submission);
    if (row < 0) this.commits.push(submission, checkpoint);
    else this.commits.set(row, Commit.checkpoint, Math.max(checkpoint, this.commits.get(row, Commit.checkpoint)));
  }

  /** What another job had pre-committed for a checkpoint is aborted. */
  noteAbort(submission: number, checkpoint: number): void {
    if (submission !== this.submission) this.aborts.push(submission, checkpoint);
  }

  /** Does the job that begins go on with something that is aborted, so that it never comes? */
  private lacksAborted(): boolean {
    for (let row = 0; row < this.aborts.count; row++)
      if (this.goesOnWith(this.aborts.get(row, Commit.submission), this.aborts.get(row, Commit.checkpoint)))
        return true;
    return false;
  }

  /** Is something committed that the job that begins does not go on with, so that it comes again? */
  private commitsAgain(): boolean {
    for (let row = 0; row < this.commits.count; row++)
      if (!this.goesOnWith(this.commits.get(row, Commit.submission), this.commits.get(row, Commit.checkpoint)))
        return true;
    return false;
  }

  /** Another job begins; gives what is waived in it. */
  next(last: Omit<Past, "lineage">, job: Scenario, start: Start | null): Set<string> {
    this.past = [...this.past, { ...last, lineage: this.lineage }];
    this.submission++;
    const origin = start === null ? null : (this.past[start.submission] ?? null);
    this.lineage = start === null || origin === null ? [] : [...origin.lineage, start];
    const waived = new Set(waivedIn(job));
    const changed = origin !== null && !yieldsTheSame(origin.scenario, job);
    for (const id of ofSnapshot) if (changed || origin?.waived.has(id) === true) waived.add(id);
    const differs = this.commitsAgain() || this.lacksAborted() || !yieldsTheSame(last.scenario, job);
    for (const id of ofCommits) if (differs || last.waived.has(id)) waived.add(id);
    return waived;
  }
}

/** Do two jobs make the same of each record, in state and for each sink, and do their sinks write in the same way? */
function yieldsTheSame(one: Scenario, other: Scenario): boolean {
  return one.job === other.job || yieldOf(one) === yieldOf(other);
}

function yieldOf(scenario: Scenario): string {
  const { outputs, inputs } = wholeReferenceOf(scenario);
  const inOrder = (records: readonly number[]): readonly number[] => records.toSorted((a, b) => a - b);
  const sinks = scenario.job.vertices
    .filter(isSink)
    .map((vertex) => [vertex.uid, vertex.type === "kafka-sink" ? vertex.topic : vertex.type, traitsOf(vertex)]);
  return JSON.stringify([
    sinks,
    outputs.map((records) => inOrder(records.map(({ record }) => record))),
    [...inputs]
      .map(([uid, records]) => [uid, inOrder(records)] as const)
      .toSorted(([one], [two]) => (one < two ? -1 : 1)),
  ]);
}
