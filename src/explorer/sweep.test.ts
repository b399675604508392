/**
 * What kill sweeps of the library scenarios come to. `npm test` takes a part of each, spread over the whole run,
 * `npm run test:long` every single failure and 10,000 pairs.
 */
import { describe, expect, test } from "vitest";
import { newLeaderForgetsStore } from "../engine/defects.ts";
import { withFaults, libraryScenario, setDelivery } from "../engine/testing/runs.ts";
import { runScenario } from "../engine/run.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type SweepTotals, faultText } from "../scenario/exploration.ts";
import { sweepOf } from "./testing/sweeps.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";
const ids = ["linear", "order-totals", "shuffle", "two-lanes"] as const;

/** One of so many pieces is carried out, so that a sample takes a second or two. */
const every = { linear: 3, "order-totals": 37, shuffle: 13, "two-lanes": 13 } as const;
const sample = (id: keyof typeof every): { every: number; pairs: number } =>
  long ? { every: 1, pairs: 10_000 } : { every: every[id], pairs: 200 };

function withDelivery(id: string, delivery: string, linger: string | null = null): Scenario {
  return libraryScenario(id, (source) => {
    setDelivery(source, delivery);
    for (const vertex of (source["job"] as { vertices: { type: string; properties?: object }[] }).vertices)
      if (linger !== null && vertex.type === "kafka-sink") vertex.properties = { "linger.ms": linger };
  });
}

/** Verdicts that some run has. */
const verdicts = ({ outcomes }: SweepTotals): string[] =>
  Object.entries(outcomes).flatMap(([word, count]) => (count > 0 ? [word] : []));

describe("an exactly-once sink", () => {
  test.each(ids)(
    "INV-033, INV-120: %s: every failure ends exactly once in state and end to end, but where the job itself fails",
    (id) => {
      const totals = sweepOf(libraryScenario(id), sample(id));
      console.log(`${id}: ${totals.runs} runs, ${totals.distinct} distinct. ${totals.covered}`);
      expect(totals.violations).toEqual([]);
      // Two TaskManagers gone for good leave too few slots: the job fails, and what it had read and not committed is lost.
      expect(totals.harmful.filter(({ flags }) => !flags.includes("jobFailed"))).toEqual([]);
      expect(totals.harmfulCount).toBeLessThanOrEqual(totals.flags.jobFailed);
      expect(totals.harmful.every(({ injections }) => injections.length === 2)).toBe(true);
      expect(totals.flags.stuck).toBe(0);
      expect(totals.runs).toBeGreaterThan(long ? 10_000 : 150);
    },
  );
});

describe("single failures of order-totals", () => {
  test("INV-033, INV-120: with an exactly-once sink all end exactly once in state and end to end", () => {
    const totals = sweepOf(libraryScenario("order-totals"), { every: long ? 1 : 11 });
    expect(totals.violations).toEqual([]);
    expect(totals.harmfulCount).toBe(0);
    expect(totals.flags).toMatchObject({ stuck: 0, jobFailed: 0 });
    expect(totals.outcomes["exactly-once"]).toBe(totals.runs);
    expect(totals.runs).toBeGreaterThan(long ? 40_000 : 3000);
  });
});

describe("with a standby (FR-100)", () => {
  const withStandby = (id: string, delivery = "exactly-once"): Scenario =>
    libraryScenario(id, (source) => {
      setDelivery(source, delivery);
      source["config"] = { ...(source["config"] as object), "high-availability.type": "zookeeper" };
    });

  test.each(ids)(
    "INV-120, FR-102: %s: the JobManager is lost before any entry of the run, and all ends exactly once",
    (id) => {
      const totals = sweepOf(withStandby(id), { every: every[id] });
      expect(totals.covered).toContain("kill-jobmanager (1)");
      expect(totals.violations).toEqual([]);
      expect(totals.harmfulCount).toBe(0);
      expect(totals.flags).toMatchObject({ stuck: 0, jobFailed: 0 });
      expect(totals.runs).toBe(totals.outcomes["exactly-once"]);
    },
  );

  test("INV-120: pairs of failures, the JobManager among them, harm only where the job itself fails", () => {
    const totals = sweepOf(withStandby("linear"), sample("linear"));
    expect(totals.violations).toEqual([]);
    expect(totals.harmful.filter(({ flags }) => !flags.includes("jobFailed"))).toEqual([]);
    expect(totals.flags.stuck).toBe(0);
  });

  test("FR-102: a leader that does not read the store is caught by some single loss of the JobManager", () => {
    const totals = sweepOf(withStandby("linear"), { every: every.linear, defects: newLeaderForgetsStore });
    expect(totals.violations.map(({ injections }) => injections[0]?.command.do)).toContain("kill-jobmanager");
  });
});

