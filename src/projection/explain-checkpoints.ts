/** Sentences about checkpoints: triggers, barriers, alignment, snapshots, acknowledgements, ends. */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import {
  acknowledgementFates,
  channelSides,
  checkpointFailureReasons,
  checkpointKinds,
  faultVerbs,
  notificationKinds,
  operationAnswers,
  rpcs,
  savepointFormats,
} from "../protocol/reasons.ts";
import { savepointDirectory, savepointPath } from "../scenario/savepoint-path.ts";
import type { Entry } from "./entry.ts";
import type { Facts } from "./facts.ts";
import type { Shared } from "./shared.ts";
import { barrierHandlerStates, places } from "./fields.ts";
import type { Sentence } from "./sentences.ts";

/** What many sentences need of an entry, whatever its type: its subtask, its checkpoint, its channel. */
interface OfTask {
  task(): string;
  number(field: "checkpoint"): number;
}
interface OnChannel extends OfTask {
  channel(field: "channel"): string;
}

function ofTask(e: OfTask): { task: string; checkpoint: number } {
  return { task: e.task(), checkpoint: e.number("checkpoint") };
}

function onChannel(e: OnChannel): { task: string; checkpoint: number; channel: string } {
  return { ...ofTask(e), channel: e.channel("channel") };
}

const triggered = (e: Entry<"CheckpointTriggered">): Sentence => {
  return {
    says: "ck.trigger",
    level: "headline",
    checkpoint: e.number("checkpoint"),
    kind: e.facts.kindOf(e.number("checkpoint")),
    sources: e.facts.triggersOf(e.number("checkpoint")),
    asked: e.facts.log.type(Math.max(0, e.facts.log.cause(e.step))) === EventNumber.FaultInjected,
  };
};

const started = places("UnalignedSnapshotStarted");

/** Did the subtask's snapshot begin as an unaligned one? */
function isUnaligned(e: {
  readonly facts: Facts;
  readonly step: number;
  number(field: "checkpoint" | "subtask"): number;
}): boolean {
  const begun = e.facts.lastBefore("UnalignedSnapshotStarted", e.number("subtask"), e.step);
  return begun !== null && e.facts.log.field(begun, started.checkpoint) === e.number("checkpoint");
}

function blocks({ shared }: { readonly shared: Shared }): boolean {
  return shared.scenario.config.checkpointing.mode === "EXACTLY_ONCE";
}

/** A source's own barrier says how far it has read; others hand theirs on. */
const barrierEmitted = (e: Entry<"BarrierEmitted">): Sentence => {
  const { shared } = e;
  const { emissions } = e.facts;
  const subtask = e.number("subtask");
  if (e.inputs("subtask") > 0)
    return { says: "bar.forward", level: "protocol", ...onChannel(e), unaligned: isUnaligned(e) };
  const offsets = at(shared.splits, subtask).map((partition, split) => ({
    partition: at(shared.graph.inputs, partition).name,
    offset: emissions.positionAt(subtask, split, e.step),
  }));
  return { says: "bar.inject", level: "protocol", ...onChannel(e), offsets };
};

/** For how many barriers the subtask waits: those of the channels that had not ended with the first one (CP-046). */
function targetOf(e: {
  readonly facts: Facts;
  readonly step: number;
  number(field: "checkpoint" | "subtask"): number;
}): number {
  return e.facts.targetOf(e.number("checkpoint"), e.number("subtask"), e.step);
}

const barrierReceived = (e: Entry<"BarrierReceived">): Sentence => {
  const arrived = e.number("aligned");
  if (arrived <= 0) return { says: "bar.late", level: "protocol", ...onChannel(e) };
  return { says: "bar.arrive", level: "protocol", ...onChannel(e), arrived, of: targetOf(e), blocks: blocks(e) };
};

const barrier = places("BarrierReceived");

/** Barriers that are still to come: the entry that causes a block is the barrier's, which has counted. */
const blocked = (e: Entry<"ChannelBlocked">): Sentence => {
  const { log } = e.facts;
  const cause = log.cause(e.step);
  const arrived = cause >= 0 && log.type(cause) === EventNumber.BarrierReceived ? log.field(cause, barrier.aligned) : 1;
  return { says: "bar.lock", level: "protocol", ...onChannel(e), waiting: targetOf(e) - arrived };
};

const aborted = (e: Entry<"CheckpointAborted">): Sentence => ({
  says: "ck.abort",
  level: "headline",
  checkpoint: e.number("checkpoint"),
  reason: e.word("reason", checkpointFailureReasons),
  counts: e.flag("counts"),
  failures: e.number("failures"),
  tolerable: e.shared.scenario.config.checkpointing.tolerableFailed,
});

