import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { eventTypes } from "../protocol/events.ts";
import { EventLog } from "../protocol/log.ts";
import { fateOf } from "../projection/fact.ts";
import { advance, initialView } from "../projection/fold.ts";
import { expectedOf, ledgerOf as foldedLedger } from "../projection/ledger.ts";
import { recordName } from "../protocol/ids.ts";
import { independentAfter } from "../projection/independent.ts";
import { type TraceEntry, traceEntry } from "../protocol/trace.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { Report } from "../scenario/report.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { conclude } from "./conclusion.ts";
import type { Simulation } from "./simulation.ts";
import { Timeline } from "./timeline.ts";
import { Draw } from "./testing/random-jobs.ts";
import { randomScenario } from "./testing/random-scenario.ts";
import { command, libraryScenario, told, withFaults } from "./testing/runs.ts";
import { after, lane, small } from "./testing/stories.ts";

/** Goes on with a branch until its clock is beyond `until`. */
function finished(timeline: Timeline, branch: number, until = Infinity): EventLog {
  const { log } = at(timeline.branches, branch);
  while (timeline.extend(branch) && log.clock(log.length - 1) <= until);
  return log;
}

/** What gives a reader its position: each may take another's place. */
const given = new Set(["SplitAdded", "SourceRewound", "OffsetReset"]);

function kindOf(log: EventLog, step: number): string {
  const type = typeOf(log, step);
  return given.has(type) ? "position" : type;
}

const entryOf = (run: Simulation, log: EventLog, step: number): TraceEntry =>
  traceEntry(run.kernel.plan.graph, log, step);

const typeOf = (log: EventLog, step: number): string => at(eventTypes, log.type(step));

/** As many causes of one kind may bring the same about at the same time: the barriers of a subtask's channels, say. */
const MOST = 16;

/**
 * Leaves out the cause of an entry in a branch, and there, if the entry comes as before, what brings it about in its place,
 * and so on. How many causes it took until it was gone or came later; `null`: what took the cause's place is of another
 * kind or was there before, so the recorded one was only earlier.
 */
function causesOf(timeline: Timeline, step: number): number | null {
  const first = at(timeline.branches, 0).log;
  const kind = kindOf(first, first.cause(step));
  let [branch, fact, since] = [0, step, first.clock(first.cause(step))];
  for (let taken = 1; taken <= MOST; taken++) {
    const { log } = at(timeline.branches, branch);
    const cause = log.cause(fact);
    if (cause < 0 || kindOf(log, cause) !== kind || (kind !== "position" && log.clock(cause) < since)) return null;
    since = log.clock(cause);
    branch = timeline.fork(branch, cause, command("suppress", null)).id;
    const fate = fateOf(log, fact, finished(timeline, branch, log.clock(fact)), cause);
    if (fate.kind !== "still") return taken;
    fact = fate.step;
  }
  return MOST;
}

/** Entries that something caused, of random runs; of each run one is a pre-commit, which may have waited for its flush. */
function* drawn(wanted: number): Generator<readonly [Timeline, number, string]> {
  for (let number = 0, asked = 0; asked < wanted; number++) {
    const timeline = new Timeline(randomScenario(number));
    const draw = new Draw(number);
    const log = finished(timeline, 0);
    const preCommits = stepsOf(log, "TransactionPreCommitted");
    const steps = Array.from({ length: 8 }, () => draw.upTo(log.length));
    if (preCommits.length > 0) steps.push(draw.one(...preCommits));
    for (const step of steps) {
      if (log.cause(step) < 0) continue;
      asked++;
      yield [timeline, step, `run ${number}: ${lineOf(log, step)}`];
    }
  }
}

function stepsOf(log: EventLog, type: string): number[] {
  return Array.from({ length: log.length }, (_, step) => step).filter((step) => typeOf(log, step) === type);
}

const lineOf = (log: EventLog, step: number): string =>
  `${step} ${typeOf(log, step)} <- ${log.cause(step)} ${typeOf(log, log.cause(step))}`;

const SAMPLE = process.env["BARRIERSCOPE_LONG"] === undefined ? 200 : 2000;

