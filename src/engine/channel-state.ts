/**
 * Channel state: the data in flight that an unaligned checkpoint stores (`ChannelStateWriterImpl`, `ChannelStatePersister`,
 * `PipelinedSubpartition`, `RemoteInputChannel`, `RecoveredInputChannel`; CP-032, CP-037, CP-074 to CP-079, CP-085 to
 * CP-088). A barrier's place in a channel's queue is the end of its epoch, so what is persisted as input is what the reader
 * takes from before it after its own cut; output is what the barrier overtakes (`sender-buffers.ts`). Left out: floating buffers, local
 * channels (which hold all on the output side), shared files (CP-082), snapshots during recovery (CP-087), rescaling
 * (CP-089, CP-090).
 */
import { at } from "../base/assert.ts";
import { channelSides } from "../protocol/reasons.ts";
import { RECORD_BYTES } from "../scenario/model.ts";
import type { Kernel } from "./kernel.ts";
import { Capture, Channel, Element, ElementKind, Task } from "./layout.ts";
import { put } from "./network.ts";
import { Op } from "./ops.ts";

/** How far a snapshot's channel state is (`Capture.closed`). */
const Closed = { complete: 1, written: 2, failed: 3 } as const;
export const Side = { input: channelSides.indexOf("input"), output: channelSides.indexOf("output") };

/** Adds an element to a channel's state, if it is a record; how many were added. */
export function persist(
  k: Kernel,
  channel: number,
  index: number,
  side: typeof Channel.input | typeof Channel.output,
): number {
  const { world } = k;
  if (world.element(channel, index, Element.kind) !== ElementKind.record) return 0;
  if (!k.decisions.persists(side, k.plan, channel)) return 0;
  const record = world.element(channel, index, Element.id);
  add(k, channel, record, world.element(channel, index, Element.value), side);
  return 1;
}

function add(k: Kernel, channel: number, record: number, value: number, side: number): void {
  const { lists } = k.arena;
  const before = k.world.channel(channel, side);
  k.world.setChannel(channel, side, lists.append(lists.append(before, record), value));
}

export function told(
  k: Kernel,
  task: number,
  channel: number,
  checkpoint: number,
  records: number,
  side: number,
): void {
  k.emit("InFlightDataPersisted", task, channel, checkpoint, records, side, records * RECORD_BYTES);
}

/** A snapshot with channel state begins; one of an older checkpoint that is not complete is given up. */
export function openCapture(k: Kernel, task: number, checkpoint: number): void {
  const { captures } = k.world;
  if (rowOf(k, task, checkpoint) >= 0) return;
  failCaptures(k, task, checkpoint);
  captures.push(task, checkpoint, -1, 0, 0, k.now);
  clear(k, task, checkpoint);
}

function rowOf({ world: { captures } }: Kernel, task: number, checkpoint: number): number {
  for (let row = 0; row < captures.count; row++)
    if (captures.get(row, Capture.task) === task && captures.get(row, Capture.checkpoint) === checkpoint) return row;
  return -1;
}

/** No channel state of older checkpoints is left on the task's channels, and none is taken in any more. */
function clear(k: Kernel, task: number, checkpoint: number): void {
  const { inputs, outputs } = at(k.plan.graph.subtasks, task);
  for (const channel of inputs) {
    k.world.setChannel(channel, Channel.input, 0);
    k.world.setChannel(channel, Channel.persisting, 0);
  }
  for (const channel of outputs) {
    k.world.setChannel(channel, Channel.output, 0);
    if (k.world.channel(channel, Channel.held) <= checkpoint) k.world.setChannel(channel, Channel.held, 0);
  }
}

/** Its channel state is given up, and no snapshot was taken, or it has failed itself. */
export function dropCapture(k: Kernel, task: number, checkpoint: number): void {
  const row = rowOf(k, task, checkpoint);
  if (row < 0) return;
  k.world.captures.remove(row);
  k.cancel(Op.asyncDone, task, checkpoint);
  stopWriting(k, task, checkpoint);
}

function stopWriting(k: Kernel, task: number, checkpoint: number): void {
  k.cancel(Op.outputTimeout, task, checkpoint);
  k.cancel(Op.channelStateWritten, task, checkpoint);
  clear(k, task, checkpoint);
}

/**
 * Channel state of checkpoints up to this one that is not written yet fails (`ChannelStateWriter.abort`). So does the
 * asynchronous part that waits for it, now or once it has written the rest.
 */
