/** What must come before what: at each task, between the tasks of a restart, and between coordinators and tasks. */
import { EventNumber, type EventType } from "../src/protocol/events.ts";
import { traceEntry } from "../src/protocol/trace.ts";
import type { Fact, Run } from "./compare.ts";
import { type Recording, leftOpen } from "./recording.ts";
import { offsetOf, partitionOf } from "./scenario-input.ts";

/** An entry of the engine's trace, or an event of a recording. */
interface Entry {
  readonly type: string;
  readonly subtask?: string;
  readonly vertex?: string;
  readonly operator?: string;
  readonly checkpoint?: number;
  readonly kind?: string;
  readonly attempt?: number;
  readonly record?: string;
  readonly partition?: string;
  readonly position?: number;
  readonly to?: string;
}

const looked: readonly EventType[] = [
  "AttemptCreated",
  "CoordinatorSnapshotTaken",
  "NotificationDelivered",
  "RecordProcessed",
  "RestoredAsFinished",
  "SnapshotTaken",
  "SplitAdded",
  "StateRestored",
  "TaskStateChanged",
];
const lookedAt = new Set(looked.map((type) => EventNumber[type]));

/** The entries that are looked at here. What does not apply is `null` in the trace, and left out in a recording. */
function traceOf({ graph, log }: Run): Entry[] {
  const entries: Entry[] = [];
  for (let step = 0; step < log.length; step++) {
    if (!lookedAt.has(log.type(step))) continue;
    const { type, ...fields } = traceEntry(graph, log, step);
    const told = Object.entries(fields).filter(([, value]) => value !== null);
    entries.push({ type, ...Object.fromEntries(told) });
  }
  return entries;
}

export function orderFacts(run: Run, recording: Recording): Fact[] {
  const trace = traceOf(run);
  return [
    attempts(trace, run, recording),
    ...orders(trace, run, recording),
    both("records out of order", trace, recording, turned),
    both("recovered records behind new ones", trace, recording, recoveredLate),
    outlived(trace, recording),
    coordinators(trace, run, recording),
  ];
}

function both(
  about: string,
  trace: Entry[],
  { events }: Recording,
  told: (entries: readonly Entry[]) => string[],
): Fact {
  return { about, engine: told(trace), flink: told(events) };
}

/** The number of each subtask's last attempt. A new leader counts anew in Flink; the engine counts on. */
function attempts(trace: readonly Entry[], { graph }: Run, recording: Recording): Fact {
  if (recording.events.some(({ type }) => type === "LeadershipLost"))
    return { about: "attempts", engine: null, flink: null };
  const last = new Map<string, number>();
  for (const { type, subtask = "", attempt = 0 } of trace) if (type === "AttemptCreated") last.set(subtask, attempt);
  const heads = graph.subtasks.map(({ name }) => name);
  return {
    about: "attempts",
    engine: heads.map((name) => `${name}: ${last.get(name) ?? 0}`),
    flink: heads.map((name) => `${name}: ${recording.attempts[name] ?? -1}`),
  };
}

/**
 * What each task did about checkpoints, in its order. What the other tasks still do about a checkpoint that ends with a
 * restart is open in Flink: its barrier and the message that it is aborted race with the cancellation
 * (`DefaultScheduler.restartTasksWithDelay`). Such a checkpoint is left out. A task that is restored as finished has no
 * operator that is told of anything (`FinishedOperatorChain`).
 */
function orders(trace: readonly Entry[], { graph, report }: Run, recording: Recording): Fact[] {
  const withRestart = report.checkpoints.filter(
    ({ ended, status, failure }) =>
      status === "FAILED" && (failure === null || report.recoveries.some(({ at }) => at === ended)),
  );
  const ended = leftOpen(recording.status, [...recording.checkpoints, ...report.checkpoints]);
  const open = new Set([...withRestart.map(({ id }) => id), ...ended].map(String));
  const did = new Map<string, string[]>(graph.subtasks.map(({ name }) => [name, []]));
  const finished = new Set<string>();
  for (const { type, subtask = "", checkpoint, kind } of trace) {
    if (type === "RestoredAsFinished") finished.add(subtask);
    if (type === "StateRestored") finished.delete(subtask);
    if (finished.has(subtask)) continue;
    if (type === "SnapshotTaken") did.get(subtask)?.push(`snapshot ${checkpoint}`);
    if (type === "NotificationDelivered" && kind !== "subsumed") did.get(subtask)?.push(`${kind} ${checkpoint}`);
  }
  return [...did].map(([name, engine]) => {
    const flink: string[] = [];
    // A committer whose commit failed has been told all the same; then only the writer's half says so.
    let failed = "";
    for (const { type, subtask, part, checkpoint, kind, error = "" } of recording.events) {
      if (subtask !== name) continue;
      if (type === "TransactionCommitRequested") failed = error;
      if (part === "writer" && failed === "") continue;
      if (type === "SnapshotTaken") flink.push(`snapshot ${checkpoint}`);
      if (type === "NotificationDelivered") {
        flink.push(`${kind} ${checkpoint}`);
        failed = "";
      }
    }
    const told = (each: string): boolean => !open.has(each.slice(each.indexOf(" ") + 1));
    return { about: `order at ${name}`, engine: engine.filter(told), flink: flink.filter(told) };
  });
}

