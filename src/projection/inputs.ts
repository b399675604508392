/** Partitions that sources read: positions, passes, barrier cuts, the consumer group (SK-003, SK-004, SK-006, SK-008). */
import { at } from "../base/assert.ts";
import { recordOffset, recordPartition } from "../protocol/ids.ts";
import { type JobVertex, canRewind } from "../protocol/job-graph.ts";
import { type Handler, places } from "./fields.ts";
import { ownState } from "./own.ts";
import type { InputView, RunView, StateView } from "./views.ts";

const emitted = places("RecordEmitted");
const rewound = places("SourceRewound");
const added = places("SplitAdded");
const reset = places("OffsetReset");
const closed = places("ConnectionClosed");
const offsets = places("OffsetsCommitted");
const snapshot = places("SnapshotTaken");

/** The place in `RunView.inputs` of a partition that a subtask reads; `-1`: it does not. */
function inputPlace(view: RunView, subtask: number, partition: number): number {
  const split = at(view.shared.splits, subtask).indexOf(partition);
  return split < 0 ? -1 : at(at(view.shared.inputsOf, subtask), split);
}

/** The source moves its position behind the record; the record is between the source and its channels. */
export const recordEmitted: Handler = (view, log, step) => {
  const { graph } = view.shared;
  const subtask = log.field(step, emitted.subtask);
  const record = log.field(step, emitted.record);
  const place = inputPlace(view, subtask, recordPartition(graph, record));
  if (place < 0) return;
  const input = at(view.inputs, place);
  const offset = recordOffset(graph, record);
  input.position = offset + 1;
  if (input.furthest <= offset) input.furthest = offset + 1;
  ownState(view, subtask).positions[input.split] = offset + 1;
  view.passing = { subtask, record, pass: passOf(input, offset) };
};

/** How often a source has read this offset, the current pass included. */
function passOf(input: InputView, offset: number): number {
  let pass = 1;
  for (const { from, to } of input.passes) if (offset >= from && offset < to) pass++;
  return pass;
}

/** A source goes on elsewhere: what it has read so far is an earlier pass. */
export function beginPass(input: InputView, position: number): void {
  if (input.position > input.passFrom) input.passes = [...input.passes, { from: input.passFrom, to: input.position }];
  input.position = position;
  input.passFrom = position;
}

export const sourceRewound: Handler = (view, log, step) => {
  const subtask = log.field(step, rewound.subtask);
  const place = inputPlace(view, subtask, log.field(step, rewound.partition));
  if (place < 0) return;
  const target = log.field(step, rewound.target);
  const input = at(view.inputs, place);
  beginPass(input, target);
  ownState(view, subtask).positions[input.split] = target;
};

/** A source begins with a split that no state has given it, where its initializer says (SK-006). */
export const splitAdded: Handler = (view, log, step) => {
  const subtask = log.field(step, added.subtask);
  const place = inputPlace(view, subtask, log.field(step, added.partition));
  if (place < 0) return;
  const input = at(view.inputs, place);
  const position = log.field(step, added.position);
  beginPass(input, position);
  beginAt(view, input.partition, position);
  ownState(view, subtask).positions[input.split] = input.position;
};

/** What was delivered over the connection is past, be it read or not (SK-002). */
export const connectionClosed: Handler = (view, log, step) => {
  const place = inputPlace(view, log.field(step, closed.subtask), log.field(step, closed.partition));
  if (place >= 0) beginPass(at(view.inputs, place), log.field(step, closed.delivered));
};

/** The first offset of a partition that is asked for. */
function beginAt(view: RunView, partition: number, position: number): void {
  for (const input of view.inputs.filter((other) => other.partition === partition))
    input.begin = input.begin < 0 ? position : Math.min(input.begin, position);
}

/** The offset that it stood at is gone, so it goes on elsewhere (SK-010). */
export const offsetReset: Handler = (view, log, step) => {
  const subtask = log.field(step, reset.subtask);
  const place = inputPlace(view, subtask, log.field(step, reset.partition));
  if (place < 0) return;
  const input = at(view.inputs, place);
  beginPass(input, log.field(step, reset.target));
  beginAt(view, input.partition, input.position);
  ownState(view, subtask).positions[input.split] = input.position;
};

/** Sources take over the positions of the state that they are given; a connection has none. */
export function restorePositions(view: RunView, subtask: number, state: StateView): void {
  if (!canRewind(sourceOf(view, subtask))) return;
  at(view.shared.inputsOf, subtask).forEach((place, split) =>
    beginPass(at(view.inputs, place), at(state.positions, split)),
  );
}

function sourceOf({ shared: { graph } }: RunView, subtask: number): JobVertex {
  const [head] = at(graph.vertices, at(graph.subtasks, subtask).taskVertex).operators;
  return at(graph.operators, head ?? 0).vertex;
}

/** The source's snapshot is where the barrier cuts its partitions. */
export const partitionsCut: Handler = (view, log, step) => {
  const checkpoint = log.field(step, snapshot.checkpoint);
  for (const place of at(view.shared.inputsOf, log.field(step, snapshot.subtask))) {
    const input = at(view.inputs, place);
    input.cuts = [...input.cuts, { checkpoint, position: input.position }];
  }
};

/** A checkpoint that ended without effect, or that a newer one makes unnecessary, cuts nothing any more. */
export function dropCuts(view: RunView, checkpoint: number): void {
  for (const input of view.inputs) input.cuts = input.cuts.filter((cut) => cut.checkpoint !== checkpoint);
}

/** From now on a restore continues where this checkpoint cut. */
export function adoptCuts(view: RunView, checkpoint: number): void {
  for (const input of view.inputs) {
    if (!canRewind(sourceOf(view, input.subtask))) continue;
    const cut = input.cuts.find((candidate) => candidate.checkpoint === checkpoint);
    if (cut !== undefined) input.checkpointed = cut.position;
  }
}

export const offsetsCommitted: Handler = (view, log, step) => {
  const place = inputPlace(view, log.field(step, offsets.subtask), log.field(step, offsets.partition));
  if (place >= 0) at(view.inputs, place).groupOffset = log.field(step, offsets.position);
};
