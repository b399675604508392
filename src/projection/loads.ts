/**
 * How threads spend their time, over a trailing window (`TaskIOMetricGroup`, `TimerGauge`; `StreamTask.processInput`): a
 * thread with something in hand is busy; one with nothing in hand that could not send is backpressured, whether or not
 * there is input; the rest of its time it is idle. Like Flink's gauge, time is summed in buckets, and what is told are the
 * whole ones of one window: figures are renewed with each bucket, not with each entry. Flink's window is a minute; here it
 * is a second, since runs are short. Only what is RUNNING is measured. Left out: a source that is cut off from Kafka.
 */
import { at } from "../base/assert.ts";
import { readableAt } from "./input-log.ts";
import { type EventType, EventNumber, eventTypes, events } from "../protocol/events.ts";
import type { FieldKind } from "../protocol/field-kinds.ts";
import type { EventLog } from "../protocol/log.ts";
import { type LoadKind, type LoadView, loadKinds } from "./load-view.ts";
import { ownSubtask } from "./own.ts";
import type { RunView, SubtaskView } from "./views.ts";

/** Those of a window, and the one that is being filled. */
const BUCKETS = 10 + 1;
/** Milliseconds of a bucket. */
const WIDTH = 100;
const KINDS = loadKinds.length;

/** Milliseconds, of those in the window in which the thread ran. */
export interface Load {
  readonly busy: number;
  readonly backpressured: number;
  readonly idle: number;
}

export function noLoad(): LoadView {
  return { kind: null, since: 0, until: Infinity, after: "idle", spent: new Float64Array(BUCKETS * KINDS) };
}

/** The ten whole buckets before the view's clock, or as many as there are. */
export function loadOf(view: RunView, subtask: number): Load {
  const { load } = at(view.subtasks, subtask);
  const copy = { ...load, spent: load.spent.slice() };
  spendUntil(copy, view.clock);
  // At the very begin of a bucket its place still holds the one that has left the window.
  const current = Math.floor(view.clock / WIDTH) % BUCKETS;
  const sum = (kind: number): number => {
    let total = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++)
      if (bucket !== current) total += copy.spent[bucket * KINDS + kind] as number;
    return total;
  };
  return { busy: sum(0), backpressured: sum(1), idle: sum(2) };
}

const placeOf = (type: EventType, kind: FieldKind): number =>
  Object.values(events[type].fields as Record<string, FieldKind>).indexOf(kind);
const subtaskPlaces = eventTypes.map((type) => placeOf(type, "subtask"));
const channelPlaces = eventTypes.map((type) => placeOf(type, "channel"));
/** Their subtask's thread does nothing else because of them. */
const remote: ReadonlySet<number> = new Set(
  (["CheckpointAcknowledged", "AcknowledgementDiscarded", "SnapshotPersisted", "CheckpointFileWritten"] as const).map(
    (type) => EventNumber[type],
  ),
);

/** Runs behind all else that an entry means. */
export function noteLoads(view: RunView, log: EventLog, step: number, clock: number): void {
  const type = log.type(step);
  const place = subtaskPlaces[type] as number;
  if (place < 0 || remote.has(type)) return;
  const subtask = log.field(step, place);
  if (subtask < 0) return;
  // A record that is sent only matters where it takes the last buffer.
  if (type === EventNumber.RecordSent && !isFull(view, log.field(step, channelPlaces[type] as number))) return;
  note(view, subtask, clock);
  if (type === EventNumber.RecordReceived)
    note(view, senderOf(view, log.field(step, channelPlaces[type] as number)), clock);
  if (type === EventNumber.AttemptCreated || type === EventNumber.TaskStopped)
    for (const channel of at(view.shared.graph.subtasks, subtask).inputs) note(view, senderOf(view, channel), clock);
}

function senderOf(view: RunView, channel: number): number {
  return at(view.shared.graph.channels, channel).from;
}

/** Every buffer of the channel is in use. */
function isFull(view: RunView, channel: number): boolean {
  const { capacity } = at(view.shared.graph.edges, at(view.shared.graph.channels, channel).edge);
  return at(view.channels, channel).fill >= capacity;
}

function note(view: RunView, subtask: number, clock: number): void {
  const before = at(view.subtasks, subtask);
  const now = doing(view, subtask, before, clock);
  const { load } = before;
  if (now.kind === load.kind && now.until === load.until && now.after === load.after) return;
  const own = ownSubtask(view, subtask).load;
  spendUntil(own, clock);
  Object.assign(own, now);
}

type Doing = Pick<LoadView, "kind" | "until" | "after">;
const forGood = (kind: LoadKind | null): Doing => ({ kind, until: Infinity, after: "idle" });
const nothing = forGood(null);
const busy = forGood("busy");
const backpressured = forGood("backpressured");
const idle = forGood("idle");

/** What a thread does. A stalled one has something in hand, as far as Flink's gauge knows. */
function doing(view: RunView, subtask: number, node: SubtaskView, clock: number): Doing {
  const { thread, state, stalled, work } = node;
  if (thread !== "running" || state !== "RUNNING") return nothing;
  if (stalled === null && work !== null && work.kind !== "commit") return busy;
  const rest = at(view.shared.graph.subtasks, subtask).outputs.some((channel) => isFull(view, channel))
    ? backpressured
    : idle;
  if (stalled !== null) {
    const after = work === null ? (rest.kind as LoadKind) : "busy";
    return { kind: "busy", until: stalled.until < 0 ? Infinity : stalled.until, after };
  }
  if (work !== null && work.until > clock) return { kind: "busy", until: work.until, after: rest.kind as LoadKind };
  return rest === idle ? reading(view, subtask, node, clock) : rest;
}

/** That a source has begun with a record is no entry: it does as soon as the record is there. */
function reading(view: RunView, subtask: number, { held }: SubtaskView, clock: number): Doing {
  const splits = at(view.shared.splits, subtask);
  if (splits.length === 0 || at(view.shared.cost, subtask) === 0) return idle;
  let next = Infinity;
  splits.forEach((partition, split) => {
    next = Math.min(next, readableAt(view, subtask, partition, at(held.positions, split)));
  });
  return next <= clock ? busy : { kind: "idle", until: next, after: "busy" };
}

/** Writes down what it has done up to `clock`. */
function spendUntil(load: LoadView, clock: number): void {
  const turn = Math.min(Math.max(load.until, load.since), clock);
  spend(load.spent, load.kind, load.since, turn);
  spend(load.spent, load.after, turn, clock);
  load.since = clock;
}

function spend(spent: Float64Array, kind: LoadKind | null, from: number, to: number): void {
  // What is older than the window is left out, and every bucket is empty when it begins.
  let clock = Math.max(from, (Math.ceil(to / WIDTH) - BUCKETS) * WIDTH);
  while (clock < to) {
    const bucket = Math.floor(clock / WIDTH);
    const first = (bucket % BUCKETS) * KINDS;
    const end = Math.min(to, (bucket + 1) * WIDTH);
    if (clock === bucket * WIDTH) spent.fill(0, first, first + KINDS);
    if (kind !== null)
      spent[first + loadKinds.indexOf(kind)] = (spent[first + loadKinds.indexOf(kind)] as number) + end - clock;
    clock = end;
  }
}
