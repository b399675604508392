/** What the timeouts come to in the run of `play.ts`: the first loss, a job that never gets going, or neither. */
import { committedAfter, model, momentsOf, type Timeouts, type TransactionMoments } from "./timeouts.ts";

/** Why the sink's job restarts again and again without a result. */
export type RestartLoop = "INVALID_TRANSACTION_TIMEOUT" | "CHECKPOINT_FAILURE_THRESHOLD";

export type TimeoutsOutcome =
  | { readonly kind: "none" }
  /** Records are gone: the coordinator has given up a transaction whose checkpoint is complete (SK-157). */
  | {
      readonly kind: "loss";
      /** When both are so: the transaction is timed out, and its checkpoint complete. */
      readonly at: number;
      readonly checkpoint: number;
      readonly transaction: string;
      readonly why: LossReason;
    }
  /** Nothing is lost, and nothing is ever committed. */
  | { readonly kind: "restart-loop"; readonly at: number; readonly cause: RestartLoop };

/** `no-failure`: the commit comes too late by itself; `outage`: by the outage; `given-up`: the job has failed for good. */
export type LossReason = "no-failure" | "outage" | "given-up";

/** The transactional id of the run's only sink subtask. */
function transactionNameOf(checkpoint: number): string {
  return `P-0-${checkpoint}`;
}

export function outcomeOf(timeouts: Timeouts): TimeoutsOutcome {
  const { transactionTimeout, brokerLimit, duration, checkpointTimeout, redeploy } = timeouts;
  if (transactionTimeout > brokerLimit)
    return { kind: "restart-loop", at: redeploy + model.rpc, cause: "INVALID_TRANSACTION_TIMEOUT" };
  const { transactions } = momentsOf(timeouts);
  if (duration >= checkpointTimeout)
    return {
      kind: "restart-loop",
      at: transactions[0].triggered + checkpointTimeout,
      cause: "CHECKPOINT_FAILURE_THRESHOLD",
    };
  const lost = transactions.find(isLost);
  if (lost === undefined) return { kind: "none" };
  return {
    kind: "loss",
    at: Math.max(lost.timesOut, lost.completed),
    checkpoint: lost.checkpoint,
    transaction: transactionNameOf(lost.checkpoint),
    why: reasonOf(lost),
  };
}

function reasonOf({ timesOut, completed, committed }: TransactionMoments): LossReason {
  if (timesOut <= committedAfter(completed)) return "no-failure";
  return committed === null ? "given-up" : "outage";
}

/** Does the coordinator look before the commit is there? A look at the same millisecond comes first. */
function isLost({ committed, timesOut }: TransactionMoments): boolean {
  return committed === null || timesOut <= committed;
}