export function failCaptures(k: Kernel, task: number, checkpoint: number): void {
  const { captures } = k.world;
  for (let row = captures.count - 1; row >= 0; row--) {
    const older = captures.get(row, Capture.checkpoint);
    if (captures.get(row, Capture.task) !== task || older > checkpoint) continue;
    if (captures.get(row, Capture.closed) >= Closed.written) continue;
    if (captures.get(row, Capture.handle) < 0) {
      dropCapture(k, task, older);
      continue;
    }
    stopWriting(k, task, older);
    captures.set(row, Capture.closed, Closed.failed);
    if (captures.get(row, Capture.written) === 0) continue;
    captures.set(row, Capture.written, 0);
    k.next(Op.asyncDone, task, task, older, 0, 0);
  }
}

export function hasFailed(k: Kernel, task: number, checkpoint: number): boolean {
  const row = rowOf(k, task, checkpoint);
  return row >= 0 && k.world.captures.get(row, Capture.closed) === Closed.failed;
}

/** CP-076: from now on what arrives on channels whose barrier has not come belongs to the checkpoint. */
export function startPersisting(k: Kernel, task: number, checkpoint: number): void {
  openCapture(k, task, checkpoint);
  for (const channel of at(k.plan.graph.subtasks, task).inputs) {
    const { world } = k;
    if (world.channel(channel, Channel.barrier) === checkpoint || world.channel(channel, Channel.ended) !== 0) continue;
    world.setChannel(channel, Channel.persisting, checkpoint);
  }
}

/** The reader takes a record from a channel whose barrier has not come (CP-079). */
export function persistReceived(k: Kernel, channel: number, record: number, value: number): void {
  if (k.world.channel(channel, Channel.persisting) !== 0 && k.decisions.persists(Channel.input, k.plan, channel))
    add(k, channel, record, value, Channel.input);
}

/** The barrier at `place` is taken: the records before it were overtaken, and the channel's state is complete. */
export function persistOvertaken(k: Kernel, channel: number, place: number): void {
  for (let i = 0; i < place; i++) persist(k, channel, i, Channel.input);
  k.world.setChannel(channel, Channel.persisting, 0);
}

/** The operation `inputPersisted`: says how much of a channel's input is in the checkpoint. */
export function inputPersisted(k: Kernel, task: number, channel: number, checkpoint: number): void {
  const row = rowOf(k, task, checkpoint);
  if (row < 0 || k.world.captures.get(row, Capture.closed) === Closed.failed) return;
  const records = k.arena.lists.toArray(k.world.channel(channel, Channel.input)).length / 2;
  if (records > 0) told(k, task, channel, checkpoint, records, Side.input);
}

/** The synchronous part is over: the state without its channels. */
export function snapshotOf(k: Kernel, task: number, checkpoint: number, handle: number): void {
  const row = rowOf(k, task, checkpoint);
  if (row < 0) return;
  k.world.captures.set(row, Capture.handle, handle);
  k.world.captures.set(row, Capture.began, k.now);
  closeIfComplete(k, task, checkpoint);
}

/** CP-078: once input and output are complete they join the snapshot; the acknowledgement may have waited for it. */
export function closeIfComplete(k: Kernel, task: number, checkpoint: number): void {
  const { world, arena } = k;
  const { captures } = world;
  const row = rowOf(k, task, checkpoint);
  if (row < 0 || captures.get(row, Capture.handle) < 0 || captures.get(row, Capture.closed) !== 0) return;
  const { inputs, outputs } = at(k.plan.graph.subtasks, task);
  if (inputs.some((channel) => world.channel(channel, Channel.persisting) === checkpoint)) return;
  if (outputs.some((channel) => world.channel(channel, Channel.held) === checkpoint)) return;
  const lists = [
    ...inputs.map((channel) => world.channel(channel, Channel.input)),
    ...outputs.map((channel) => world.channel(channel, Channel.output)),
  ];
  if (lists.some((list) => list !== 0)) {
    const state = arena.sequences.toArray(captures.get(row, Capture.handle));
    captures.set(row, Capture.handle, arena.sequences.intern([...state, ...lists]));
  }
  captures.set(row, Capture.closed, Closed.complete);
  k.cancel(Op.outputTimeout, task, checkpoint);
  clear(k, task, checkpoint);
  const { uploadBytesPerSecond: rate } = k.plan.scenario.timing;
  const upload =
    rate === 0 ? 0 : Math.ceil((channelStateBytes(k, task, captures.get(row, Capture.handle)) * 1000) / rate);
  if (upload === 0) channelStateWritten(k, task, checkpoint);
  else k.after(upload, Op.channelStateWritten, task, task, checkpoint);
}

/** The operation `channelStateWritten`: channel state is written beside the asynchronous part, which may have waited for it. */
export function channelStateWritten(k: Kernel, task: number, checkpoint: number): void {
  const { captures } = k.world;
  const row = rowOf(k, task, checkpoint);
  captures.set(row, Capture.closed, Closed.written);
  if (captures.get(row, Capture.written) === 1) k.next(Op.snapshotWhole, task, task, checkpoint);
}

