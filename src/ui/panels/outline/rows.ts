/**
 * The rows of the outline at one moment: the same as the picture, in words. Operators, under them their subtasks, under
 * each subtask the channels that leave it; around them the JobManager, the machines, both sides' partitions, the storage.
 */
import { at } from "../../../base/assert.ts";
import { partOf } from "../../../projection/checkpoints.ts";
import { transactionName } from "../../../protocol/ids.ts";
import type { Stop } from "../../../view/stage/elements.ts";
import type { enOutline } from "../../text/en-outline.ts";
import type { Moment } from "../../use-view.ts";

type Words = typeof enOutline;

export interface OutlineRow {
  /** Its place by names: the same after a restart. */
  readonly path: string;
  readonly level: 1 | 2 | 3;
  /** Whether what is under it is shown; `null`: nothing is under it. */
  readonly open: boolean | null;
  /** `null`: a group. */
  readonly stop: Stop | null;
  readonly name: string;
  readonly state: string;
  readonly checkpoint: string;
  readonly input: string;
  readonly output: string;
  readonly transaction: string;
}

type Cells = Omit<OutlineRow, "path" | "level" | "open" | "stop" | "name">;

const nothing: Cells = { state: "", checkpoint: "", input: "", output: "", transaction: "" };

/** `isOpen`: by path. */
export function outlineRows(moment: Moment, isOpen: (path: string) => boolean, words: Words): OutlineRow[] {
  return [
    jobManagerRow(moment, words),
    ...group("sources", words.groups.sources, inputRows(moment, words), isOpen),
    ...moment.graph.vertices.flatMap((vertex) => vertexRows(moment, vertex.index, isOpen, words)),
    ...group("outside", words.groups.outside, outputRows(moment, words), isOpen),
    ...group("machines", words.groups.machines, machineRows(moment, words), isOpen),
    storageRow(moment, words),
  ];
}

function group(
  path: string,
  name: string,
  rows: readonly OutlineRow[],
  isOpen: (path: string) => boolean,
): readonly OutlineRow[] {
  if (rows.length === 0) return [];
  const open = isOpen(path);
  const head: OutlineRow = { ...nothing, path, level: 1, open, stop: null, name: `${name} (${rows.length})` };
  return open ? [head, ...rows] : [head];
}

/** The oldest checkpoint that is under way. */
function pendingOf({ view }: Moment): number | undefined {
  return view.coordinator.pending[0];
}

function jobManagerRow(moment: Moment, words: Words): OutlineRow {
  const { job, coordinator, checkpoints } = moment.view;
  const pending = checkpoints.find(({ id }) => id === pendingOf(moment));
  return {
    ...nothing,
    path: "jobManager",
    level: 1,
    open: null,
    stop: { kind: "jobManager", id: 0 },
    name: "JobManager",
    state: job.led ? job.status : words.gone,
    checkpoint:
      pending === undefined
        ? coordinator.completed.length === 0
          ? ""
          : words.completed(coordinator.completed)
        : words.acknowledged(pending.id, pending.acknowledged, pending.parts.length),
  };
}

function vertexRows(moment: Moment, id: number, isOpen: (path: string) => boolean, words: Words): OutlineRow[] {
  const { graph } = moment;
  const { uid, name, subtasks } = at(graph.vertices, id);
  const path = `vertex:${uid}`;
  const open = isOpen(path);
  const head: OutlineRow = {
    path,
    level: 1,
    open,
    stop: { kind: "vertex", id },
    name,
    state: words.states(countsBy(subtasks, (subtask) => at(moment.view.subtasks, subtask).state)),
    checkpoint: acknowledgedIn(moment, subtasks, words),
    input: fillOf(
      moment,
      subtasks.flatMap((subtask) => at(graph.subtasks, subtask).inputs),
      words,
    ),
    output: fillOf(
      moment,
      subtasks.flatMap((subtask) => at(graph.subtasks, subtask).outputs),
      words,
    ),
    transaction: undecidedOf(moment, subtasks, words),
  };
  return open ? [head, ...subtasks.flatMap((subtask) => subtaskRows(moment, subtask, isOpen, words))] : [head];
}

function countsBy(ids: readonly number[], of: (id: number) => string): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(of(id), (counts.get(of(id)) ?? 0) + 1);
  return [...counts];
}

function acknowledgedIn(moment: Moment, subtasks: readonly number[], words: Words): string {
  const pending = pendingOf(moment);
  if (pending === undefined) return "";
  const done = subtasks.filter((subtask) => (partOf(moment.view, pending, subtask)?.acknowledgedAt ?? -1) >= 0);
  return words.acknowledged(pending, done.length, subtasks.length);
}

function fillOf({ graph, view }: Moment, channels: readonly number[], words: Words): string {
  if (channels.length === 0) return "";
  let used = 0;
  let capacity = 0;
  let blocked = 0;
  for (const id of channels) {
    const channel = at(view.channels, id);
    used += channel.fill;
    capacity += at(graph.edges, at(graph.channels, id).edge).capacity;
    if (channel.blocked >= 0) blocked++;
  }
  const fill = words.fill(used, capacity);
  return blocked === 0 ? fill : words.blocked(fill, blocked);
}

