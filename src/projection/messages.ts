/** Messages on the wire: triggers, acknowledgements, declines, notifications, commit requests (CP-013, CP-106, CP-127, CP-141). */
import { coordinated } from "../protocol/execution-graph.ts";
import { rpcs } from "../protocol/reasons.ts";
import { type Handler, places } from "./fields.ts";
import { checkpointPlace, transactionPlace } from "./own.ts";
import type { MessageView } from "./message-view.ts";
import type { RunView } from "./views.ts";

const coordinator = places("CoordinatorSnapshotTaken");
const triggered = places("CheckpointTriggered");
const assigned = places("SplitAssigned");
const persisted = places("SnapshotPersisted");
const declined = places("AlignmentAborted");
const failed = places("SnapshotFailed");
const completed = places("CheckpointCompleted");
const aborted = places("CheckpointAborted");
const requested = places("TransactionCommitRequested");
const lost = places("MessageLost");

type Draft = Pick<MessageView, "rpc" | "subtask" | "direction" | "checkpoint"> & { readonly transaction?: number };

function send(view: RunView, drafts: readonly Draft[], clock: number, duration: number, step: number): void {
  const sent = drafts.map((draft) => ({
    transaction: -1,
    ...draft,
    sentAt: clock,
    arrivesAt: clock + duration,
    lost: false,
    step,
  }));
  const before = view.messages;
  const last = before[before.length - 1];
  const joined = [...before, ...sent];
  view.messages =
    last !== undefined && last.arrivesAt > clock + duration ? joined.sort((a, b) => a.arrivesAt - b.arrivesAt) : joined;
}

/** What has arrived before now is not on the wire any more. */
export function dropArrived(view: RunView, clock: number): void {
  const first = view.messages[0];
  if (first !== undefined && first.arrivesAt < clock)
    view.messages = view.messages.filter(({ arrivesAt }) => arrivesAt >= clock);
}

/** A message from the JobManager to each of these subtasks. */
function toTasks(
  view: RunView,
  rpc: MessageView["rpc"],
  subtasks: readonly number[],
  checkpoint: number,
  clock: number,
  step: number,
): void {
  const drafts = subtasks.map((subtask): Draft => ({ rpc, subtask, direction: "to-task", checkpoint }));
  send(view, drafts, clock, view.shared.scenario.timing.rpc, step);
}

/** Subtasks that have not finished. */
const all = (view: RunView): number[] =>
  view.shared.graph.subtasks.filter(({ index }) => !isFinished(view, index)).map(({ index }) => index);

const isFinished = (view: RunView, subtask: number): boolean => view.subtasks[subtask]?.state === "FINISHED";

/** Behind the snapshot of the last operator coordinator those of them that read from none that runs are triggered (CP-190). */
export const triggersLeave: Handler = (view, log, step, clock) => {
  const checkpoint = log.field(step, coordinator.checkpoint);
  if (view.checkpoints[checkpointPlace(view, checkpoint)]?.coordinators === coordinators(view))
    leave(view, checkpoint, step, clock);
};

/** Where no source has a coordinator nothing comes between. */
export const triggersLeaveAtOnce: Handler = (view, log, step, clock) => {
  if (coordinators(view) === 0) leave(view, log.field(step, triggered.checkpoint), step, clock);
};

function coordinators({ shared: { graph } }: RunView): number {
  return coordinated(graph).filter((has) => has).length;
}

function leave(view: RunView, checkpoint: number, step: number, clock: number): void {
  const { subtasks, channels } = view.shared.graph;
  const first = all(view).filter((subtask) =>
    subtasks[subtask]?.inputs.every((channel) => isFinished(view, channels[channel]?.from ?? -1)),
  );
  toTasks(view, "trigger", first, checkpoint, clock, step);
}

/** The splits that a reader is given at once come in one event. */
export const splitLeaves: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, assigned.subtask);
  const last = view.messages.findLast(({ rpc }) => rpc === "coordinator-event");
  if (last?.subtask !== subtask || last.sentAt !== clock)
    toTasks(view, "coordinator-event", [subtask], -1, clock, step);
};

/** Of a savepoint that stops nothing no task is told (CP-125). */
export const notificationsLeave: Handler = (view, log, step, clock) => {
  const checkpoint = log.field(step, completed.checkpoint);
  if (view.checkpoints[checkpointPlace(view, checkpoint)]?.kind === "SAVEPOINT") return;
  toTasks(view, "notify-complete", all(view), checkpoint, clock, step);
};

export const abortNotificationsLeave: Handler = (view, log, step, clock) =>
  toTasks(view, "notify-aborted", all(view), log.field(step, aborted.checkpoint), clock, step);

function toJobManager(
  view: RunView,
  rpc: "ack" | "decline",
  subtask: number,
  checkpoint: number,
  clock: number,
  step: number,
): void {
  send(view, [{ rpc, subtask, direction: "to-job-manager", checkpoint }], clock, view.shared.scenario.timing.rpc, step);
}

export const acknowledgementLeaves: Handler = (view, log, step, clock) =>
  toJobManager(view, "ack", log.field(step, persisted.subtask), log.field(step, persisted.checkpoint), clock, step);

export const declineLeaves: Handler = (view, log, step, clock) =>
  toJobManager(view, "decline", log.field(step, declined.subtask), log.field(step, declined.checkpoint), clock, step);

export const snapshotDeclined: Handler = (view, log, step, clock) =>
  toJobManager(view, "decline", log.field(step, failed.subtask), log.field(step, failed.checkpoint), clock, step);

/** A commit takes its time; half of it until the log has the request. */
export const commitLeaves: Handler = (view, log, step, clock) => {
  const transaction = transactionPlace(view, log.field(step, requested.transaction));
  const [subtask, checkpoint] = [log.field(step, requested.subtask), log.field(step, requested.checkpoint)];
  const draft: Draft = { rpc: "commit", subtask, direction: "to-log", checkpoint, transaction };
  send(view, [draft], clock, view.shared.scenario.timing.commit >> 1, step);
};

/** The message that was just sent will not arrive. */
export const messageLost: Handler = (view, log, step, clock) => {
  const rpc = rpcs[log.field(step, lost.rpc)];
  const subtask = log.field(step, lost.subtask);
  const checkpoint = log.field(step, lost.checkpoint);
  view.messages = view.messages.map((message) =>
    message.rpc === rpc && message.subtask === subtask && message.checkpoint === checkpoint && message.sentAt === clock
      ? { ...message, lost: true }
      : message,
  );
};
