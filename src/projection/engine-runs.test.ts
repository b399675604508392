/** The laws of projections over runs of the engine, and the ledger against the engine's own. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { advance as drawn, below, stream } from "../base/prng.ts";
import { ledgerOf as engineLedgerOf } from "../engine/ledger.ts";
import { isDrained } from "../engine/drained.ts";
import { Simulation } from "../engine/simulation.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { recordName } from "../protocol/ids.ts";
import { type Reader, isCommitted, isSink, traitsOf } from "../protocol/sinks.ts";
import type { EventLog } from "../protocol/log.ts";
import { type Reference, referenceOf } from "../scenario/reference.ts";
import type { DeliveryRow } from "../scenario/report.ts";
import { library } from "../scenario/library.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { counter, sink, small, source } from "../engine/testing/stories.ts";
import { runScenario } from "../engine/run.ts";
import { advance, applyEntry, initialView } from "./fold.ts";
import { Views } from "./keyframes.ts";
import { type LedgerView, endToEndOf, expectedOf, ledgerOf } from "./ledger.ts";
import { copyView } from "./own.ts";
import { type Seen, seenBy } from "./seen-by.ts";
import { isTakenBack, isVisibleTo } from "./sight.ts";
import { plain } from "./testing/plain.ts";
import { variants } from "./testing/variants.ts";
import type { RunView } from "./views.ts";

const logOf = (simulation: Simulation): EventLog => simulation.kernel.log!;

/** Runs a scenario until it is drained; `each` sees the run after every entry. */
function simulate(scenario: Scenario, each: (simulation: Simulation) => void = () => {}): Simulation {
  const simulation = Simulation.start(scenario);
  const atRest = (): boolean => isDrained(simulation.kernel);
  for (let step = 0; step < 6000 && simulation.step(atRest); step++) each(simulation);
  return simulation;
}

/** The ledger in the report's words. */
function told({ shared: { graph } }: RunView, { sinks, states, verdict }: LedgerView): unknown {
  const names = (records: readonly number[]): string[] => records.map((record) => recordName(graph, record));
  return {
    delivery: sinks.map((row) => ({
      sink: at(graph.operators, row.operator).vertex.uid,
      reader: row.reader,
      expected: row.wanted,
      seen: row.seen,
      lost: names(row.fates.list("lost")),
      duplicated: names(row.fates.list("duplicated")),
      pending: names(row.fates.list("pending")),
      unprocessed: names(row.fates.list("unprocessed")),
      regressions: row.regressions,
    })),
    state: states.map((row) => ({
      vertex: at(graph.operators, row.operator).vertex.uid,
      lost: names(row.fates.list("lost")),
      duplicated: names(row.fates.list("duplicated")),
    })),
    verdict,
  };
}

/** What `seenBy` tells, cell by cell. */
function seenOneByOne(
  view: RunView,
  operator: number,
  reader: Reader,
  records: number,
): Pick<Seen, "counts" | "undecided"> {
  const [counts, undecided] = [new Int32Array(records), new Uint8Array(records)];
  const own = view.shared.graph.identities[operator];
  view.outputs.forEach(({ length }, partition) => {
    for (const [offset, cell] of at(view.shared.cells, partition).slice(0, length).entries()) {
      if (cell.operator !== own) continue;
      const again = view.transactions[cell.transaction]?.listedAgain ?? 0;
      if (isVisibleTo(view, reader, partition, offset)) counts[cell.record] = at(counts, cell.record) + 1 + again;
      else if (!isTakenBack(view, partition, offset)) undecided[cell.record] = 1;
    }
  });
  return { counts, undecided };
}

/** What both ledgers tell of a sink. */
function inShort(row: DeliveryRow): unknown {
  const { sink, reader, expected, seen, lost, duplicated, pending, unprocessed, regressions } = row;
  return { sink, reader, expected, seen, lost, duplicated, pending, unprocessed, regressions };
}

function engineTold(simulation: Simulation, reference: Reference): unknown {
  const { delivery, state, verdict } = engineLedgerOf(simulation.kernel, reference);
  return {
    delivery: delivery.map(inShort),
    state,
    verdict,
  };
}