test("a recorded cause is one: where it is left out the entry is gone or comes later", () => {
  const untrue: string[] = [];
  let single = 0;
  for (const [timeline, step, line] of drawn(SAMPLE)) {
    const causes = causesOf(timeline, step);
    if (causes === 1) single++;
    if (causes === null) untrue.push(line);
  }
  expect(untrue).toEqual([]);
  expect(single).toBeGreaterThan(0.95 * SAMPLE);
}, 300_000);

test("a record of a source without a coordinator has its split as its cause, a flush the barrier that asked for it", () => {
  const sampled = new Set<string>();
  const scenarios = ["socket", "database-source", "file-sink", "database-commit", "orders", "linear"].map((id) =>
    withFaults(id, [after("CheckpointCompleted", { checkpoint: 1 }, "fail-job", {})]),
  );
  for (const scenario of scenarios) {
    const timeline = new Timeline(scenario);
    const log = finished(timeline, 0);
    const records = stepsOf(log, "RecordEmitted");
    for (const step of [...records.filter((_, place) => place % 5 === 0), ...stepsOf(log, "TransactionPreCommitted")]) {
      expect(log.cause(step), `${scenario.id}: ${step} ${typeOf(log, step)}`).toBeGreaterThanOrEqual(0);
      expect(causesOf(timeline, step), `${scenario.id}: ${lineOf(log, step)}`).not.toBeNull();
      sampled.add(lineOf(log, step).replace(/\d+ /g, ""));
    }
  }
  expect([...sampled].sort()).toMatchInlineSnapshot(`
    [
      "RecordEmitted <- SourceRewound",
      "RecordEmitted <- SplitAdded",
      "TransactionPreCommitted <- AlignmentCompleted",
      "TransactionPreCommitted <- PartFileResumed",
      "TransactionPreCommitted <- RecordProcessed",
      "TransactionPreCommitted <- TransactionBegun",
    ]
  `);
});

test("what is only earlier is no cause: most entries come as before without the entry in front of them", () => {
  let still = 0;
  for (const [timeline, step] of drawn(60)) {
    const { log } = at(timeline.branches, 0);
    if (log.cause(step) === step - 1) continue;
    const branch = timeline.fork(0, step - 1, command("suppress", null)).id;
    if (fateOf(log, step, finished(timeline, branch, log.clock(step)), step - 1).kind === "still") still++;
  }
  expect(still).toBeGreaterThan(20);
});

test("what is put off comes so much later: a timer fires late, and its effects with it", () => {
  const timeline = new Timeline(libraryScenario("orders"));
  const log = finished(timeline, 0);
  const [, second] = stepsOf(log, "CheckpointTriggered");
  const branch = timeline.fork(0, second!, command("suppress", null, { for: 300 })).id;
  const other = finished(timeline, branch);
  expect(fateOf(log, second!, other, second!)).toMatchObject({ kind: "later", ms: 300 });
  expect(timeline.ended(branch)).toBe("drained");
});

test("two events that do not come of each other change places where the first is put off; what a thread does at one go stays", () => {
  const counts = { swapped: 0, stays: 0 };
  for (let number = 0; number < 40; number++) {
    const timeline = new Timeline(randomScenario(number));
    const draw = new Draw(number);
    const log = finished(timeline, 0);
    for (let i = 0; i < 3; i++) {
      const step = draw.upTo(log.length - 1);
      const partner = typeOf(log, step) === "FaultInjected" ? null : independentAfter(log, step, log.length);
      if (partner === null) continue;
      const put = log.clock(partner) - log.clock(step);
      const branch = timeline.fork(0, step, command("suppress", null, { for: put })).id;
      const other = finished(timeline, branch, log.clock(partner) + 2 * put);
      const [one, two] = [step, partner].map((each) => fateOf(log, each, other, step));
      const swapped = two!.kind !== "gone" && (one!.kind === "gone" || two!.step < one!.step);
      counts[swapped ? "swapped" : "stays"]++;
    }
  }
  expect(counts).toMatchInlineSnapshot(`
    {
      "stays": 62,
      "swapped": 36,
    }
  `);
});