const notifications: {
  readonly [K in (typeof notificationKinds)[number]]: (of: ReturnType<typeof ofTask>) => Sentence;
} = {
  complete: (of) => ({ says: "ck.notify", level: "protocol", ...of }),
  aborted: (of) => ({ says: "ck.notify.aborted", level: "protocol", ...of }),
  subsumed: (of) => ({ says: "ck.notify.subsumed", level: "everything", ...of }),
};

const notified = (e: Entry<"NotificationDelivered">): Sentence =>
  notifications[e.word("kind", notificationKinds)](ofTask(e));

const located = (e: Entry<"SavepointLocationInitialized">): Sentence => {
  const { scenario, commands, submission } = e.shared;
  const directory = savepointDirectory(scenario, commands[e.number("fault")] ?? {}) ?? "";
  const checkpoint = e.number("checkpoint");
  const path = savepointPath(directory, scenario, checkpoint, submission);
  return { says: "sp.located", level: "protocol", checkpoint, path, format: e.word("format", savepointFormats) };
};

export const checkpointSentences = {
  CheckpointTriggered: triggered,
  TriggerQueued: (e: Entry<"TriggerQueued">): Sentence => ({
    says: "ck.hold",
    level: "protocol",
    kind: checkpointKinds[e.number("kind")] ?? "CHECKPOINT",
    pending: e.number("pending"),
  }),
  TriggerRejected: (e: Entry<"TriggerRejected">): Sentence => ({
    says: "ck.reject",
    level: "protocol",
    kind: checkpointKinds[e.number("kind")] ?? "CHECKPOINT",
    reason: e.word("reason", checkpointFailureReasons),
  }),
  SavepointLocationInitialized: located,
  OperationAnswered: (e: Entry<"OperationAnswered">): Sentence => ({
    says: "op.answered",
    level: "headline",
    fault: e.word("do", faultVerbs),
    answer: e.word("answer", operationAnswers),
    checkpoint: e.number("checkpoint") < 0 ? null : e.number("checkpoint"),
  }),
  BarrierEmitted: barrierEmitted,
  BarrierReceived: barrierReceived,
  ChannelBlocked: blocked,
  ChannelResumed: (e: Entry<"ChannelResumed">): Sentence => ({
    says: "bar.unlock",
    level: "protocol",
    ...onChannel(e),
  }),
  AlignmentCompleted: (e: Entry<"AlignmentCompleted">): Sentence => ({
    says: "bar.aligned",
    level: "protocol",
    ...ofTask(e),
    ms: e.number("duration"),
    of: targetOf(e),
    how: !blocks(e) ? "counted" : isUnaligned(e) ? "unaligned" : "aligned",
  }),
  AlignmentAborted: (e: Entry<"AlignmentAborted">): Sentence => ({
    says: "bar.abort",
    level: "protocol",
    ...ofTask(e),
    reason: e.word("reason", checkpointFailureReasons),
  }),
  BarrierAnnounced: (e: Entry<"BarrierAnnounced">): Sentence => ({
    says: "bar.announce",
    level: "protocol",
    ...onChannel(e),
  }),
  AlignmentTimedOut: (e: Entry<"AlignmentTimedOut">): Sentence => ({
    says: "bar.timeout",
    level: "protocol",
    ...ofTask(e),
    ms: e.number("elapsed"),
    begun: barrierHandlerStates[e.facts.log.move(e.step, 0).to] === "COLLECTING_UNALIGNED",
  }),
  UnalignedSnapshotStarted: (e: Entry<"UnalignedSnapshotStarted">): Sentence => ({
    says: "snap.unaligned",
    level: "protocol",
    ...ofTask(e),
    waits: e.inputs("subtask") > 0,
  }),
  InFlightDataPersisted: (e: Entry<"InFlightDataPersisted">): Sentence => ({
    says: "snap.inFlight",
    level: "protocol",
    ...onChannel(e),
    records: e.number("records"),
    side: e.word("side", channelSides),
    bytes: e.number("bytes"),
    timedOut: e.word("side", channelSides) === "output" && !isUnaligned(e),
  }),
  ChannelStateRestored: (e: Entry<"ChannelStateRestored">): Sentence => ({
    says: "restore.inFlight",
    level: "protocol",
    ...onChannel(e),
    records: e.number("records"),
    side: e.word("side", channelSides),
  }),
  CancelMarkerEmitted: (e: Entry<"CancelMarkerEmitted">): Sentence => ({
    says: "bar.cancel.send",
    level: "protocol",
    ...onChannel(e),
  }),
  CancelMarkerReceived: (e: Entry<"CancelMarkerReceived">): Sentence => ({
    says: "bar.cancel",
    level: "protocol",
    ...onChannel(e),
  }),
  SnapshotTaken: (e: Entry<"SnapshotTaken">): Sentence => ({
    says: "snap.sync",
    level: "protocol",
    ...ofTask(e),
    ms: e.number("duration"),
    startDelay: e.number("startDelay"),
  }),
  SnapshotPersisted: (e: Entry<"SnapshotPersisted">): Sentence => ({
    says: "snap.async",
    level: "everything",
    ...ofTask(e),
    ms: e.number("duration"),
    bytes: e.number("bytes"),
  }),
  SnapshotDiscarded: (e: Entry<"SnapshotDiscarded">): Sentence => ({
    says: "snap.discard",
    level: "protocol",
    ...ofTask(e),
  }),
  CheckpointFileWritten: (e: Entry<"CheckpointFileWritten">): Sentence => ({
    says: "file.write",
    level: "everything",
    checkpoint: e.number("checkpoint"),
    task: e.taskOrNull("subtask"),
    bytes: e.number("bytes"),
    shared: e.flag("shared"),
  }),
  CheckpointFileReused: (e: Entry<"CheckpointFileReused">): Sentence => ({
    says: "file.reuse",
    level: "everything",
    ...ofTask(e),
    bytes: e.number("bytes"),
  }),
  CheckpointFileDeleted: (e: Entry<"CheckpointFileDeleted">): Sentence => ({
    says: "file.delete",
    level: "everything",
    checkpoint: e.number("checkpoint"),
  }),
  SnapshotFailed: (e: Entry<"SnapshotFailed">): Sentence => ({
    says: "snap.fail",
    level: "headline",
    ...ofTask(e),
    reason: e.word("reason", checkpointFailureReasons),
  }),
  CheckpointAcknowledged: (e: Entry<"CheckpointAcknowledged">): Sentence => ({
    says: "ck.ack",
    level: "protocol",
    ...ofTask(e),
    acknowledged: e.number("acknowledged"),
    of: e.shared.graph.subtasks.length,
  }),
  AcknowledgementDiscarded: (e: Entry<"AcknowledgementDiscarded">): Sentence => ({
    says: "ck.ack.refused",
    level: "protocol",
    ...ofTask(e),
    fate: e.word("fate", acknowledgementFates),
  }),
  CheckpointDeclined: (e: Entry<"CheckpointDeclined">): Sentence => ({
    says: "ck.decline",
    level: "headline",
    ...ofTask(e),
    reason: e.word("reason", checkpointFailureReasons),
  }),
  CheckpointMetadataWritten: (e: Entry<"CheckpointMetadataWritten">): Sentence => ({
    says: "ck.metadata",
    level: "protocol",
    checkpoint: e.number("checkpoint"),
  }),
  CheckpointCompleted: (e: Entry<"CheckpointCompleted">): Sentence => ({
    says: "ck.durable",
    level: "headline",
    checkpoint: e.number("checkpoint"),
    kind: e.facts.kindOf(e.number("checkpoint")),
    ms: e.facts.since("CheckpointTriggered", e.number("checkpoint"), e.step),
  }),
  CheckpointAborted: aborted,
  CheckpointSubsumed: (e: Entry<"CheckpointSubsumed">): Sentence => ({
    says: "ck.subsume",
    level: "protocol",
    checkpoint: e.number("checkpoint"),
  }),
  NotificationDelivered: notified,
  CoordinatorSnapshotTaken: (e: Entry<"CoordinatorSnapshotTaken">): Sentence => ({
    says: "ck.coord",
    level: "protocol",
    vertex: e.operator("operator"),
    checkpoint: e.number("checkpoint"),
    assigned: e.number("assigned"),
  }),
  MessageLost: (e: Entry<"MessageLost">): Sentence => ({
    says: "rpc.lost",
    level: "headline",
    task: e.task(),
    checkpoint: e.number("checkpoint") < 0 ? null : e.number("checkpoint"),
    rpc: e.word("rpc", rpcs),
  }),
  OffsetsCommitted: (e: Entry<"OffsetsCommitted">): Sentence => ({
    says: "src.offsets",
    level: "everything",
    ...ofTask(e),
    partition: e.input("partition"),
    position: e.number("position"),
    byItself: e.number("checkpoint") < 0,
  }),
};
