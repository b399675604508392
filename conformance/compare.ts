/**
 * One scenario, run by the engine and by real Flink: everything logical must be the same. Durations are not compared,
 * nor how many records of a transaction that is aborted had reached the log.
 */
import type { Decisions } from "../src/engine/decisions.ts";
import { runScenario } from "../src/engine/run.ts";
import { traceEntry } from "../src/protocol/trace.ts";
import { scenarioFrom } from "../src/scenario/parse.ts";
import { type Line, type Recording, comparedTo, recoveriesOf, scenarioSource } from "./recording.ts";

/** A fact as the engine has it, and as the recording has it. */
export interface Fact {
  readonly about: string;
  readonly engine: unknown;
  readonly flink: unknown;
}

type Run = ReturnType<typeof runScenario>;

/** What keeps a scenario from being run by the engine; `null`: nothing. */
export function problemsOf(id: string, line: Line): string | null {
  const parsed = scenarioFrom({ ...scenarioSource(id), flink: line });
  return parsed.ok ? null : JSON.stringify(parsed.problems);
}

export function engineRun(id: string, line: Line, defects: Partial<Decisions> = {}): Run {
  const parsed = scenarioFrom({ ...scenarioSource(id), flink: line });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return runScenario(parsed.value, { defects });
}

/** A job that ended so has left what it was at. */
const ended: ReadonlySet<string> = new Set(["FAILED", "CANCELED"]);

export function factsOf(run: Run, recording: Recording): Fact[] {
  return [
    { about: "status", engine: run.report.job.status, flink: recording.status },
    checkpoints(run, recording),
    recoveries(run, recording),
    ...sinks(run, recording),
    ...verdict(run, recording),
    states(run, recording),
    ...orders(run, recording),
  ];
}

function checkpoints({ report }: Run, recording: Recording): Fact {
  const row = ({ id, kind, status, failure }: Recording["checkpoints"][number]): string =>
    `${kind} ${id} ${status} ${failure ?? ""}`.trim();
  return {
    about: "checkpoints",
    engine: report.checkpoints.map((each) => row({ ...each, persistedInFlight: false })),
    flink: recording.checkpoints.map(row),
  };
}

function recoveries({ report, graph }: Run, recording: Recording): Fact {
  const heads = new Set(graph.subtasks.map(({ name }) => name));
  const done = report.recoveries.filter(({ granted, restartedAt }) => granted && restartedAt !== null);
  return {
    about: "recoveries",
    engine: done.map(({ restarted, restoredFrom }) => ({
      restarted: restarted.toSorted(),
      restoredFrom: restoredFrom ?? 0,
    })),
    flink: recoveriesOf(recording, heads),
  };
}

function sinks(run: Run, recording: Recording): Fact[] {
  return recording.sinks.flatMap(({ sink, committed, uncommitted, transactions }) => {
    const readers = [
      ["read_committed", committed],
      ["read_uncommitted", uncommitted],
    ] as const;
    const seen = readers.map(([reader, records]): Fact => {
      const row = run.report.delivery.find((each) => each.sink === sink && each.reader === reader);
      if (row === undefined) throw new Error(`${sink} has no ${reader} reader`);
      const missing = [...row.lost, ...row.pending, ...row.unprocessed];
      const told = comparedTo([], records);
      // How much of a transaction that is aborted had reached the log is a matter of milliseconds.
      const dirty = reader === "read_uncommitted" && transactions.some(({ fate }) => fate === "ABORTED");
      const unread = dirty && ended.has(recording.status);
      return {
        about: `${sink} ${reader}`,
        engine: { missing: unread ? 0 : missing.length, doubled: dirty ? [] : row.duplicated.toSorted() },
        flink: { missing: unread ? 0 : row.expected - new Set(records).size, doubled: dirty ? [] : told.doubled },
      };
    });
    return [...seen, fates(run, sink, transactions)];
  });
}

/**
 * End to end, of a job that was not ended under way: whether records that were read are missing for good, or there twice,
 * for a committed reader; of one that stopped before it had read all, that cannot be told.
 */
