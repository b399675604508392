/** What is marked along a run: checkpoints from trigger to end, failures, and where other branches leave. */
import { type EventType, EventNumber, eventTypes } from "../protocol/events.ts";
import type { BranchId } from "../worker/port.ts";
import type { BranchRun } from "./store.ts";

export interface CheckpointMark {
  readonly id: number;
  /** Presentation time. */
  readonly from: number;
  readonly to: number;
  readonly status: "completed" | "failed" | "pending";
}

export interface ScrubberMarks {
  readonly checkpoints: readonly CheckpointMark[];
  readonly failures: readonly { readonly step: number; readonly from: number }[];
  readonly forks: readonly { readonly id: BranchId; readonly from: number }[];
}

const failureTypes: ReadonlySet<EventType> = new Set<EventType>(["FaultInjected", "TaskManagerLost", "CommitFailed", "TransactionTimedOut"]);

export function scrubberMarks(branch: BranchRun, branches: readonly BranchRun[]): ScrubberMarks {
  const { log, clock } = branch.run;
  const checkpoints = new Map<number, CheckpointMark>();
  const failures: { step: number; from: number }[] = [];
  for (let step = 0; step < branch.length; step++) {
    const type = log.type(step);
    if (type === EventNumber.CheckpointTriggered) {
      const id = log.field(step, 0);
      checkpoints.set(id, { id, from: clock.presentationOf(step), to: clock.total, status: "pending" });
    } else if (type === EventNumber.CheckpointCompleted || type === EventNumber.CheckpointAborted) {
      const mark = checkpoints.get(log.field(step, 0));
      const status = type === EventNumber.CheckpointCompleted ? "completed" : "failed";
      if (mark !== undefined) checkpoints.set(mark.id, { ...mark, to: clock.presentationOf(step), status });
    } else if (failureTypes.has(eventTypes[type] ?? "RecordSent")) {
      failures.push({ step, from: clock.presentationOf(step) });
    }
  }
  return { checkpoints: [...checkpoints.values()], failures, forks: forksOf(branch, branches) };
}

/** Children of this branch, and its own begin. */
function forksOf({ branch, run }: BranchRun, branches: readonly BranchRun[]): ScrubberMarks["forks"] {
  return branches
    .filter(({ branch: other }) => other.parent === branch.id || (other.id === branch.id && other.parent !== null))
    .map(({ branch: { id, step } }) => ({ id, from: run.clock.presentationOf(step) }));
}