/** How an attempt begins: the engine restores nothing where there is nothing to restore. */
const begins = new Set(["AttemptCreated", "StateRestored"]);

/** Records of one partition that one attempt of a subtask processed behind a later one. */
function turned(entries: readonly Entry[]): string[] {
  const newest = new Map<string, number>();
  const found: string[] = [];
  for (const { type, subtask = "", record = "" } of entries) {
    if (begins.has(type)) for (const key of newest.keys()) if (key.startsWith(`${subtask} `)) newest.delete(key);
    if (type !== "RecordProcessed") continue;
    const key = `${subtask} ${partitionOf(record)}`;
    if (offsetOf(record) <= (newest.get(key) ?? -1)) found.push(`${record} at ${subtask}`);
    newest.set(key, offsetOf(record));
  }
  return found;
}

/** Records from the channel state that the last attempt of a subtask processed behind one that its source read anew. */
function recoveredLate(entries: readonly Entry[]): string[] {
  const positions = new Map<string, number>();
  const processed = new Map<string, string[]>();
  for (const { type, subtask = "", record = "", partition = "", position = 0 } of entries) {
    if (type === "SplitAdded") positions.set(partition, position);
    if (begins.has(type)) processed.set(subtask, []);
    if (type === "RecordProcessed") processed.get(subtask)?.push(record);
  }
  const isNew = (record: string): boolean => offsetOf(record) >= (positions.get(partitionOf(record)) ?? 0);
  return [...processed].flatMap(([subtask, records]) => {
    const first = records.findIndex(isNew);
    return first < 0 ? [] : records.slice(first).flatMap((each) => (isNew(each) ? [] : [`${each} at ${subtask}`]));
  });
}

/** States in which an execution is over, as the JobManager has it. */
const terminal = new Set(["CANCELED", "FAILED", "FINISHED"]);

/**
 * Subtasks that were there before a restart and still when one of the restarted was given its state: none may be, unless
 * they are of a region that does not restart (FR-080).
 */
function outlived(trace: readonly Entry[], { events }: Recording): Fact {
  const told = (entries: readonly Entry[], ends: (each: Entry) => boolean): string[] => {
    const began = new Map<string, number>();
    const stopped = new Map<string, number>();
    const over = new Map<string, string[]>();
    const found: string[] = [];
    for (const [index, each] of entries.entries()) {
      const { type, subtask = "" } = each;
      if (ends(each)) {
        for (const restarted of over.get(subtask) ?? []) found.push(`${subtask} over ${restarted}`);
        over.delete(subtask);
        began.delete(subtask);
        stopped.set(subtask, index);
      }
      if (type !== "StateRestored") continue;
      // What came up in the same restart came up behind the end of the attempt before.
      for (const [other, since] of began)
        if (since < (stopped.get(subtask) ?? -1)) over.set(other, [...(over.get(other) ?? []), subtask]);
      if (began.has(subtask)) found.push(`${subtask} over itself`);
      began.set(subtask, index);
    }
    return found.toSorted();
  };
  return {
    about: "outlived a restart",
    engine: told(trace, ({ to = "" }) => terminal.has(to)),
    flink: told(
      events.filter(({ part }) => part !== "writer"),
      ({ type }) => type === "Operator-close",
    ),
  };
}

/** Snapshots that a source took before its coordinator had taken its own (`CheckpointCoordinator.startTriggeringCheckpoint`). */
function coordinators(trace: readonly Entry[], run: Run, recording: Recording): Fact {
  const sources = new Set(
    run.graph.operators.flatMap(({ vertex }) => (vertex.type === "kafka-source" ? [vertex.uid] : [])),
  );
  const early = (entries: readonly Entry[], told: string): string[] => {
    const done = new Set<string>();
    const found: string[] = [];
    for (const { type, subtask = "", vertex, operator, checkpoint } of entries) {
      if (type === told) done.add(`${vertex ?? operator} ${checkpoint}`);
      const own = subtask.slice(0, subtask.indexOf("["));
      const isEarly = type === "SnapshotTaken" && sources.has(own) && !done.has(`${own} ${checkpoint}`);
      if (isEarly) found.push(`${checkpoint} at ${subtask}`);
    }
    return found;
  };
  return {
    about: "snapshots before their coordinator's",
    engine: early(trace, "CoordinatorSnapshotTaken"),
    flink: early(recording.events, "CoordinatorCheckpointed"),
  };
}
