/** Which transactions a checkpoint decides: those that sinks have pre-committed for it, and those that will be (SK-141 to SK-145). */
import { at } from "../base/assert.ts";
import type { CheckpointView, RunView, TransactionView } from "./views.ts";

/**
 * In the order in which they began. Pre-committed for it: since its trigger, as another job's checkpoint may have had its
 * id. Still open: what a writer has in hand whose snapshot for it, and for those before it, has not been taken.
 */
export function transactionsOf(view: RunView, checkpoint: CheckpointView): readonly TransactionView[] {
  const prepared = view.transactions.filter(
    (transaction) =>
      transaction.checkpoint === checkpoint.id && transaction.preCommittedAt >= Math.max(0, checkpoint.triggeredAt),
  );
  if (!isPending(checkpoint)) return prepared;
  const open = view.subtasks.flatMap(({ sinks }, subtask) =>
    nextFor(view, subtask) === checkpoint
      ? sinks.flatMap(({ current }) => (current < 0 ? [] : [at(view.transactions, current)]))
      : [],
  );
  // Behind its pre-commit a writer may begin the next one before its snapshot has been taken.
  const own = open.filter((each) => !prepared.some((other) => isOfOneWriter(each, other)));
  return [...prepared, ...own].sort((a, b) => a.step - b.step);
}

function isOfOneWriter(one: TransactionView, other: TransactionView): boolean {
  return one.subtask === other.subtask && one.operator === other.operator;
}

function isPending({ state }: CheckpointView): boolean {
  return state === "PENDING" || state === "FINALIZING";
}

/** The first checkpoint under way for which a subtask has not taken its snapshot. */
function nextFor(view: RunView, subtask: number): CheckpointView | undefined {
  return view.checkpoints.find((each) => isPending(each) && (each.parts[subtask]?.takenAt ?? -1) < 0);
}

/** Does what becomes of the run still hang on it: is it under way, restored next, or are its transactions not decided? */
export function isAtStake(view: RunView, checkpoint: CheckpointView): boolean {
  return (
    isPending(checkpoint) ||
    view.coordinator.restoreCandidate === checkpoint.id ||
    transactionsOf(view, checkpoint).some(({ decidedAt }) => decidedAt < 0)
  );
}
