/** Checkpoints as the JobManager and the storage show them: which are pending and which count is their machines' word. */
import { nextTrigger } from "../../projection/next-trigger.ts";
import { restartBudget } from "../../projection/restart-budget.ts";
import type { CheckpointView, RunView } from "../../projection/views.ts";
import { keepsCheckpoints } from "../../scenario/retention.ts";
import type { MachineStates } from "../machines/actors.ts";
import { checkpointLooks, jobLooks } from "../machines/presentations.ts";
import type { CheckpointFrame, Countdown, EarlierFrame, JobManagerFrame, Later, StorageFrame } from "./frame-types.ts";

/** A failed checkpoint stays on the JobManager for this long, in simulated milliseconds, or until a later one ends. */
const FAILED_SHOWN = 4000;
/** How many of the newest checkpoints are looked at. */
const RECENT = 16;
/** More subtasks than this are shown as one bar. */
const SEGMENTS_MAX = 48;

const OVER: ReadonlySet<string> = new Set(["FINISHED", "CANCELED", "FAILED"]);

/** CP-168: the end of a job discards what its store holds, or leaves it for whoever starts from it. */
function isDiscarded({ job: { status }, shared, coordinator }: RunView, { id, kind }: CheckpointView): boolean {
  const { checkpointing, state } = shared.scenario.config;
  if (!OVER.has(status) || kind !== "CHECKPOINT" || !coordinator.completed.includes(id)) return false;
  return state.dir === null || !keepsCheckpoints(checkpointing.retention, status);
}

/** Recent checkpoints, oldest first. */
export function checkpointFrames(view: RunView, states: MachineStates): CheckpointFrame[] {
  return view.checkpoints.slice(-RECENT).flatMap((checkpoint) => {
    const state = states.checkpoint(checkpoint.id);
    if (state === null || isDiscarded(view, checkpoint)) return [];
    const expected = checkpoint.parts.length;
    return [
      {
        id: checkpoint.id,
        look: checkpointLooks[state],
        savepoint: checkpoint.kind !== "CHECKPOINT",
        acknowledged: checkpoint.acknowledged,
        expected,
        acknowledgements:
          expected > SEGMENTS_MAX
            ? []
            : checkpoint.parts.map((part) => part !== null && part.acknowledgedAt >= 0 && !part.refused),
        durable: state === "COMPLETED" || state === "SUBSUMED",
        restoreCandidate: view.coordinator.restoreCandidate === checkpoint.id,
        owner: ownerOf(view, checkpoint),
        reason: checkpoint.reason,
        counts: checkpoint.counts,
      },
    ];
  });
}

/** CP-160: a savepoint is its user's, but one that is in the store of the job that claimed it. */
function ownerOf({ coordinator }: RunView, { id, kind }: CheckpointView): CheckpointFrame["owner"] {
  return kind === "CHECKPOINT" || coordinator.completed.includes(id) ? "flink" : "user";
}

export function isPending({ look }: CheckpointFrame): boolean {
  return look.label === "PENDING" || look.label === "FINALIZING";
}

export function jobManagerFrame(
  view: RunView,
  states: MachineStates,
  checkpoints: readonly CheckpointFrame[],
  later: Later | null = null,
): JobManagerFrame {
  const { checkpointing, state } = view.shared.scenario.config;
  const { leader, led } = view.job;
  const pending = checkpoints.filter(isPending).toReversed();
  return {
    id: 0,
    look: jobLooks[states.job() ?? "INITIALIZING"],
    restart: countdown(view),
    failures: view.coordinator.failures,
    tolerable: checkpointing.tolerableFailed,
    budget: restartBudget(view),
    leader: { number: leader, present: led, standby: state.highAvailability },
    token: later?.tokenOf(view) ?? null,
    next: nextTrigger(view),
    current: [...pending, ...lastFailed(view, checkpoints)],
    // No savepoint but the one that the job was started from goes to the store (CP-125, CP-131).
    completed: checkpoints.filter(
      ({ id, look, savepoint }) =>
        look.label === "COMPLETED" && (!savepoint || view.coordinator.completed.includes(id)),
    ),
  };
}

function lastFailed(view: RunView, checkpoints: readonly CheckpointFrame[]): CheckpointFrame[] {
  const last = checkpoints.findLast((checkpoint) => !isPending(checkpoint));
  if (last === undefined || last.look.label !== "ABORTED") return [];
  const endedAt = view.checkpoints.findLast(({ id }) => id === last.id)?.endedAt ?? 0;
  return view.clock - endedAt <= FAILED_SHOWN ? [last] : [];
}

/** The restart that is waited for: the last one whose delay still runs. */
function countdown(view: RunView): Countdown | null {
  const restart = view.job.restarting.findLast(
    ({ scheduledAt, delay }) => delay > 0 && scheduledAt + delay >= view.clock,
  );
  return restart === undefined
    ? null
    : { from: restart.scheduledAt, to: restart.scheduledAt + restart.delay, failures: restart.failures };
}

/** What lies in checkpoint storage, newest first: pending parts and completed ones; what was discarded is gone. */
export function storageFrame(
  checkpoints: readonly CheckpointFrame[],
  earlier: readonly EarlierFrame[] = [],
): StorageFrame {
  const there = checkpoints.filter((checkpoint) => isPending(checkpoint) || checkpoint.look.label === "COMPLETED");
  return { id: 0, checkpoints: there.toReversed(), earlier };
}
