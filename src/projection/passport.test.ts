/** Passports of records over whole runs: what they say adds up to what the ledger and the engine's report count. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { randomScenario } from "../engine/testing/random-scenario.ts";
import { libraryScenario, setDelivery, withFaults } from "../engine/testing/runs.ts";
import { atTime, counter, sink, small, source } from "../engine/testing/stories.ts";
import { EventNumber, type EventType } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { isCommitted } from "../protocol/sinks.ts";
import { library } from "../scenario/library.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { DeliveryRow } from "../scenario/report.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { places } from "./fields.ts";
import { initialView } from "./fold.ts";
import { type LedgerView, expectedOf, ledgerOf } from "./ledger.ts";
import { type Passport, type Passports, type Question, answers, passCount, passportsOf } from "./passport.ts";
import { variants } from "./testing/variants.ts";

interface Told {
  readonly passports: Passports;
  readonly ledger: LedgerView;
  readonly log: EventLog;
  readonly delivery: readonly DeliveryRow[];
}

function told(scenario: Scenario): Told {
  const { graph, log, report } = runScenario(scenario, { checkInvariants: false });
  const passports = passportsOf(initialView(scenario, graph), log);
  const { view } = passports;
  const { shared } = view;
  const ledger = ledgerOf(view, expectedOf(shared, referenceOf(shared.scenario)));
  return { passports, ledger, log, delivery: report.delivery };
}

function sum(passports: Passports, of: (passport: Passport) => number): number {
  return [...passports.byRecord.values()].reduce((total, passport) => total + of(passport), 0);
}

function entries(log: EventLog, type: EventType): number {
  let count = 0;
  for (let step = 0; step < log.length; step++) if (log.type(step) === EventNumber[type]) count++;
  return count;
}

/** The law: sums over passports are the ledger's, record by record, the report's, and the log's. */
function addsUp({ passports, ledger, log, delivery }: Told): void {
  const { byRecord, view } = passports;
  const identity = (operator: number): number => at(view.shared.graph.identities, operator);
  for (const { operator, counts } of ledger.states) {
    counts.forEach((count, record) => {
      const mine = byRecord.get(record)?.applications ?? [];
      const held = mine.filter((each) => each.held && each.operator === identity(operator));
      expect(held.length, `record ${record} in state of operator ${operator}`).toBe(count);
    });
  }
  const seenOf = ({ writes }: Passport, operator: number, reader: string): number =>
    writes
      .filter((each) => each.operator === identity(operator))
      .flatMap(({ sights }) => sights.filter((sight) => sight.reader === reader))
      .reduce((total, { times }) => total + times, 0);
  for (const { operator, reader, counts, seen } of ledger.sinks) {
    counts.forEach((count, record) => {
      const passport = byRecord.get(record);
      expect(passport === undefined ? 0 : seenOf(passport, operator, reader), `${reader} ${record}`).toBe(count);
    });
    const { uid } = at(view.shared.graph.operators, operator).vertex;
    const row = delivery.find((each) => each.sink === uid && each.reader === reader);
    expect(sum(passports, (passport) => seenOf(passport, operator, reader))).toBe(row?.seen);
    expect(seen).toBe(row?.seen);
  }
  const passes = (kind: string) => (passport: Passport) => passport.passes.filter((each) => each.kind === kind).length;
  expect(sum(passports, passes("read"))).toBe(entries(log, "RecordEmitted"));
  expect(sum(passports, passes("taken"))).toBe(entries(log, "RecordReceived"));
  expect(sum(passports, ({ writes }) => writes.length)).toBe(entries(log, "RecordWritten"));
}

const failSum = { at: { time: "3 s" }, do: "fail-task", target: "total[0]" };
const withDelivery = (delivery: string): Scenario =>
  withFaults("order-totals", [failSum], (source) => setDelivery(source, delivery));