describe.each(variants)("%s", (_, scenario) => {
  const simulation = simulate(scenario);
  const log = logOf(simulation);
  const { graph } = simulation.session.plan;
  const start = (): RunView => initialView(scenario, graph);

  test("the ledger is the engine's whenever every thread runs, and at the end", () => {
    const view = start();
    const reference = referenceOf(scenario);
    const expected = expectedOf(view.shared, reference);
    let compared = 0;
    const last = simulate(scenario, (run) => {
      applyEntry(view, logOf(run), view.step + 1);
      const settled = view.subtasks.every(
        ({ thread, state }) => (thread === "running" && state === "RUNNING") || state === "FINISHED",
      );
      if (!settled || view.job.restarting.length > 0) return;
      compared++;
      expect(told(view, ledgerOf(view, expected)), `step ${view.step}`).toEqual(engineTold(run, reference));
    });
    expect(compared).toBeGreaterThan(50);
    expect(told(view, ledgerOf(view, expected))).toEqual(engineTold(last, reference));
  });

  test("what the header tells of committed readers is the ledger's, at every step", () => {
    const view = start();
    const expected = expectedOf(view.shared, referenceOf(scenario));
    for (let step = 0; step < log.length; step++) {
      applyEntry(view, log, step);
      const { sinks, soFar } = ledgerOf(view, expected);
      const committed = sinks.filter(({ reader }) => isCommitted(reader));
      expect(endToEndOf(view, expected)).toEqual({ step, sinks: committed, soFar: soFar.endToEnd });
    }
  });

  test("KF-030, KF-031: what a reader sees of all cells is what he sees of each", () => {
    const view = start();
    const { graph, records } = view.shared;
    const count = Math.max(0, ...records.map(({ length }) => length)) * graph.inputs.length;
    const readers = graph.sinks.flatMap((operator) => {
      const { vertex } = at(graph.operators, operator);
      return isSink(vertex) ? traitsOf(vertex).readers.map((reader) => ({ operator, reader })) : [];
    });
    for (let step = 0; step < log.length; step++) {
      applyEntry(view, log, step);
      if (step % 8 !== 0 && step < log.length - 1) continue;
      for (const { operator, reader } of readers) {
        const [seen, each] = [seenBy(view, operator, reader, count), seenOneByOne(view, operator, reader, count)];
        const differs = each.counts.findIndex(
          (times, record) => times !== seen.counts[record] || each.undecided[record] !== seen.undecided[record],
        );
        expect(differs, `${reader} at ${step}`).toBe(-1);
      }
    }
  });

  test("nothing is lost for a moment: a record that is lost so far stays lost", () => {
    const view = start();
    const expected = expectedOf(view.shared, referenceOf(scenario));
    const lost = new Map<string, ReadonlySet<number>>();
    for (let step = 0; step < log.length; step++) {
      applyEntry(view, log, step);
      const ledger = ledgerOf(view, expected);
      for (const account of [...ledger.sinks, ...ledger.states]) {
        const name = String(account.operator) + ("reader" in account ? String(account.reader) : "state");
        const now = new Set(account.fates.list("lost"));
        for (const record of lost.get(name) ?? []) expect(now, `${name} at ${step}`).toContain(record);
        lost.set(name, now);
      }
    }
  });

  test("folding forward in place equals folding from the beginning, and copies stay what they were", () => {
    const view = start();
    const kept: [RunView, string][] = [];
    for (let step = 0; step < log.length; step++) {
      applyEntry(view, log, step);
      if (step % 97 !== 0 && step !== log.length - 1) continue;
      const scratch = start();
      advance(scratch, log, step);
      const here = JSON.stringify(plain(view));
      expect(here).toBe(JSON.stringify(plain(scratch)));
      kept.push([copyView(view), here]);
    }
    for (const [copy, then] of kept) expect(JSON.stringify(plain(copy))).toBe(then);
  });

  test("a seek equals playing, with keyframes and without", () => {
    const views = new Views(log, start());
    const drop = new Views(log, start());
    let state = stream(7, "seeks");
    for (let i = 0; i < 60; i++) {
      const step = below((state = drawn(state)), log.length + 1) - 1;
      const scratch = start();
      advance(scratch, log, step);
      const wanted = plain(scratch);
      expect(plain(views.viewAt(step))).toEqual(wanted);
      if (i % 7 === 0) drop.dropKeyframes();
      expect(plain(drop.viewAt(step))).toEqual(wanted);
    }
  });
});

