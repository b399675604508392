/** Channel state: what an unaligned checkpoint stores of the data in flight, and its way back (CP-075 to CP-079, CP-085). */
import { at } from "../base/assert.ts";
import { channelSides } from "../protocol/reasons.ts";
import { notePart, partOf } from "./checkpoints.ts";
import { type Handler, places } from "./fields.ts";
import { ownChannel } from "./own.ts";
import { type ElementView, type InFlightView, isData } from "./element-view.ts";
import type { RunView } from "./views.ts";

const writer = places("UnalignedSnapshotStarted");
const received = places("RecordReceived");
const barrier = places("BarrierReceived");
const persisted = places("InFlightDataPersisted");
const restored = places("ChannelStateRestored");
const discarded = places("SnapshotDiscarded");
const failed = places("SnapshotFailed");
const aborted = places("AlignmentAborted");
const completed = places("AlignmentCompleted");

/** From now on what the task takes from channels whose barrier is missing belongs to the checkpoint too. */
export const writerStarted: Handler = (view, log, step) => {
  const [subtask, checkpoint] = [log.field(step, writer.subtask), log.field(step, writer.checkpoint)];
  notePart(view, checkpoint, subtask, { unaligned: true });
  const { handler } = at(view.subtasks, subtask);
  const seen = handler.checkpoint === checkpoint ? handler.aligned : [];
  for (const channel of at(view.shared.graph.subtasks, subtask).inputs)
    if (!seen.includes(channel)) ownChannel(view, channel).persisting = checkpoint;
};

/** Runs before the record leaves its channel. */
export const recordPersisted: Handler = (view, log, step) => {
  const channel = at(view.channels, log.field(step, received.channel));
  const head = channel.queue[0];
  if (channel.persisting < 0 || head === undefined) return;
  store(view, channel.persisting, log.field(step, received.subtask), "input", log.field(step, received.channel), [
    head,
  ]);
};

/** Runs before the barrier leaves its channel: the records before it were overtaken. */
export const inputOvertaken: Handler = (view, log, step) => {
  const channel = log.field(step, barrier.channel);
  const checkpoint = log.field(step, barrier.checkpoint);
  const node = at(view.channels, channel);
  if (node.persisting >= 0) ownChannel(view, channel).persisting = -1;
  const place = node.queue.findIndex(({ kind, id }) => kind === "barrier" && id === checkpoint);
  if (place <= 0 || log.field(step, barrier.aligned) <= 0) return;
  store(view, checkpoint, log.field(step, barrier.subtask), "input", channel, node.queue.slice(0, place));
};

/** CP-205: how much of a subtask's channel state is stored. */
export const bytesPersisted: Handler = (view, log, step) => {
  const [subtask, checkpoint] = [log.field(step, persisted.subtask), log.field(step, persisted.checkpoint)];
  const before = partOf(view, checkpoint, subtask)?.persisted ?? 0;
  notePart(view, checkpoint, subtask, { persisted: before + log.field(step, persisted.bytes) });
};

/**
 * The barrier goes ahead of what is in the sender's buffers, and leaves them now. What the reader stored is known from its
 * own entries. Where the sender's snapshot was aligned, its timeout has found the barrier still there (CP-075).
 */
export const dataPersisted: Handler = (view, log, step, clock) => {
  if (channelSides[log.field(step, persisted.side)] !== "output") return;
  const [channel, checkpoint] = [log.field(step, persisted.channel), log.field(step, persisted.checkpoint)];
  const subtask = log.field(step, persisted.subtask);
  if (partOf(view, checkpoint, subtask)?.unaligned === false) convert(view, checkpoint, subtask, clock);
  const { queue } = ownChannel(view, channel);
  const place = queue.findIndex(({ kind, id }) => kind === "barrier" && id === checkpoint);
  if (place < 0) return;
  let start = place;
  for (let left = log.field(step, persisted.records); left > 0 && start > 0;) if (isData(at(queue, --start))) left--;
  store(view, checkpoint, subtask, "output", channel, queue.slice(start, place));
  const { latency } = at(view.shared.graph.edges, at(view.shared.graph.channels, channel).edge);
  const [barrierElement] = queue.splice(place, 1) as [ElementView];
  queue.splice(start, 0, { ...barrierElement, sentAt: clock, arrivesAt: clock + latency });
};

/** An aligned checkpoint turns unaligned at a subtask; the first time is told. */
export function convert(view: RunView, checkpoint: number, subtask: number, clock: number): void {
  if ((partOf(view, checkpoint, subtask)?.convertedAt ?? -1) < 0)
    notePart(view, checkpoint, subtask, { convertedAt: clock });
}

const timedOut = places("AlignmentTimedOut");

export const alignmentTimedOut: Handler = (view, log, step, clock) =>
  convert(view, log.field(step, timedOut.checkpoint), log.field(step, timedOut.subtask), clock);

function store(
  view: RunView,
  checkpoint: number,
  subtask: number,
  side: InFlightView["side"],
  channel: number,
  elements: readonly ElementView[],
): void {
  const more = elements.flatMap((element) => (isData(element) ? [{ channel, side, element }] : []));
  if (more.length === 0) return;
  const before = partOf(view, checkpoint, subtask)?.inFlight ?? [];
  notePart(view, checkpoint, subtask, { inFlight: [...before, ...more] });
}

/** Recovered input is ahead of all else in its channel. */
export const channelRestored: Handler = (view, log, step, clock) => {
  const channel = log.field(step, restored.channel);
  const side = at(channelSides, log.field(step, restored.side));
  const checkpoint = log.field(step, restored.checkpoint);
  const part = partOf(view, checkpoint, log.field(step, restored.subtask));
  const latency =
    side === "input" ? 0 : at(view.shared.graph.edges, at(view.shared.graph.channels, channel).edge).latency;
  const elements = (part?.inFlight ?? [])
    .filter((stored) => stored.channel === channel && stored.side === side)
    .map(({ element }) => ({ ...element, restored: checkpoint, sentAt: clock, arrivesAt: clock + latency, step }));
  const node = ownChannel(view, channel);
  node.fill += elements.length;
  if (side === "input") node.queue.unshift(...elements);
  else node.queue.push(...elements);
};

/** A snapshot that is thrown away, or fails, takes in nothing more. */
export const snapshotGivenUp: Handler = (view, log, step) =>
  forget(view, log.field(step, discarded.subtask), log.field(step, discarded.checkpoint));
export const snapshotFailed: Handler = (view, log, step) =>
  forget(view, log.field(step, failed.subtask), log.field(step, failed.checkpoint));

function forget(view: RunView, subtask: number, checkpoint: number): void {
  notePart(view, checkpoint, subtask, { inFlight: [] });
  stopPersisting(view, subtask, (persisting) => persisting === checkpoint);
}

/** Channels that ended, or whose task was triggered by message, have delivered no barrier. */
export const alignmentCompleted: Handler = (view, log, step) =>
  stopPersisting(
    view,
    log.field(step, completed.subtask),
    (persisting) => persisting === log.field(step, completed.checkpoint),
  );

export const alignmentGivenUp: Handler = (view, log, step) =>
  stopPersisting(view, log.field(step, aborted.subtask), () => true);

function stopPersisting(view: RunView, subtask: number, which: (persisting: number) => boolean): void {
  for (const channel of at(view.shared.graph.subtasks, subtask).inputs) {
    const { persisting } = at(view.channels, channel);
    if (persisting >= 0 && which(persisting)) ownChannel(view, channel).persisting = -1;
  }
}