describe("weaker sinks do the harm that they may do, and no other", () => {
  test.each(ids)("INV-125: %s, at-least-once: some runs double records, none loses any", (id) => {
    const totals = sweepOf(withDelivery(id, "at-least-once"), { every: sample(id).every });
    expect(totals.violations).toEqual([]);
    expect(verdicts(totals)).toEqual(["exactly-once", "at-least-once"]);
    expect(totals.harmful.every(({ state, lost }) => state === "exactly-once" && lost.length === 0)).toBe(true);
  });

  test.each(ids)(
    "SK-150: %s, none: some runs double records, and where the producer holds them back some lose them",
    (id) => {
      const prompt = sweepOf(withDelivery(id, "none"), { every: sample(id).every });
      const holding = sweepOf(withDelivery(id, "none", "3 s"), { every: sample(id).every });
      expect([...prompt.violations, ...holding.violations]).toEqual([]);
      expect(prompt.harmful.some(({ duplicated }) => duplicated.length > 0)).toBe(true);
      expect(holding.harmful.some(({ lost }) => lost.length > 0)).toBe(true);
      expect([...prompt.harmful, ...holding.harmful].every(({ state }) => state === "exactly-once")).toBe(true);
    },
  );
});

describe("one rule broken on purpose is caught by some single failure, and the sweep says which", () => {
  const broken = (id: string, rule: string): Scenario =>
    libraryScenario(id, (source) => {
      source["broken"] = [rule];
    });
  test.each([
    [
      "INV-113: a commit at the barrier instead of at the notification",
      "order-totals",
      "commit-at-barrier",
      "at-least-once",
    ],
    // In order-totals both barriers always arrive together; in shuffle they do not.
    ["INV-002: no alignment", "shuffle", "no-alignment", "at-least-once"],
    ["INV-109: a source offset that is not restored", "order-totals", "source-forgets-offset", "at-most-once"],
  ] as const)("%s", (_, id, rule, verdict) => {
    const totals = sweepOf(broken(id, rule), { every: every[id] });
    expect(totals.violations).toEqual([]);
    expect(totals.harmful[0]).toMatchObject({ verdict });
  });
});

describe("merging runs that come to one world", () => {
  const cases = ids.flatMap((id) => [[id, "exactly-once"] as const, [id, "at-least-once"] as const]);
  test.each(cases)("changes nothing, whatever the seed of the fingerprint: %s, %s", (id, delivery) => {
    const scenario = withDelivery(id, delivery);
    const part = { every: every[id] * (long ? 1 : 2), pairs: long ? 1000 : 60 };
    const merged = sweepOf(scenario, part);
    const other = sweepOf(scenario, { ...part, fingerprintSeed: 77 });
    const { distinct, ...apart } = sweepOf(scenario, { ...part, merge: false });
    expect(other).toEqual(merged);
    expect({ ...merged, distinct: 0 }).toEqual({ ...apart, distinct: 0 });
    expect(distinct).toBe(apart.runs);
    expect(merged.distinct).toBeLessThan(apart.runs / 2);
  });
});

test("each reported run, run again as a scenario with its faults, has the verdict that was reported", () => {
  const totals = sweepOf(withDelivery("order-totals", "none", "3 s"), { every: 20, pairs: 300 });
  expect(totals.harmfulCount).toBeGreaterThan(50);
  for (let i = 0; i < totals.harmful.length; i += Math.ceil(totals.harmful.length / 40)) {
    const { injections, verdict, state } = totals.harmful[i] as SweepTotals["harmful"][number];
    const faults = injections.map(faultText);
    const { report } = runScenario(
      withFaults("order-totals", faults, (source) => {
        setDelivery(source, "none");
        (source["job"] as { vertices: { properties: object }[] }).vertices[2]!.properties = { "linger.ms": "3 s" };
      }),
    );
    expect({ verdict: report.verdict.endToEnd, state: report.verdict.state }).toEqual({ verdict, state });
  }
});
