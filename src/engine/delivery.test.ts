/**
 * Delivery semantics (`recovery-and-sinks.md` 9): what each kind of Kafka sink is at rest after one failure anywhere, with a
 * replayable source. The matrix of SK-040 as far as today's sources, sinks and modes reach.
 */
import { describe, expect, test } from "vitest";
import { referenceOf } from "../scenario/reference.ts";
import type { Reader } from "../protocol/sinks.ts";
import type { DeliveryRow, Verdict, VerdictWord } from "../scenario/report.ts";
import { ledgerOf } from "./ledger.ts";
import { Course } from "./course.ts";
import { Simulation } from "./simulation.ts";
import { command, libraryScenario } from "./testing/runs.ts";
import { type Small, atTime, counter, fixedDelay, sink, small, source, story } from "./testing/stories.ts";

interface End {
  readonly verdict: Verdict;
  readonly rows: Readonly<Record<Reader, DeliveryRow>>;
}

const job = (delivery: string, more: Partial<Small> = {}): Small => ({
  vertices: [
    source("S"),
    counter("M"),
    sink("K", {
      delivery,
      slotSharingGroup: "k",
      properties: { "transaction.timeout.ms": "15 min", ...(delivery === "none" && { "linger.ms": 150 }) },
    }),
  ],
  edges: ["S forward M", "M forward K"],
  cluster: { taskManagers: 2, slots: 2 },
  restart: fixedDelay(9, "100 ms"),
  checkpointing: { interval: "300 ms" },
  initialDelay: 200,
  ...more,
});

/** One failure at every third step: each task fails, each process goes and comes back. */
function ends(parts: Small): End[] {
  const scenario = small(parts);
  const reference = referenceOf(scenario);
  const course = new Course(Simulation.start(scenario, { log: null }));
  const { subtasks, taskManagers } = course.simulation.session.plan.graph;
  const commands = [
    ...subtasks.map(({ name }) => command("fail-task", name)),
    ...taskManagers.map((name) => command("restart-taskmanager", name)),
  ];
  const all: End[] = [];
  while (course.ended === null) {
    for (const act of course.simulation.world.step % 3 === 0 ? commands : []) {
      const clone = course.simulation.clone();
      clone.submit(act);
      const branch = new Course(clone);
      while (branch.ended === null) branch.advance();
      const { verdict, delivery } = ledgerOf(clone.kernel, reference);
      all.push({
        verdict,
        rows: Object.fromEntries(delivery.map((row) => [row.reader, row])) as Record<Reader, DeliveryRow>,
      });
    }
    course.advance();
  }
  return all;
}

/** Could anything be lost, or doubled, for this reader? */
function told(all: readonly End[], reader: Reader = "read_committed"): { loss: boolean; dup: boolean; runs: boolean } {
  return {
    loss: all.some(({ rows }) => rows[reader].lost.length > 0),
    dup: all.some(({ rows }) => rows[reader].duplicated.length > 0),
    runs: all.length > 100,
  };
}

/** SK-032. */
function wordOf({ lost, duplicated, pending, unprocessed }: DeliveryRow): VerdictWord {
  if (lost.length > 0 && duplicated.length > 0) return "broken";
  if (lost.length > 0) return "at-most-once";
  if (duplicated.length > 0) return "at-least-once";
  return pending.length + unprocessed.length > 0 ? "pending" : "exactly-once";
}

describe("a replayable source with checkpoints, after one failure at any moment", () => {
  const byDelivery = new Map(
    ["none", "at-least-once", "exactly-once"].map((delivery) => [delivery, ends(job(delivery))]),
  );
  const of = (delivery: string): End[] => byDelivery.get(delivery) ?? [];

  test("SK-040: without a flush at the barrier loss and duplicates are possible", () => {
    expect(told(of("none"))).toEqual({ loss: true, dup: true, runs: true });
  });

  test("SK-040: flushed at the barrier there is no loss, but there are duplicates", () => {
    expect(told(of("at-least-once"))).toEqual({ loss: false, dup: true, runs: true });
  });

  test("SK-040, SK-043: transactional, a committed reader has neither, a dirty one duplicates", () => {
    expect(told(of("exactly-once"))).toEqual({ loss: false, dup: false, runs: true });
    expect(told(of("exactly-once"), "read_uncommitted")).toEqual({ loss: false, dup: true, runs: true });
  });

  test("SK-031: the state is exactly once whatever the sink", () => {
    for (const [, all] of byDelivery)
      expect(new Set(all.map(({ verdict }) => verdict.state))).toEqual(new Set(["exactly-once"]));
  });

  test("SK-032: the verdict is what was lost and doubled, for a committed reader; what one failure can lead to comes up", () => {
    const words = new Set<VerdictWord>();
    for (const [, all] of byDelivery) {
      for (const { verdict, rows } of all) {
        words.add(verdict.endToEnd);
        if (verdict.endToEnd !== wordOf(rows.read_committed))
          throw new Error(`${verdict.endToEnd}: ${JSON.stringify(rows.read_committed)}`);
      }
    }
    expect([...words].toSorted()).toEqual(["at-least-once", "at-most-once", "exactly-once"]);
  });
});

describe("a replayable source without checkpoints", () => {
  const off = (delivery: string, restart: Small["restart"]): ReturnType<typeof story> =>
    story(
      small(
        job(delivery, {
          checkpointing: { interval: null },
          restart: restart ?? {},
          faults: [atTime(650, "fail-task", { target: "M[0]" })],
        }),
      ),
    );
  const row = (run: ReturnType<typeof story>, reader: Reader): DeliveryRow | undefined =>
    run.report.delivery.find((candidate) => candidate.reader === reader);

  test("SK-040: with no restart the job is FAILED; what was written stays, of a transactional sink nothing is ever visible", () => {
    for (const delivery of ["at-least-once", "exactly-once"]) {
      const run = off(delivery, {});
      expect(run.report.job.status).toBe("FAILED");
      expect(row(run, "read_uncommitted")).toMatchObject({ seen: 7, duplicated: [] });
      expect(row(run, "read_committed")).toMatchObject({ seen: delivery === "exactly-once" ? 0 : 7 });
    }
  });

  test("SK-040: restarted it begins at the start again: the whole prefix twice, state that is right again, transactions never visible", () => {
    const plain = off("at-least-once", fixedDelay(3, "100 ms"));
    const prefix = Array.from({ length: 7 }, (_, i) => `in-0@${i}`);
    expect(row(plain, "read_committed")).toMatchObject({ lost: [], duplicated: prefix });
    expect(plain.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
    const transactional = off("exactly-once", fixedDelay(3, "100 ms"));
    expect(row(transactional, "read_committed")).toMatchObject({ seen: 0 });
    expect(row(transactional, "read_uncommitted")).toMatchObject({ duplicated: prefix });
    expect(transactional.all("TransactionCommitted")).toEqual([]);
  });
});

test.each(["order-totals", "linear", "shuffle", "two-lanes", "unaligned", "aligned-timeout"])(
  "INV-030: in %s, where nothing fails, every checkpoint completes",
  (id) => {
    const { checkpoints, verdict } = story(libraryScenario(id)).report;
    expect(checkpoints.length).toBeGreaterThan(2);
    expect(new Set(checkpoints.map(({ status }) => status))).toEqual(new Set(["COMPLETED"]));
    expect(verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  },
);