describe("the log that sources read", () => {
  const at500 = (verb: string, more: object): { readonly [key: string]: unknown } => ({
    at: { time: 500 },
    do: verb,
    ...more,
  });
  const fails = { at: { time: 900 }, do: "fail-task", target: "S[0]" };

  test.each<[string, { readonly [key: string]: unknown }, readonly { readonly [key: string]: unknown }[]]>([
    ["a source that begins at the latest", { startingOffsets: "latest" }, [fails]],
    ["a source that begins later", { startingOffsets: [4] }, [fails]],
    ["retention", {}, [{ ...fails, at: { time: 450 } }, at500("expire-records", { topic: "in", before: 4 })]],
    ["another rate", {}, [at500("set-rate", { topic: "in", every: "700 ms" }), fails]],
    [
      "a partition more",
      { startingOffsets: "latest", properties: { "partition.discovery.interval.ms": "300 ms" } },
      [at500("add-partition", { topic: "in", records: 5, every: "100 ms" }), fails],
    ],
    [
      "a partition that never comes",
      {},
      [{ ...at500("add-partition", { topic: "in", records: 5 }), at: { step: 99_999 } }],
    ],
  ])("%s: the ledger is the report's", (_, more, faults) => {
    const scenario = small({
      vertices: [source("S", more), counter("M"), sink("K")],
      edges: ["S forward M", "M forward K"],
      checkpointing: { interval: "400 ms" },
      initialDelay: 0,
      timing: { deploy: "250 ms" },
      faults,
    });
    const { graph, log, report } = runScenario(scenario);
    const view = initialView(scenario, graph);
    const expected = expectedOf(view.shared, referenceOf(scenario));
    advance(view, log, log.length - 1);
    const { delivery, state, verdict } = report;
    expect(told(view, ledgerOf(view, expected))).toEqual({ delivery: delivery.map(inShort), state, verdict });
  });
});

describe("sources that bring their own input", () => {
  const table = { type: "database-source", records: 6, snapshotDuration: "900 ms", changes: 4, every: "200 ms" };

  test.each<[string, { readonly [key: string]: unknown }, string?]>([
    ["files", { type: "file-source", records: 12, every: "100 ms", files: 2 }],
    ["a connection", { type: "socket-source", records: 12, every: "100 ms" }],
    ["a connection behind which the source lags", { type: "socket-source", records: 12, every: "60 ms", cost: 150 }],
    ["a table", table],
    ["a table that is read incrementally", { ...table, incremental: true }],
    ["files, and a write-ahead log", { type: "file-source", records: 12, every: "100 ms" }, "write-ahead-log-sink"],
  ])("%s, with a task that fails anywhere: the ledger is the report's", (_, vertex, type) => {
    const last = type === undefined ? sink("K") : { uid: "K", type, chain: false };
    const scenarioAt = (
      faults: readonly { readonly [key: string]: unknown }[],
      until: "drained" | { steps: number },
    ): Scenario =>
      small({
        vertices: [{ uid: "S", chain: false, ...vertex }, counter("M"), last],
        edges: ["S forward M", "M forward K"],
        topics: {},
        checkpointing: { interval: "400 ms", "tolerable-failed-checkpoints": 9 },
        initialDelay: 0,
        faults,
        until,
      });
    const { length } = runScenario(scenarioAt([], "drained")).log;
    for (let step = 30; step < length; step += 29) {
      const faults = [{ at: { step }, do: "fail-task", target: ["S[0]", "M[0]", "K[0]"][step % 3] }];
      for (const until of ["drained", { steps: step + 40 }] as const) {
        const scenario = scenarioAt(faults, until);
        const { graph, log, report } = runScenario(scenario);
        const view = initialView(scenario, graph);
        advance(view, log, log.length - 1);
        const { delivery, state, verdict } = report;
        const mine = told(view, ledgerOf(view, expectedOf(view.shared, referenceOf(scenario))));
        expect(mine, `step ${step}`).toEqual({ delivery: delivery.map(inShort), state, verdict });
      }
    }
  });
});

describe("library", () => {
  test.each(library.map((source) => (source as { id: string }).id))("%s: the ledger is the report's", (id) => {
    const scenario = libraryScenario(id);
    const { graph, log, report } = runScenario(scenario);
    const view = initialView(scenario, graph);
    advance(view, log, log.length - 1);
    const { delivery, state, verdict } = report;
    const mine = told(view, ledgerOf(view, expectedOf(view.shared, referenceOf(scenario))));
    expect(mine).toEqual({ delivery: delivery.map(inShort), state, verdict });
  });

  test.each(["order-totals", "two-lanes", "shuffle", "bounded", "unaligned", "aligned-timeout"])(
    "%s, with a task that fails anywhere: the ledger is the report's",
    (id) => {
      const { log: whole, graph: tasks } = runScenario(libraryScenario(id));
      let state = stream(5, id);
      for (let i = 0; i < 25; i++) {
        const step = below((state = drawn(state)), whole.length);
        const { name } = at(tasks.subtasks, below((state = drawn(state)), tasks.subtasks.length));
        const scenario = withFaults(id, [{ at: { step }, do: "fail-task", target: name }]);
        const { graph, log, report } = runScenario(scenario);
        const view = initialView(scenario, graph);
        advance(view, log, log.length - 1);
        const { delivery, state: states, verdict } = report;
        const mine = told(view, ledgerOf(view, expectedOf(view.shared, referenceOf(scenario))));
        expect(mine, `${name} at step ${step}`).toEqual({ delivery: delivery.map(inShort), state: states, verdict });
      }
    },
  );
});