test("a fault that is left out does not act, and one that is due at the same step is not what is left out", () => {
  const faults = [
    after("RecordEmitted", { record: "in-0@2" }, "fail-task", { target: "M[0]" }),
    { at: { step: 60 }, do: "fail-job" },
  ];
  const scenario = small({ ...lane(1), faults });
  const timeline = new Timeline(scenario);
  const log = finished(timeline, 0);
  const injected = Array.from({ length: log.length }, (_, step) => step).filter(
    (step) => typeOf(log, step) === "FaultInjected",
  );
  expect(injected).toHaveLength(2);
  for (const step of injected) {
    const branch = timeline.fork(0, step, command("suppress", null)).id;
    const other = finished(timeline, branch);
    expect(fateOf(log, step, other, step).kind).toBe("gone");
    expect(timeline.ended(branch)).toBe("drained");
  }
});

/** Of a scenario, the first entry of a record left out: the records that are read then, and how it ends. */
function without(
  scenario: Scenario,
  record: string,
): { readonly read: readonly unknown[]; readonly report: Report; readonly folded: readonly (readonly string[])[] } {
  const timeline = new Timeline(scenario);
  const log = finished(timeline, 0);
  const run = timeline.simulationAt(0, log.length);
  const readAt = (of: EventLog, step: number): unknown => entryOf(run, of, step)["record"];
  const step = stepsOf(log, "RecordEmitted").find((each) => readAt(log, each) === record);
  const branch = timeline.fork(0, step!, command("suppress", null)).id;
  const other = finished(timeline, branch);
  const ended = timeline.ended(branch) ?? "stuck";
  const { report } = conclude(timeline.tip(branch), null, other, ended, referenceOf(scenario));
  expect(stepsOf(log, "RecordEmitted").filter((each) => readAt(log, each) === record).length).toBeGreaterThan(1);
  const { graph } = run.kernel.plan;
  const view = initialView(scenario, graph);
  for (let each = 0; each < other.length; each++) advance(view, other, each);
  const [sink] = foldedLedger(view, expectedOf(view.shared, referenceOf(scenario))).sinks;
  const read = stepsOf(other, "RecordEmitted").map((each) => readAt(other, each));
  const folded = (["lost", "pending", "unprocessed"] as const).map((fate) =>
    sink!.fates.list(fate).map((each) => recordName(graph, each)),
  );
  return { read, report, folded };
}

test("X-07: a record that is dropped is not read again either, and both ledgers miss it alike", () => {
  for (const [id, record] of [
    ["linear", "in-0@9"],
    ["linear", "in-0@11"],
    ["file-source", "SRC-0@9"],
    ["database-source", "SRC-0@9"],
    ["upsert", "in-0@9"],
  ] as const) {
    const { read, report, folded } = without(
      withFaults(id, [after("RecordEmitted", { record, nth: 1 }, "fail-job", {})]),
      record,
    );
    expect(read, `${id} ${record}`).not.toContain(record);
    expect(new Set(read).size, `${id} ${record}`).toBe(id === "database-source" ? 9 : 11);
    // It is in its partition, and nobody has it: the engine's ledger and the one that is folded from the log say so alike.
    const { lost = [], pending = [], unprocessed = [] } = report.delivery[0] ?? {};
    expect([lost, pending, unprocessed].flat(), `${id} ${record}`).toEqual([record]);
    expect(folded, `${id} ${record}`).toEqual([lost, pending, unprocessed]);
    expect(report.ended).toBe("drained");
  }
});

test("a run with entries left out is made again from its decisions, with keyframes and without", () => {
  const timeline = new Timeline(small(lane(1)));
  const length = finished(timeline, 0).length;
  const first = timeline.fork(0, 20, command("suppress", null)).id;
  finished(timeline, first);
  const second = timeline.fork(first, 21, command("suppress", null)).id;
  const { log } = at(timeline.branches, second);
  finished(timeline, second);
  expect(log.length).toBeLessThan(length + 2);
  timeline.dropKeyframes();
  for (const step of [20, 21, 22, log.length - 1]) {
    const again = timeline.simulationAt(second, step).clone(new EventLog(log, step));
    expect(again.step()).toBe(true);
    expect(told(entryOf(again, again.kernel.log as EventLog, step))).toBe(told(entryOf(again, log, step)));
  }
});
