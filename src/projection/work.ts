/** What threads have in hand: records, snapshots, commits (CP-030, CP-100, SK-144). */
import { at } from "../base/assert.ts";
import { isSink, traitsOf } from "../protocol/sinks.ts";
import { partOf } from "./checkpoints.ts";
import { type Handler, places } from "./fields.ts";
import { ownState, ownSubtask } from "./own.ts";
import { keyOfRecord } from "./shared.ts";
import { snapshotDuration, writeDuration } from "./timing.ts";
import { intoStream, isWriteAhead } from "./write-ahead.ts";
import type { RunView, SubtaskView } from "./views.ts";

const received = places("RecordReceived");
const processed = places("RecordProcessed");
const dropped = places("DuplicateDropped");
const aligned = places("AlignmentCompleted");
const barrier = places("BarrierEmitted");
const preCommitted = places("TransactionPreCommitted");
const taken = places("SnapshotTaken");
const marker = places("CancelMarkerEmitted");
const resumed = places("ChannelResumed");
const finished = places("OperatorsFinished");
const writer = places("UnalignedSnapshotStarted");

/** Runs before the record leaves its channel, since its pass is there. */
export const recordInHand: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, received.subtask);
  const channel = log.field(step, received.channel);
  const head = at(view.channels, channel).queue[0] ?? null;
  ownSubtask(view, subtask).work = {
    kind: "record",
    record: log.field(step, received.record),
    value: log.field(step, received.value),
    channel,
    pass: head?.pass ?? 1,
    element: head,
    since: clock,
    until: clock + at(view.shared.cost, subtask),
  };
};

/** The record is applied; it is now between this operator and the next, or its channels, or the log. */
export const recordApplied: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, processed.subtask);
  const operator = log.field(step, processed.operator);
  const record = log.field(step, processed.record);
  const value = log.field(step, processed.value);
  const node = at(view.subtasks, subtask);
  let pass = view.passing?.pass ?? 1;
  if (node.work?.kind === "record") {
    ({ pass } = node.work);
    ownSubtask(view, subtask).work = null;
  }
  view.passing = { subtask, record, pass };
  if (at(view.shared.stateful, subtask).length > 0) addToState(view, subtask, operator, record, value);
  if (at(view.shared.sinks, subtask).length === 0) return;
  if (isWriteAhead(view, operator)) return intoStream(view, subtask, operator, record);
  const sink = ownSubtask(view, subtask).sinks.find((candidate) => candidate.operator === operator);
  const arrivesAt = clock + writeDuration(view.shared, operator);
  sink?.unwritten.push({ record, value, pass, sentAt: clock, arrivesAt });
};

/** The id is known: the record ends here. */
export const recordDropped: Handler = (view, log, step) => {
  const subtask = log.field(step, dropped.subtask);
  if (at(view.subtasks, subtask).work?.kind === "record") ownSubtask(view, subtask).work = null;
  view.passing = null;
};

/** The record is in the operator's state, once more; `value` is what its key stands at. */
function addToState(view: RunView, subtask: number, operator: number, record: number, value: number): void {
  const place = at(view.shared.stateful, subtask).indexOf(operator);
  if (place < 0) return;
  const state = at(ownState(view, subtask).operators, place);
  const key = state.values.length === 1 ? 0 : keyOfRecord(view.shared, record);
  state.values[key] = value;
  state.counts[key] = at(state.counts, key) + 1;
  view.shared.applied.set(view.applied, record, state.newest);
  state.newest = view.applied++;
}

/** An aligned task, or a source that was triggered, is busy with its snapshot. */
function beginSnapshot(view: RunView, subtask: number, checkpoint: number, clock: number): void {
  const node = ownSubtask(view, subtask);
  const since = node.work?.kind === "snapshot" && node.work.checkpoint === checkpoint ? node.work.since : clock;
  const until = flushing(view, node) ? -1 : clock + snapshotDuration(view.shared, subtask, checkpoint, "snapshotSync");
  node.work = { kind: "snapshot", checkpoint, since, until };
}

/** Does a sink of the chain still wait for what it wrote? `none` does not wait. */
function flushing(view: RunView, node: SubtaskView): boolean {
  return node.sinks.some(({ operator, unwritten }) => {
    const { vertex } = at(view.shared.graph.operators, operator);
    return isSink(vertex) && traitsOf(vertex).guarantee !== "none" && unwritten.length > 0;
  });
}

/** The last barrier of an unaligned checkpoint begins nothing. */
export const alignedWork: Handler = (view, log, step, clock) => {
  const [subtask, checkpoint] = [log.field(step, aligned.subtask), log.field(step, aligned.checkpoint)];
  if (partOf(view, checkpoint, subtask)?.unaligned !== true) beginSnapshot(view, subtask, checkpoint, clock);
};

export const unalignedWork: Handler = (view, log, step, clock) =>
  beginSnapshot(view, log.field(step, writer.subtask), log.field(step, writer.checkpoint), clock);

export const barrierWork: Handler = (view, log, step, clock) =>
  beginSnapshot(view, log.field(step, barrier.subtask), log.field(step, barrier.checkpoint), clock);

export const preCommitWork: Handler = (view, log, step, clock) =>
  beginSnapshot(view, log.field(step, preCommitted.subtask), log.field(step, preCommitted.checkpoint), clock);

/** The last flushed record lets the synchronous part begin. */
export function flushedWork(view: RunView, subtask: number, clock: number): void {
  const { work } = at(view.subtasks, subtask);
  if (work?.kind === "snapshot" && work.until < 0) beginSnapshot(view, subtask, work.checkpoint, clock);
}

export const snapshotDone: Handler = (view, log, step) => {
  ownSubtask(view, log.field(step, taken.subtask)).work = null;
};

/** What sinks handed over at the end of input is no part of a snapshot yet. */
export const operatorsFinished: Handler = (view, log, step) => {
  ownSubtask(view, log.field(step, finished.subtask)).work = null;
};

/** A checkpoint that the task knew to be aborted gets no snapshot (CP-108). */
function withoutSnapshot(view: RunView, subtask: number, checkpoint: number): void {
  const { work } = at(view.subtasks, subtask);
  if (work?.kind === "snapshot" && work.checkpoint === checkpoint) ownSubtask(view, subtask).work = null;
}

export const markerWork: Handler = (view, log, step) =>
  withoutSnapshot(view, log.field(step, marker.subtask), log.field(step, marker.checkpoint));

export const resumedWork: Handler = (view, log, step) => {
  const [subtask, checkpoint] = [log.field(step, resumed.subtask), log.field(step, resumed.checkpoint)];
  if (partOf(view, checkpoint, subtask)?.unaligned !== true) withoutSnapshot(view, subtask, checkpoint);
};