/** A file that its table lists again (P-34). */
function listedAgain(): Scenario {
  const file = path.resolve(import.meta.dirname, "../../scenarios/incidents/P-34.scenario.json");
  const parsed = scenarioFrom(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

/** Operators get other numbers of subtasks, and their state is dealt out anew. */
function rescaled(): Scenario {
  return small({
    vertices: [
      source("S", { parallelism: 2 }),
      counter("C", { parallelism: 2 }),
      { uid: "T", type: "keyed-sum", parallelism: 2, chain: false, cost: "6 ms" },
      sink("K", { parallelism: 2 }),
    ],
    edges: ["S rebalance C", "C hash T", "T rebalance K"],
    topics: { in: { partitions: 2, records: 60, every: "25 ms", keys: 7 }, out: { partitions: 2 } },
    cluster: { taskManagers: 2, slots: 3 },
    config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
    faults: [
      atTime(300, "rescale", { vertex: "T", parallelism: 3 }),
      atTime(700, "fail-task", { target: "K[0]" }),
      atTime(1200, "rescale", { vertex: "C", parallelism: 1 }),
    ],
  });
}

describe("passports add up", () => {
  test.each<[string, () => Scenario]>([
    ["order-totals", () => libraryScenario("order-totals")],
    ["order-totals, a task fails", () => withDelivery("exactly-once")],
    ["order-totals, at-least-once, a task fails", () => withDelivery("at-least-once")],
    ["order-totals, none, a task fails", () => withDelivery("none")],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((number): [string, () => Scenario] => [
      `random job ${number}`,
      () => randomScenario(number),
    ]),
    ["a data file is listed again", listedAgain],
    ["rescaled twice", rescaled],
    ...library.map((source): [string, () => Scenario] => {
      const { id } = source as { id: string };
      return [`library: ${id}`, () => libraryScenario(id)];
    }),
    ...variants.map(([name, scenario]): [string, () => Scenario] => [name, () => scenario]),
  ])("%s: to the ledger's counts of each record, the report's and the log's", (_, scenario) => {
    addsUp(told(scenario()));
  });
});

function answering({ passports, ledger }: Told, question: Question): Passport[] {
  return [...passports.byRecord.values()].filter((passport) => answers(question, passport, ledger));
}

describe("what a passport says", () => {
  const replayed = told(withDelivery("exactly-once"));

  test("a replayed record has passes in several attempts and one effect, carried by a completed checkpoint", () => {
    const found = answering(replayed, "passesOverEffects");
    expect(found.length).toBeGreaterThan(0);
    expect(answering(replayed, "effectsNotOnce")).toEqual([]);
    for (const passport of found) {
      expect(passCount(passport)).toBeGreaterThan(1);
      const held = passport.applications.filter((each) => each.held);
      expect(held).toHaveLength(1);
      expect(at(held, 0).checkpoint).toBeGreaterThan(0);
    }
    expect(new Set(found.flatMap(({ passes }) => passes.map(({ attempt }) => attempt))).size).toBeGreaterThan(1);
  });

  test("a checkpoint carries a record from its completion on, and its snapshot was taken behind the record", () => {
    const { log, passports } = replayed;
    const completed = places("CheckpointCompleted");
    let carried = 0;
    for (const { applications } of passports.byRecord.values()) {
      for (const { step, checkpoint, durable } of applications) {
        if (checkpoint < 0) continue;
        carried++;
        expect(log.type(durable)).toBe(EventNumber.CheckpointCompleted);
        expect(log.field(durable, completed.checkpoint)).toBe(checkpoint);
        expect(durable).toBeGreaterThan(step);
      }
    }
    expect(carried).toBeGreaterThan(10);
  });

  test("committed readers of an exactly-once sink see nothing before a checkpoint has it; of others they do", () => {
    expect(answering(replayed, "seenBeforeDurable")).toEqual([]);
    expect(answering(told(withDelivery("at-least-once")), "seenBeforeDurable").length).toBeGreaterThan(10);
  });

  test("a record of an exactly-once sink is seen by read_uncommitted with its write, by read_committed later", () => {
    let seen = 0;
    for (const { writes } of replayed.passports.byRecord.values()) {
      for (const { step, sights, transaction } of writes) {
        expect(transaction).toBeGreaterThanOrEqual(0);
        for (const { reader, since } of sights) {
          if (!isCommitted(reader)) expect(since).toBe(step);
          else if (since >= 0) seen += Number(since > step);
        }
      }
    }
    expect(seen).toBeGreaterThan(10);
  });

  test("after at-least-once duplicates the effects that are not one are the ledger's duplicates", () => {
    const run = told(withDelivery("at-least-once"));
    const { ledger } = run;
    const duplicated = new Set(
      ledger.sinks.filter(({ reader }) => isCommitted(reader)).flatMap(({ fates }) => fates.list("duplicated")),
    );
    expect(duplicated.size).toBeGreaterThan(0);
    expect(new Set(answering(run, "effectsNotOnce").map(({ record }) => record))).toEqual(duplicated);
  });
});
