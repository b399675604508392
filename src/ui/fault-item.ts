/** An entry of a fault menu, and what its choice depends on. */
import type { Command, Scenario } from "../scenario/scenario.ts";

export interface FaultItem {
  readonly key: string;
  readonly label: string;
  /** What an operator would see; for an entry that cannot be chosen, why. */
  readonly note: string;
  /** `null`: listed, but cannot be chosen. */
  readonly command: Command | null;
  readonly icon: "exception" | "process" | "stall" | "message" | "transaction" | "operation" | "storage" | "network";
}

/** What matters of the moment for the choice of entries. */
export interface Circumstances {
  readonly taskManagerOf: (subtask: number) => number;
  readonly taskManagerAlive: (taskManager: number) => boolean;
  /** By the number of its id. */
  readonly transactionUndecided: (transaction: number) => boolean;
  /** Is a cut of the network in force that has the TaskManager on one side? */
  readonly isCutOff: (taskManager: string) => boolean;
  readonly storageIsDown: boolean;
  readonly brokerIsDown: boolean;
  /** The offset that is read next from an input partition, of how many; `null`: nobody reads it. */
  readonly nextOffset: (input: number) => { readonly offset: number; readonly of: number } | null;
  /** The checkpoint that a recovery would use; `-1`: none. */
  readonly restoreCandidate: number;
  /** Has the job ended, so that it can be submitted anew? */
  readonly ended: boolean;
  /** Is a savepoint, or a checkpoint, in storage? */
  readonly stored: (savepoint: boolean) => boolean;
  /** The job that runs. */
  readonly scenario: Pick<Scenario, "flink" | "job" | "config" | "topics">;
}

export function command(
  verb: Command["do"],
  target: string | null,
  more: Partial<Omit<Command, "do" | "target">> = {},
): Command {
  return { do: verb, target, rpc: null, checkpoint: null, count: 1, for: null, ...more };
}
