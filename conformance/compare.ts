/**
 * One scenario, run by the engine and by real Flink: everything logical must be the same. Durations are not compared,
 * nor how many records of a transaction that is aborted had reached the log.
 */
import type { Decisions } from "../src/engine/decisions.ts";
import { runScenario } from "../src/engine/run.ts";
import { scenarioFrom } from "../src/scenario/parse.ts";
import { orderFacts } from "./compare-order.ts";
import { isPaced, pace } from "./pacing.ts";
import { type Line, type Recording, doubledIn, leftOpen, recoveriesOf, scenarioSource } from "./recording.ts";
import { endsByTime, inputOf, positionsOf, topicsInto } from "./scenario-input.ts";

/** A fact as the engine has it, and as the recording has it. */
export interface Fact {
  readonly about: string;
  readonly engine: unknown;
  readonly flink: unknown;
}

export type Run = ReturnType<typeof runScenario>;

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
  const status = { about: "status", engine: run.report.job.status, flink: recording.status };
  if (isPaced(recording.scenario)) return [status, pace(run, recording)];
  return [
    status,
    checkpoints(run, recording),
    pendingAtTrigger(run, recording),
    retained(run, recording),
    refusals(run, recording),
    recoveries(run, recording),
    ...sinks(run, recording),
    verdict(run, recording),
    states(run, recording),
    ...orderFacts(run, recording),
  ];
}

/**
 * A checkpoint whose leader is lost has no end in any statistics, or was not seen there at all: it is COMPLETED if the
 * store has it. The engine's report calls the others FAILED, without a reason.
 */
function checkpoints({ report }: Run, recording: Recording): Fact {
  const told = (type: string): Set<number> =>
    new Set(recording.events.flatMap((each) => (each.type === type ? [each.checkpoint ?? 0] : [])));
  const stored = told("CheckpointCompleted");
  const lost = [...told("CoordinatorCheckpointed")].filter((id) =>
    recording.checkpoints.every((each) => each.id !== id),
  );
  const row = ({ id, kind, failure, unaligned }: Row, status: string): string =>
    [kind, id, status, failure ?? "", unaligned ? "unaligned" : ""].join(" ").trim();
  const unseen = { kind: "CHECKPOINT", failure: null, unaligned: false, status: "IN_PROGRESS" };
  const flink = [...recording.checkpoints, ...lost.map((id) => ({ ...unseen, id }))];
  const open = leftOpen(recording.status, [...recording.checkpoints, ...report.checkpoints]);
  return {
    about: "checkpoints",
    engine: report.checkpoints
      .filter(({ id }) => !open.has(id))
      .map((each) => row(each, each.status === "FAILED" && each.failure === null ? "IN_PROGRESS" : each.status)),
    flink: flink
      .filter(({ id }) => !open.has(id))
      .toSorted((one, other) => one.id - other.id)
      .map((each) => row(each, each.status === "IN_PROGRESS" && stored.has(each.id) ? "COMPLETED" : each.status)),
  };
}

type Row = Pick<Recording["checkpoints"][number], "id" | "kind" | "failure" | "unaligned">;

/** Which checkpoints were pending when each was triggered. */
function pendingAtTrigger({ report }: Run, recording: Recording): Fact {
  const told = (rows: readonly { id: number; triggered: number; ended: number | null }[]): string[] =>
    rows.flatMap(({ id, triggered }) => {
      const pending = rows.filter((each) => each.id < id && each.ended !== null && each.ended > triggered);
      return pending.length === 0 ? [] : [`${id}: ${pending.map((each) => each.id).join(", ")}`];
    });
  return { about: "pending at trigger", engine: told(report.checkpoints), flink: told(recording.checkpoints) };
}

/** Which checkpoints are still there at the end, of those that the last leader knows (`discarded` in its REST reply). */
function retained({ report }: Run, { rest }: Recording): Fact {
  const history = rest["/jobs/:jobid/checkpoints"].history ?? [];
  const known = new Set(history.map(({ id }) => id));
  const kept = history.filter(({ status, discarded }) => status === "COMPLETED" && discarded === false);
  return {
    about: "retained",
    engine: report.checkpoints.filter((each) => each.retained && known.has(each.id)).map(({ id }) => id),
    flink: kept.map(({ id }) => id).toSorted((one, other) => one - other),
  };
}

