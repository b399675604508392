/**
 * What it takes to start the job from a cut through the space-time picture (X-03; `engine/restore-cut.ts`): the places at
 * which subtasks can give their parts, the command that asks for it, and why it would be refused. A subtask gives its part
 * between two records, so a place in the midst of one moves on to its end: that takes no further message in, so what was
 * consistent is so still.
 */
import { at } from "../base/assert.ts";
import { EventNumber, type EventType, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph, Subtask } from "../protocol/execution-graph.ts";
import { commitsApart, hasGlobalCommitter } from "../protocol/sinks.ts";
import type { EventLog } from "../protocol/log.ts";
import { subtaskPlaceOf } from "../protocol/processes.ts";
import type { CutRefusal } from "../protocol/reasons.ts";
import type { Command } from "../scenario/scenario.ts";
import { executionStates, places } from "./fields.ts";
import { type Cut, type Message, lastUnheard } from "./global-cuts.ts";
import type { SpaceTime } from "./space-time.ts";

/** Entries that a subtask's thread makes of the record in hand. */
const going: ReadonlySet<EventType> = new Set<EventType>(["RecordProcessed", "RecordSent", "DuplicateDropped"]);
const isGoing: readonly boolean[] = eventTypes.map((type) => going.has(type));

/** The place of one subtask, or of the log. */
interface Place {
  readonly name: string;
  /** Its last entry in front of the cut, and its first one behind it; `-1` and `Infinity`: there is none. */
  readonly last: number;
  readonly next: number;
  /** So many of its entries lie in front of the cut from a step on. */
  readonly since: (step: number) => number;
}

/** A cut as the engine takes it. */
export interface DrawnCut {
  /** With its places settled. */
  readonly cut: Cut;
  /** The command acts before this entry would come, and waits for the last of the entries in front of the cut. */
  readonly step: number;
  readonly last: number;
  readonly command: Command;
  /** Why it would be refused, and whose place is the reason; `null`: it will not be. */
  readonly obstacle: { readonly reason: CutRefusal | "DISTURBED"; readonly subtask: string | null } | null;
}

/** The cut with each subtask's place moved on to the end of what it has in hand there. */
export function settledCut(space: SpaceTime, log: EventLog, graph: ExecutionGraph, cut: Cut): Cut {
  const settled = [...cut];
  for (const subtask of graph.subtasks) {
    const line = space.lineOfSubtask(subtask.name);
    const own = entriesOf(space, log, line, subtask);
    let place = own.findLastIndex((step) => step <= at(cut, line));
    if (place < 0) continue;
    for (let next = place + 1; next < own.length && !beginsAnew(space, log, at(own, next)); next++)
      if (isGoing[log.type(at(own, next))] === true) place = next;
    settled[line] = Math.max(at(settled, line), at(own, place));
  }
  return settled;
}

/** Has a thread that makes this entry no record in hand before it? */
function beginsAnew(space: SpaceTime, log: EventLog, step: number): boolean {
  return space.senderOf(step) >= 0 || log.type(step) === EventNumber.RecordEmitted;
}

/** The entries of a subtask on its lifeline, which others of its operator may share. */
function entriesOf(space: SpaceTime, log: EventLog, line: number, { name, index }: Subtask): readonly number[] {
  const { events, name: shared } = at(space.lifelines, line);
  return shared === name ? events : events.filter((step) => log.field(step, subtaskPlaceOf(log.type(step))) === index);
}

/** What the engine is to be asked for, to start the job from a cut; its places are settled. */
export function drawnCut(space: SpaceTime, log: EventLog, graph: ExecutionGraph, cut: Cut): DrawnCut {
  const settled = settledCut(space, log, graph, cut);
  const found = graph.subtasks.map((subtask) => {
    const line = space.lineOfSubtask(subtask.name);
    return placeIn(subtask.name, entriesOf(space, log, line, subtask), at(settled, line));
  });
  const ofLog = space.lifelines.findIndex(({ kind }) => kind === "log");
  const outside = ofLog < 0 ? [] : [placeIn("log", at(space.lifelines, ofLog).events, at(settled, ofLog))];
  const all = [...found, ...outside];
  const step = Math.min(log.length, ...all.map(({ next }) => next));
  const last = Math.max(step - 1, ...all.map((place) => place.last));
  const entries = all.map(({ name, since }) => [name, since(step)] as const).filter(([, count]) => count > 0);
  const command: Command = {
    do: "restore-cut",
    target: null,
    rpc: null,
    checkpoint: null,
    count: 1,
    for: null,
    cut: Object.fromEntries(entries),
    from: "cut",
  };
  return { cut: settled, step, last, command, obstacle: obstacleOf(log, graph, found, step, last) };
}

