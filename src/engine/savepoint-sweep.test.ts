/**
 * Jobs with a savepoint, a stop and a cancellation fail at every step: each subtask fails, TaskManagers come back anew, the
 * job fails as a whole, messages are lost, snapshots fail, the leader is lost. No invariant is violated, nothing that was
 * read is lost, nothing is doubled for a committed reader but where FR-102 says so.
 */
import { describe, expect, test } from "vitest";
import { referenceOf } from "../scenario/reference.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { Course } from "./course.ts";
import { Invariants } from "./invariants.ts";
import { Job } from "./layout.ts";
import { type Ledger, ledgerOf } from "./ledger.ts";
import { Simulation } from "./simulation.ts";
import { JobStatus } from "./states.ts";
import { failuresOf } from "./testing/bounded.ts";
import { after, atTime, counter, fixedDelay, sink, small, source } from "./testing/stories.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";
/** Steps between two at which subtasks fail, and at which everything else is tried. */
const [TASKS, OTHERS] = long ? [1, 1] : [3, 15];

const job = (faults: readonly Record<string, unknown>[]): Scenario =>
  small({
    vertices: [source("S"), source("B", { topic: "other" }), counter("M"), sink("K")],
    edges: ["S rebalance M", "B rebalance M", "M forward K"],
    topics: { in: { records: 8, every: "50 ms" }, other: { records: 8, every: "70 ms" } },
    initialDelay: 120,
    restart: fixedDelay(3, "60 ms"),
    checkpointing: { interval: "200 ms", timeout: "900 ms", "tolerable-failed-checkpoints": 100 },
    faults,
  });

/** Parts the run at each of its steps for each failure; `wrong` says what is, `null`: nothing. */
function sweep(scenario: Scenario, more: readonly Command[], wrong: (ledger: Ledger, status: number) => string | null) {
  const { tasks, others } = failuresOf(scenario);
  const reference = referenceOf(scenario);
  const course = new Course(Simulation.start(scenario, { log: null, observer: new Invariants() }));
  const found: string[] = [];
  let runs = 0;
  while (course.ended === null) {
    const { step } = course.simulation.world;
    for (const act of [...(step % TASKS === 0 ? tasks : []), ...(step % OTHERS === 0 ? [...others, ...more] : [])]) {
      const clone = new Course(course.simulation.clone());
      clone.simulation.submit(act);
      runs++;
      for (const last = step + 20_000; clone.ended === null && clone.simulation.world.step < last;) clone.advance();
      const { kernel, observer, world } = clone.simulation;
      const ledger = ledgerOf(kernel, reference);
      const [violation] = (observer as Invariants).atEnd(kernel, ledger, clone.ended ?? "steps");
      const waits = act.do === "lose-rpc" && clone.ended === "stuck";
      const said =
        violation?.message ??
        wrong(ledger, world.job(Job.status)) ??
        (clone.ended === "drained" || waits ? null : clone.ended);
      if (said !== null) found.push(`${act.do} ${act.target ?? act.rpc ?? ""} at ${step}: ${said}`);
    }
    course.advance();
  }
  return { runs, wrong: found.slice(0, 8) };
}

const committed = ({ delivery }: Ledger) => delivery.filter(({ reader }) => reader === "read_committed");
const spoilt = (ledger: Ledger, status: number): string | null => {
  const lost =
    status === JobStatus.running || status === JobStatus.finished ? committed(ledger).flatMap((row) => row.lost) : [];
  const doubled = [...committed(ledger), ...ledger.state].flatMap((row) => row.duplicated);
  return lost.length + doubled.length === 0 ? null : `lost ${lost.join(" ")}, doubled ${doubled.join(" ")}`;
};

describe("a job fails at any step", () => {
  test("CP-125, INV-120: with a savepoint between its checkpoints", { timeout: 300_000 }, () => {
    const scenario = job([after("RecordEmitted", { record: "in-0@4" }, "trigger-savepoint", { path: "sp" })]);
    const exact = (ledger: Ledger) => (ledger.verdict.endToEnd === "exactly-once" ? null : ledger.verdict.endToEnd);
    const { runs, wrong } = sweep(scenario, [], exact);
    expect(wrong).toEqual([]);
    expect(runs).toBeGreaterThan(long ? 1000 : 300);
  });

  test.each([true, false])(
    "CP-164, CP-166, INV-112: that stops with a savepoint, drain %s",
    { timeout: 300_000 },
    (drain) => {
      const stop = after("RecordEmitted", { record: "in-0@4" }, "stop-with-savepoint", { path: "sp", drain });
      const { runs, wrong } = sweep(job([stop]), [], spoilt);
      expect(wrong).toEqual([]);
      expect(runs).toBeGreaterThan(long ? 500 : 150);
    },
  );

  test.each(["cancel", "cancel-with-savepoint"])("CP-167, INV-112: that ends with %s", { timeout: 300_000 }, (verb) => {
    const more = verb === "cancel" ? {} : { path: "sp" };
    const { runs, wrong } = sweep(job([atTime(420, verb, more)]), [], spoilt);
    expect(wrong).toEqual([]);
    expect(runs).toBeGreaterThan(long ? 500 : 150);
  });
});