/** Why checkpoints that were asked for by hand did not come to be. */
function refusals({ report }: Run, recording: Recording): Fact {
  const known = new Set([
    "NOT_ALL_REQUIRED_TASKS_RUNNING",
    "TOO_MANY_CHECKPOINT_REQUESTS",
    "PERIODIC_SCHEDULER_SHUTDOWN",
  ]);
  const told = recording.events.flatMap(({ type, answer = "" }) => (type === "TriggerAnswered" ? [answer] : []));
  return {
    about: "triggers refused",
    engine: report.rejectedTriggers.map(({ reason }) => reason),
    flink: told.filter((answer) => known.has(answer)),
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
      // How much of a transaction that is aborted had reached the log is a matter of milliseconds.
      const dirty = reader === "read_uncommitted" && transactions.some(({ fate }) => fate === "ABORTED");
      const unread = dirty && ended.has(recording.status);
      return {
        about: `${sink} ${reader}`,
        engine: { missing: unread ? 0 : missing.length, doubled: dirty ? [] : row.duplicated.toSorted() },
        flink: { missing: unread ? 0 : row.expected - new Set(records).size, doubled: dirty ? [] : doubledIn(records) },
      };
    });
    return [...seen, fates(run, sink, transactions)];
  });
}

/**
 * What became of each transaction that wrote records: committed, with how many; timed out, which raises its epoch; aborted;
 * or open. Whether the records of one that is aborted had been sent is a matter of milliseconds, so one that only one
 * side tells of is left out.
 */
function fates({ report }: Run, sink: string, recorded: Recording["sinks"][number]["transactions"]): Fact {
  const own = report.transactions.filter((each) => each.sink.startsWith(`${sink}[`) && each.records > 0);
  const timedOut = new Set(own.flatMap(({ id, state }) => (state === "TIMED_OUT" ? [id] : [])));
  const engine = own.map(({ id, state, records }) => {
    if (state === "COMMITTED") return `${id} COMMITTED: ${records}`;
    return `${id} ${state === "PRE_COMMITTED" ? "OPEN" : state}`;
  });
  const flink = recorded.map(({ id, fate, records, fenced }) => {
    if (fate === "COMMITTED") return `${id} COMMITTED: ${records.length}`;
    return `${id} ${fate === "ABORTED" && fenced === true && timedOut.has(id) ? "TIMED_OUT" : fate}`;
  });
  const compared = (told: readonly string[], others: readonly string[]): string[] =>
    [...new Set(told)].filter((each) => !each.endsWith(" ABORTED") || others.includes(each)).toSorted();
  return { about: `${sink} transactions`, engine: compared(engine, flink), flink: compared(flink, engine) };
}

/**
 * End to end: whether records are there twice for a committed reader, or missing for good. Of a run that ended before all
 * was read only what sources had read can be lost, and what is in an open transaction is not.
 */
function verdict({ report }: Run, recording: Recording): Fact {
  const partial = recording.status !== "RUNNING" || endsByTime(recording.scenario);
  const read = positionsOf(recording);
  const told = recording.sinks.map(({ sink, committed, transactions }) => {
    const there = new Set([
      ...committed,
      ...transactions.flatMap(({ fate, records }) => (fate === "OPEN" ? records : [])),
    ]);
    const given = inputOf(recording.scenario, topicsInto(recording.scenario, sink));
    const missing = given.filter((each) => !there.has(each));
    return {
      lost: missing.some((each) => !partial || read(each)),
      doubled: doubledIn(committed).length > 0,
      unread: given.some((each) => !read(each)) || transactions.some(({ fate }) => fate === "OPEN"),
    };
  });
  const lost = told.some((each) => each.lost);
  const doubled = told.some((each) => each.doubled);
  const pending = partial && told.some((each) => each.unread);
  const whole = pending ? "pending" : "exactly-once";
  const word = lost ? (doubled ? "broken" : "at-most-once") : doubled ? "at-least-once" : whole;
  return { about: "verdict", engine: report.verdict.endToEnd, flink: word };
}

/** What is in the state of a vertex twice, and, where sources had read all and the job did not fail, what is not in it. */
function states({ report }: Run, recording: Recording): Fact {
  const read = positionsOf(recording);
  const held = (vertex: string): string[] =>
    Object.entries(recording.states).flatMap(([subtask, records]) => (subtask.startsWith(`${vertex}[`) ? records : []));
  const given = (vertex: string): string[] => inputOf(recording.scenario, topicsInto(recording.scenario, vertex));
  const whole = (vertex: string): boolean => !ended.has(recording.status) && given(vertex).every(read);
  return {
    about: "state",
    engine: report.state.map(({ vertex, duplicated, lost }) => ({
      vertex,
      doubled: duplicated.toSorted(),
      missing: whole(vertex) ? lost.toSorted() : [],
    })),
    flink: report.state.map(({ vertex }) => {
      const seen = new Set(held(vertex));
      return {
        vertex,
        doubled: doubledIn(held(vertex)),
        missing: whole(vertex)
          ? given(vertex)
              .filter((each) => !seen.has(each))
              .toSorted()
          : [],
      };
    }),
  };
}
