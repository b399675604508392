/** Channels: what is in them, in order, and which are blocked (CP-034, CP-038, CP-042, FR-092). */
import { at } from "../base/assert.ts";
import { type Handler, places } from "./fields.ts";
import { ownChannel } from "./own.ts";
import { type ElementView, isData } from "./element-view.ts";
import type { RunView } from "./views.ts";

const sent = places("RecordSent");
const handed = places("CommittableSent");
const received = places("RecordReceived");
const barrierIn = places("BarrierReceived");
const barrierOut = places("BarrierEmitted");
const markerIn = places("CancelMarkerReceived");
const markerOut = places("CancelMarkerEmitted");
const dataEnds = places("EndOfDataEmitted");
const dataEnded = places("EndOfDataReceived");
const partitionEnds = places("EndOfPartitionEmitted");
const partitionEnded = places("EndOfPartitionReceived");
const requested = places("SubpartitionRequested");
const blocked = places("ChannelBlocked");
const resumed = places("ChannelResumed");

export const recordSent: Handler = (view, log, step, clock) => {
  const channel = log.field(step, sent.channel);
  const id = log.field(step, sent.record);
  const pass = view.passing?.pass ?? 1;
  put(view, channel, "record", id, log.field(step, sent.value), pass, clock, step);
};

export const committableSent: Handler = (view, log, step, clock) => {
  const [channel, id] = [log.field(step, handed.channel), log.field(step, handed.transaction)];
  put(view, channel, "committable", id, log.field(step, handed.checkpoint), 1, clock, step);
};

export const barrierEmitted: Handler = (view, log, step, clock) => {
  put(view, log.field(step, barrierOut.channel), "barrier", log.field(step, barrierOut.checkpoint), 0, 0, clock, step);
};

export const cancelMarkerEmitted: Handler = (view, log, step, clock) => {
  const checkpoint = log.field(step, markerOut.checkpoint);
  put(view, log.field(step, markerOut.channel), "cancel-marker", checkpoint, 0, 0, clock, step);
};

export const endOfDataEmitted: Handler = (view, log, step, clock) =>
  put(view, log.field(step, dataEnds.channel), "end-of-data", 0, 0, 0, clock, step);
export const endOfPartitionEmitted: Handler = (view, log, step, clock) => {
  const channel = log.field(step, partitionEnds.channel);
  put(view, channel, "end-of-partition", 0, 0, 0, clock, step);
  const { graph } = view.shared;
  const node = ownChannel(view, channel);
  if (at(graph.edges, at(graph.channels, channel).edge).exchange === "BLOCKING") node.result = node.queue.slice();
};

/** All of a blocking exchange's result is on its way to the attempt that reads it (FR-041). */
export const subpartitionRequested: Handler = (view, log, step, clock) => {
  const channel = log.field(step, requested.channel);
  const { graph } = view.shared;
  const { latency } = at(graph.edges, at(graph.channels, channel).edge);
  const node = ownChannel(view, channel);
  node.queue = (node.result ?? []).map((element) => ({ ...element, sentAt: clock, arrivesAt: clock + latency, step }));
  node.fill = log.field(step, requested.records);
};

/** A new attempt of its producer writes a result anew. */
export function dropResult(view: RunView, channel: number): void {
  if (at(view.channels, channel).result !== null) ownChannel(view, channel).result = null;
}

/** Elements have one shape, whatever they are: this is the hottest allocation of a fold. */
function put(
  view: RunView,
  channel: number,
  kind: ElementView["kind"],
  id: number,
  value: number,
  pass: number,
  sentAt: number,
  step: number,
): void {
  const { graph } = view.shared;
  const arrivesAt = sentAt + at(graph.edges, at(graph.channels, channel).edge).latency;
  const node = ownChannel(view, channel);
  node.queue.push({ kind, id, value, pass, restored: -1, sentAt, arrivesAt, step });
  if (isData(node.queue.at(-1) as ElementView)) node.fill++;
}

export const recordReceived: Handler = (view, log, step) => {
  const node = ownChannel(view, log.field(step, received.channel));
  const taken = node.queue.shift();
  if (taken !== undefined && isData(taken)) node.fill--;
};
export const endOfDataReceived: Handler = (view, log, step) =>
  takeEvent(view, log.field(step, dataEnded.channel), "end-of-data", 0);
export const endOfPartitionReceived: Handler = (view, log, step) =>
  takeEvent(view, log.field(step, partitionEnded.channel), "end-of-partition", 0);

/** A barrier that has priority is not the head. */
export const barrierReceived: Handler = (view, log, step) =>
  takeEvent(view, log.field(step, barrierIn.channel), "barrier", log.field(step, barrierIn.checkpoint));
export const cancelMarkerReceived: Handler = (view, log, step) =>
  takeEvent(view, log.field(step, markerIn.channel), "cancel-marker", log.field(step, markerIn.checkpoint));

function takeEvent(view: RunView, channel: number, kind: ElementView["kind"], checkpoint: number): void {
  const { queue } = ownChannel(view, channel);
  const place = queue.findIndex((element) => element.kind === kind && element.id === checkpoint);
  if (place >= 0) queue.splice(place, 1);
}

export const channelBlocked: Handler = (view, log, step, clock) => {
  const node = ownChannel(view, log.field(step, blocked.channel));
  node.blocked = log.field(step, blocked.checkpoint);
  node.blockedSince = clock;
};

export const channelResumed: Handler = (view, log, step) => {
  const node = ownChannel(view, log.field(step, resumed.channel));
  node.blocked = -1;
  node.blockedSince = -1;
};

/** What was in a channel is gone, and it is open; the result of a blocking exchange stays. */
export function clearChannel(view: RunView, channel: number): void {
  const node = at(view.channels, channel);
  if (node.queue.length === 0 && node.blocked < 0 && node.persisting < 0 && node.result === null) return;
  const owned = ownChannel(view, channel);
  owned.queue = node.result?.slice() ?? [];
  owned.fill = owned.queue.filter(isData).length;
  owned.blocked = -1;
  owned.blockedSince = -1;
  owned.persisting = -1;
}
