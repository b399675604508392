/**
 * The coordinator's requests and its periodic trigger (`CheckpointRequestDecider`, `CheckpointCoordinator`; CP-003 to
 * CP-010): the log shows when the trigger fires by what comes of it, and a period later it fires again.
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import {
  type CheckpointFailureReason,
  checkpointFailureReasons,
  checkpointKinds,
  faultVerbs,
  operationAnswers,
} from "../protocol/reasons.ts";
import { savepointDirectory } from "../scenario/savepoint-path.ts";
import { noMemory } from "./coordinator-view.ts";
import { type Handler, places } from "./fields.ts";
import type { RunView } from "./views.ts";

const rejected = places("TriggerRejected");
const triggered = places("CheckpointTriggered");
const waiting = places("TriggerQueued");
const fault = places("FaultInjected");
const answered = places("OperationAnswered");

const CHECKPOINT = checkpointKinds.indexOf("CHECKPOINT");

/** Between two fires of the periodic trigger; `null`: there is none (CP-003). */
export function periodOf({ shared }: RunView): number | null {
  const { interval, minPause } = shared.scenario.config.checkpointing;
  return interval === null ? null : Math.max(interval, minPause);
}

/** CP-004: the trigger runs as long as every task does. */
export function followScheduler(view: RunView, clock: number): void {
  const { coordinator, job, subtasks } = view;
  const runs = job.status === "RUNNING" && subtasks.every(({ state }) => state === "RUNNING" || state === "FINISHED");
  if (runs === coordinator.schedulerSince >= 0) return;
  const { initialDelay } = view.shared.scenario;
  const known = runs && initialDelay !== null && periodOf(view) !== null;
  view.coordinator = {
    ...coordinator,
    schedulerSince: runs ? clock : -1,
    nextFire: known ? clock + initialDelay : -1,
  };
}

/**
 * When the trigger fires after what an entry tells; `queued`: requests that waited before. What is asked for by hand, or at
 * the end of data (CP-193), is no fire: it comes at another time, or a fault causes it.
 */
function fired(view: RunView, log: EventLog, step: number, clock: number, queued: number): number {
  const { nextFire, schedulerSince } = view.coordinator;
  const cause = log.cause(step);
  const byHand = cause >= 0 && log.type(cause) === EventNumber.FaultInjected;
  const period = periodOf(view);
  if (byHand || queued > 0 || period === null || schedulerSince < 0) return nextFire;
  if (nextFire < 0) return clock + period;
  const due = fireFrom(nextFire, period, clock);
  return due === clock ? due + period : due;
}

/** The first fire at `clock` or later. */
export function fireFrom(fire: number, period: number, clock: number): number {
  return fire + Math.max(0, Math.ceil((clock - fire) / period)) * period;
}

/** A request became a checkpoint: one that waited, where there is one. */
export const requestTaken: Handler = (view, log, step, clock) => {
  if (log.field(step, triggered.kind) > CHECKPOINT) return;
  const { queued } = view.coordinator;
  const nextFire = fired(view, log, step, clock, queued);
  view.coordinator = { ...view.coordinator, queued: Math.max(0, queued - 1), nextFire };
};

export const triggerQueued: Handler = (view, log, step, clock) => {
  if (log.field(step, waiting.kind) > CHECKPOINT) return;
  const { coordinator } = view;
  view.coordinator = { ...coordinator, queued: coordinator.queued + 1, nextFire: fired(view, log, step, clock, 0) };
};

/** A job that is to end with a savepoint triggers nothing periodic any more (CP-164). */
export const operationAsked: Handler = (view, log, step) => {
  const verb = at(faultVerbs, log.field(step, fault.do));
  const command = view.shared.commands[log.field(step, fault.fault)];
  if (verb !== "stop-with-savepoint" && verb !== "cancel-with-savepoint") return;
  if (savepointDirectory(view.shared.scenario, command ?? {}) === null) return;
  view.coordinator = { ...view.coordinator, queued: 0, nextFire: -1, stopped: true };
};

/** It goes on where the savepoint failed (CP-166). */
export const operationAnswered: Handler = (view, log, step, clock) => {
  const { coordinator, shared } = view;
  if (!coordinator.stopped || at(operationAnswers, log.field(step, answered.answer)) !== "FAILED") return;
  const { initialDelay } = shared.scenario;
  const known = coordinator.schedulerSince >= 0 && initialDelay !== null && periodOf(view) !== null;
  const nextFire = known ? clock + initialDelay : -1;
  view.coordinator = { ...coordinator, nextFire, stopped: false };
};

/** All but the store is gone with the leader, the statistics too (FR-101, CP-214). */
export const leadershipLost: Handler = (view) => {
  const { completed, restoreCandidate } = view.coordinator;
  view.coordinator = { ...noMemory, completed, restoreCandidate, forgotten: view.checkpoints.length };
};

/** Why the request decider itself drops a request, or the coordinator one that waits: nothing has been triggered then. */
const dropped: ReadonlySet<CheckpointFailureReason> = new Set([
  "TOO_MANY_CHECKPOINT_REQUESTS",
  "MINIMUM_TIME_BETWEEN_CHECKPOINTS",
  "CHECKPOINT_COORDINATOR_SUSPEND",
]);

/** The minimum pause drops every request that waits, and the trigger fires again when it is over (CP-010, CP-024). */
export const triggerRejected: Handler = (view, log, step, clock) => {
  const { coordinator } = view;
  const reason = at(checkpointFailureReasons, log.field(step, rejected.reason));
  const ofSavepoint = log.field(step, rejected.kind) > CHECKPOINT;
  const paused = reason === "MINIMUM_TIME_BETWEEN_CHECKPOINTS";
  const { minPause } = view.shared.scenario.config.checkpointing;
  view.coordinator = {
    ...coordinator,
    queued: paused ? 0 : Math.max(0, coordinator.queued - (ofSavepoint ? 0 : 1)),
    rejected: coordinator.rejected + 1,
    lastRejection: reason,
    failedTriggers: coordinator.failedTriggers + (dropped.has(reason) ? 0 : 1),
    nextFire: paused
      ? coordinator.lastCompletion + minPause
      : ofSavepoint
        ? coordinator.nextFire
        : fired(view, log, step, clock, coordinator.queued),
  };
};