/** The asynchronous part has written the state. Is the channel state written too? */
export function stateWritten(k: Kernel, task: number, checkpoint: number): boolean {
  const { captures } = k.world;
  const row = rowOf(k, task, checkpoint);
  captures.set(row, Capture.written, 1);
  return captures.get(row, Capture.closed) === Closed.written;
}

/** The whole snapshot of a checkpoint, and when its asynchronous part began. */
export function takeCapture(k: Kernel, task: number, checkpoint: number): { handle: number; since: number } {
  const { captures } = k.world;
  const row = rowOf(k, task, checkpoint);
  const whole = { handle: captures.get(row, Capture.handle), since: captures.get(row, Capture.began) };
  captures.remove(row);
  return whole;
}

/** A task that is finished on restore has no state, nor waits for that of its channels; its barriers leave as any other's. */
export function forgetCapture(k: Kernel, task: number, checkpoint: number): void {
  const row = rowOf(k, task, checkpoint);
  if (row < 0) return;
  k.world.captures.remove(row);
  for (const channel of at(k.plan.graph.subtasks, task).inputs) k.world.setChannel(channel, Channel.persisting, 0);
}

export function hasCapture(k: Kernel, task: number, checkpoint: number): boolean {
  return rowOf(k, task, checkpoint) >= 0;
}

/** Checkpoints whose asynchronous part only waits for channel state; a thread that ends forgets all its captures. */
export function endCaptures({ world: { captures } }: Kernel, task: number): number[] {
  const waiting: number[] = [];
  for (let row = 0; row < captures.count; row++)
    if (captures.get(row, Capture.task) === task && captures.get(row, Capture.written) === 1)
      waiting.push(captures.get(row, Capture.checkpoint));
  captures.removeWhere(Capture.task, task);
  return waiting;
}

/** The channel state in a snapshot: by input and output channel a list of record and value, 0 where there is none. */
export function channelStateIn(k: Kernel, task: number, handle: number): { inputs: number[]; outputs: number[] } {
  const size = k.plan.stateSize[task] as number;
  const { inputs, outputs } = at(k.plan.graph.subtasks, task);
  const words = k.arena.sequences.toArray(handle).slice(size);
  const list = (place: number): number => words[place] ?? 0;
  return {
    inputs: inputs.map((_, place) => list(place)),
    outputs: outputs.map((_, place) => list(inputs.length + place)),
  };
}

/** How large the channel state in a snapshot is. */
export function channelStateBytes(k: Kernel, task: number, handle: number): number {
  const { inputs, outputs } = channelStateIn(k, task, handle);
  const words = [...inputs, ...outputs].reduce((sum, list) => sum + k.arena.lists.toArray(list).length, 0);
  return (words / 2) * RECORD_BYTES;
}

/** Puts the channel state of the restored checkpoint into the channels on one side; how many channels have some. */
export function restoreChannels(k: Kernel, task: number, side: "input" | "output"): number {
  const { world } = k;
  const checkpoint = world.task(task, Task.restore);
  if (checkpoint <= 0 || checkpoint === k.plan.scenario.config.checkpointing.withoutChannelState) return 0;
  const { inputs, outputs } = at(k.plan.graph.subtasks, task);
  const state = channelStateIn(k, task, world.task(task, Task.restoreFrom));
  const [channels, lists] = side === "input" ? [inputs, state.inputs] : [outputs, state.outputs];
  let restored = 0;
  channels.forEach((channel, place) => {
    const list = lists[place] ?? 0;
    if (list === 0) return;
    restored++;
    k.next(Op.restoreChannel, task, task, channel, list, Side[side]);
  });
  return restored;
}

/** The operation `restoreChannel`: recovered input goes ahead of all that the sender puts in (CP-085). */
export function restoreChannel(k: Kernel, task: number, channel: number, list: number, side: number): void {
  const { world } = k;
  const words = k.arena.lists.toArray(list);
  const records = words.length / 2;
  k.emit("ChannelStateRestored", task, channel, world.task(task, Task.restore), records, side);
  for (let i = 0; i < records; i++) {
    put(k, channel, ElementKind.record, words[2 * i] as number, words[2 * i + 1] as number);
    if (side === Side.output) continue;
    const last = world.channel(channel, Channel.length) - 1;
    world.setElement(channel, last, Element.arrival, k.now);
    if (k.decisions.recoveredGoesFirst()) world.advanceElement(channel, last, i);
  }
  if (side === Side.input) world.setChannel(channel, Channel.recovered, records);
}

/** The input channel that still has records of the restored checkpoint; `-1`: none has. */
export function recoveredChannel(k: Kernel, task: number): number {
  for (const channel of at(k.plan.graph.subtasks, task).inputs)
    if (k.world.channel(channel, Channel.recovered) > 0) return channel;
  return -1;
}