function undecidedOf({ view }: Moment, subtasks: readonly number[], words: Words): string {
  const own = view.undecided.filter((place) => subtasks.includes(at(view.transactions, place).subtask));
  return countsBy(own, (place) => at(view.transactions, place).state)
    .map(([state, count]) => words.transactions(count, state))
    .join(", ");
}

function subtaskRows(moment: Moment, id: number, isOpen: (path: string) => boolean, words: Words): OutlineRow[] {
  const { graph, view } = moment;
  const { name, inputs, outputs } = at(graph.subtasks, id);
  const { state, stalled } = at(view.subtasks, id);
  const path = `subtask:${name}`;
  const open = outputs.length === 0 ? null : isOpen(path);
  const row: OutlineRow = {
    path,
    level: 2,
    open,
    stop: { kind: "subtask", id },
    name,
    state: stalled === null ? state : words.stalled(state),
    checkpoint: partWords(moment, id, words),
    input: fillOf(moment, inputs, words),
    output: fillOf(moment, outputs, words),
    transaction: transactionsOf(moment, id, words),
  };
  return open === true ? [row, ...outputs.map((channel) => channelRow(moment, channel, words))] : [row];
}

/** How far it is with the oldest pending checkpoint. */
function partWords(moment: Moment, id: number, words: Words): string {
  const pending = pendingOf(moment);
  if (pending === undefined) return "";
  const { graph, view } = moment;
  const { handler } = at(view.subtasks, id);
  const part = partOf(view, pending, id);
  const collecting = handler.state === "COLLECTING" || handler.state === "COLLECTING_UNALIGNED";
  if (part !== null && part.startedAt >= 0 && part.takenAt < 0) return words.phases.freezing(pending);
  if (collecting && handler.checkpoint === pending)
    return words.phases.aligning(pending, handler.aligned.length, at(graph.subtasks, id).inputs.length);
  return words.phases[part?.state ?? "NONE"](pending);
}

/** Those that are not decided; where there are none, the newest. */
function transactionsOf({ graph, view }: Moment, id: number, words: Words): string {
  const own = view.undecided.filter((place) => at(view.transactions, place).subtask === id);
  const newest = view.transactions.findLastIndex(({ subtask }) => subtask === id);
  const shown = own.length === 0 && newest >= 0 ? [newest] : own;
  return shown
    .map((place) => {
      const { number, state } = at(view.transactions, place);
      return words.one(transactionName(graph, number), state);
    })
    .join(", ");
}

function channelRow({ graph, view }: Moment, id: number, words: Words): OutlineRow {
  const channel = at(graph.channels, id);
  const { fill, blocked } = at(view.channels, id);
  return {
    ...nothing,
    path: `channel:${channel.name}`,
    level: 3,
    open: null,
    stop: { kind: "channel", id },
    name: words.channel(at(graph.subtasks, channel.to).name),
    state: blocked < 0 ? words.open : words.blockedBy(blocked),
    output: words.fill(fill, at(graph.edges, channel.edge).capacity),
  };
}

function inputRows({ graph, view }: Moment, words: Words): OutlineRow[] {
  return graph.inputs.map(({ name }, id) => {
    const reader = view.inputs.find(({ partition }) => partition === id);
    return {
      ...nothing,
      path: `input:${name}`,
      level: 2,
      open: null,
      stop: { kind: "input", id },
      name,
      state: reader === undefined ? "" : words.readTo(reader.position),
      checkpoint: reader === undefined || reader.checkpointed < 0 ? "" : words.rewindTo(reader.checkpointed),
    };
  });
}

function outputRows({ graph, view }: Moment, words: Words): OutlineRow[] {
  return graph.outputs.map(({ name }, id) => {
    const { length, lastStableOffset, ongoing } = at(view.outputs, id);
    return {
      ...nothing,
      path: `output:${name}`,
      level: 2,
      open: null,
      stop: { kind: "output", id },
      name,
      state: words.entries(length),
      output: words.stable(lastStableOffset),
      transaction: ongoing
        .map(({ transaction }) => transactionName(graph, at(view.transactions, transaction).number))
        .join(", "),
    };
  });
}

function machineRows({ graph, view }: Moment, words: Words): OutlineRow[] {
  return graph.taskManagers.map((name, id) => ({
    ...nothing,
    path: `taskManager:${name}`,
    level: 2,
    open: null,
    stop: { kind: "taskManager", id },
    name,
    state: at(view.taskManagers, id).alive ? words.running : words.gone,
    input: at(view.taskManagers, id)
      .subtasks.map((subtask) => at(graph.subtasks, subtask).name)
      .join(", "),
  }));
}

function storageRow({ shelf }: Moment, words: Words): OutlineRow {
  const kept = shelf.filter(({ deletedAt }) => deletedAt < 0).map(({ checkpoint }) => checkpoint);
  return {
    ...nothing,
    path: "storage",
    level: 1,
    open: null,
    stop: { kind: "storage", id: 0 },
    name: "Checkpoint storage",
    checkpoint: kept.length === 0 ? "" : words.completed(kept),
  };
}