function placeIn(name: string, own: readonly number[], cut: number): Place {
  const place = own.findLastIndex((step) => step <= cut);
  const since = (step: number): number => own.filter((each, index) => each >= step && index <= place).length;
  return { name, last: own[place] ?? -1, next: own[place + 1] ?? Infinity, since };
}

const changed = places("TaskStateChanged");
const RUNNING = executionStates.indexOf("RUNNING");

function obstacleOf(
  log: EventLog,
  graph: ExecutionGraph,
  found: readonly Place[],
  step: number,
  last: number,
): DrawnCut["obstacle"] {
  const of = (subtask: number): string | null => graph.subtasks[subtask]?.name ?? null;
  if (graph.edges.some(({ exchange }) => exchange === "BLOCKING"))
    return { reason: "BLOCKING_EXCHANGE", subtask: null };
  const bad = graph.operators.find(
    ({ vertex }) => unsupported.has(vertex.type) || commitsApart(vertex) || hasGlobalCommitter(vertex),
  );
  if (bad !== undefined)
    return { reason: "SINK_NOT_SUPPORTED", subtask: of(at(at(graph.vertices, bad.taskVertex).subtasks, 0)) };
  const running = new Set<number>();
  const ended = new Set<number>();
  for (let each = 0; each <= last && each < log.length; each++) {
    const type = log.type(each);
    const subtask = log.field(each, Math.max(0, subtaskPlaceOf(type)));
    if (type === EventNumber.TaskStateChanged && each < step) {
      if (log.field(each, changed.to) === RUNNING) running.add(subtask);
      else running.delete(subtask);
    } else if (type === EventNumber.OperatorsFinished && each <= (found[subtask]?.last ?? -1)) ended.add(subtask);
    else if (each >= step && (type === EventNumber.TaskStopped || type === EventNumber.LeadershipLost))
      return { reason: "RESTARTED", subtask: type === EventNumber.TaskStopped ? of(subtask) : null };
    else if (each >= step && type === EventNumber.FaultInjected) return { reason: "DISTURBED", subtask: null };
  }
  const absent = graph.subtasks.find(({ index }) => !running.has(index));
  if (absent !== undefined) return { reason: "NOT_RUNNING", subtask: absent.name };
  const [first] = ended;
  return first === undefined ? null : { reason: "DATA_ENDED", subtask: of(first) };
}

const unsupported: ReadonlySet<string> = new Set(["naive-sink", "file-sink", "write-ahead-log-sink", "committer"]);

const received = places("RecordReceived");
const written = places("RecordWritten");

/** The record that a message carries to a subtask or to the log; `-1`: it carries none. */
export function recordOf(log: EventLog, { received: step }: Message): number {
  const type = log.type(step);
  if (type === EventNumber.RecordReceived) return log.field(step, received.record);
  return type === EventNumber.RecordWritten ? log.field(step, written.record) : -1;
}

const part = places("CutPartTaken");

/**
 * The cut that a job was started from, by what its subtasks say of their parts; `null`: none was. The log is told as far as
 * it was written by then, the JobManager and the storage, of which the cut has nothing, as far as they had not heard of more.
 */
export function takenCut(space: SpaceTime, log: EventLog, graphAt: (step: number) => ExecutionGraph): Cut | null {
  const last = lastOf(log);
  if (last < 0) return null;
  const cut = space.lifelines.map(({ events }) => events.findLast((step) => step < last) ?? -1);
  for (const subtask of graphAt(last).subtasks) cut[space.lineOfSubtask(subtask.name)] = -1;
  for (let step = last; step >= 0 && log.type(step) === EventNumber.CutPartTaken; step--) {
    const line = space.lineOfSubtask(at(graphAt(step).subtasks, log.field(step, part.subtask)).name);
    const own = at(space.lifelines, line).events.findLast((each) => each <= log.field(step, part.behind));
    cut[line] = Math.max(at(cut, line), own ?? -1);
  }
  return cut.map((step, line) => {
    const { kind } = at(space.lifelines, line);
    return kind === "jobManager" || kind === "storage" ? Math.min(step, lastUnheard(space, cut, line)) : step;
  });
}

function lastOf(log: EventLog): number {
  for (let step = log.length - 1; step >= 0; step--) if (log.type(step) === EventNumber.CutPartTaken) return step;
  return -1;
}