function verdict({ report }: Run, recording: Recording): Fact[] {
  if (ended.has(recording.status)) return [];
  const read = new Set(recording.events.flatMap(({ type, record }) => (type === "RecordEmitted" ? [record] : [])));
  const told = recording.sinks.map(({ sink, committed }) => {
    const row = report.delivery.find((each) => each.sink === sink && each.reader === "read_committed");
    const expected = row?.expected ?? 0;
    const stopped = recording.status === "FINISHED" && read.size < expected;
    return {
      lost: (stopped ? read.size : expected) > new Set(committed).size,
      unread: stopped,
      doubled: comparedTo([], committed).doubled.length > 0,
    };
  });
  const lost = told.some((each) => each.lost);
  const doubled = told.some((each) => each.doubled);
  const unread = told.some((each) => each.unread);
  const whole = unread ? "pending" : "exactly-once";
  const word = lost ? (doubled ? "broken" : "at-most-once") : doubled ? "at-least-once" : whole;
  return [{ about: "verdict", engine: report.verdict.endToEnd, flink: word }];
}

/** Transactions that were committed, with how many records; of the others, that they were not. */
function fates({ report }: Run, sink: string, recorded: Recording["sinks"][number]["transactions"]): Fact {
  const own = report.transactions.filter((each) => each.sink.startsWith(`${sink}[`) && each.records > 0);
  return {
    about: `${sink} transactions`,
    engine: own
      .filter(({ state }) => state === "COMMITTED")
      .map(({ id, records }) => `${id}: ${records}`)
      .toSorted(),
    flink: recorded
      .filter(({ fate }) => fate === "COMMITTED")
      .map(({ id, records }) => `${id}: ${records.length}`)
      .toSorted(),
  };
}

function states({ report }: Run, recording: Recording): Fact {
  const doubled = (vertex: string): string[] =>
    comparedTo(
      [],
      Object.entries(recording.states).flatMap(([subtask, records]) =>
        subtask.startsWith(`${vertex}[`) ? records : [],
      ),
    ).doubled;
  return {
    about: "state counted twice",
    engine: report.state.map(({ vertex, duplicated }) => ({ vertex, doubled: duplicated.toSorted() })),
    flink: report.state.map(({ vertex }) => ({ vertex, doubled: doubled(vertex) })),
  };
}

/**
 * What each task did about checkpoints, in its order. What the other tasks still do about a checkpoint that ends with a
 * restart is open in Flink: its barrier and the message that it is aborted race with the cancellation
 * (`DefaultScheduler.restartTasksWithDelay`). Such a checkpoint is left out.
 */
function orders({ graph, log, report }: Run, recording: Recording): Fact[] {
  const open = new Set(
    report.checkpoints
      .filter(({ ended, status }) => status === "FAILED" && report.recoveries.some(({ at }) => at === ended))
      .map(({ id }) => String(id)),
  );
  const did = new Map<string, string[]>(graph.subtasks.map(({ name }) => [name, []]));
  for (let step = 0; step < log.length; step++) {
    const { type, subtask, checkpoint, kind } = traceEntry(graph, log, step) as {
      readonly type: string;
      readonly subtask?: string;
      readonly checkpoint?: number;
      readonly kind?: string;
    };
    if (type === "SnapshotTaken") did.get(subtask ?? "")?.push(`snapshot ${checkpoint}`);
    if (type === "NotificationDelivered" && kind !== "subsumed") did.get(subtask ?? "")?.push(`${kind} ${checkpoint}`);
  }
  return [...did].map(([name, engine]) => {
    const flink: string[] = [];
    for (const { type, subtask, part, checkpoint, kind } of recording.events) {
      if (subtask !== name || part === "writer") continue;
      if (type === "SnapshotTaken") flink.push(`snapshot ${checkpoint}`);
      if (type === "NotificationDelivered") flink.push(`${kind} ${checkpoint}`);
    }
    const told = (each: string): boolean => !open.has(each.slice(each.indexOf(" ") + 1));
    return { about: `order at ${name}`, engine: engine.filter(told), flink: flink.filter(told) };
  });
}
