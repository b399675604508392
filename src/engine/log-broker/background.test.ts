/** Another producer on a sink's topic: what it writes is nobody's output, and waits for the sink's transactions. */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "../../scenario/parse.ts";
import {
  type Small,
  type Story,
  after,
  atTime,
  lane,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

/** One sink, and beside it another producer that writes every 70 ms. */
const beside = (more: Partial<Small> = {}, out: object = {}): Small => ({
  ...lane(1),
  ...more,
  topics: { out: { partitions: 1, background: { every: "70 ms" }, ...out } },
});
const row = (told: Story): { written: number; readable: number; longestDelay: number } | undefined =>
  told.report.background[0];
const committed = (told: Story): Story["report"]["delivery"][number] | undefined =>
  told.report.delivery.find(({ reader }) => reader === "read_committed");

describe("beside an exactly-once sink", () => {
  const told = story(small(beside({ faults: triggersAfter("in-0@5", "in-0@11") })));

  test("SK-011: its records have offsets of their own and are none of the job's output", () => {
    expect(row(told)?.written).toBe(told.all("BackgroundRecordWritten").length);
    expect(told.all("BackgroundRecordWritten").length).toBeGreaterThan(10);
    const offsets = [...told.values("BackgroundRecordWritten", "offset"), ...told.values("RecordWritten", "offset")];
    expect(new Set(offsets).size).toBe(offsets.length);
    for (const { reader, seen, lost, duplicated } of told.report.delivery)
      expect([reader, seen, lost, duplicated]).toEqual([reader, 12, [], []]);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("KF-033: a plain record waits for the transaction before it, which a committed reader stands still behind", () => {
    const [first] = told.all("RecordWritten");
    const [waits] = told.all("BackgroundRecordWritten").filter(({ step }) => step > (first?.step ?? 0));
    const ended = told.first("TransactionCommitted");
    expect(row(told)?.longestDelay).toBeGreaterThanOrEqual(ended.clock - (waits?.clock ?? 0));
    expect(committed(told)?.stalls[0]).toEqual({
      from: waits?.clock,
      to: ended.clock,
      partition: "out-0",
      transaction: "P-0-1",
    });
    expect(row(told)?.readable).toBe(row(told)?.written);
  });

  test("KF-032: who reads uncommitted records waits for nobody", () => {
    expect(told.report.delivery.find(({ reader }) => reader === "read_uncommitted")?.stalls).toEqual([]);
  });
});

test("KF-033, KF-020: a transaction that nobody ends holds them back until the broker gives it up", () => {
  const killed = story(
    small(
      beside({
        vertices: [source("S"), sink("K", { properties: { "transaction.timeout.ms": "20 s" } })],
        edges: ["S forward K"],
        cluster: { taskManagers: 1, slots: 1 },
        config: { "slot.request.timeout": "10 min" },
        faults: [after("RecordWritten", { record: "in-0@3" }, "kill-taskmanager", { target: "tm-1" })],
        until: { time: 60_000 },
      }),
    ),
  );
  expect(killed.first("TransactionTimedOut").clock).toBeGreaterThan(20_000);
  expect(row(killed)?.longestDelay).toBeGreaterThan(20_000 - 70);
  expect(row(killed)?.readable).toBe(row(killed)?.written);
});

test("KF-033: what still waits when the run ends has waited until then", () => {
  const open = story(small(beside({ until: { time: 2000 } })));
  const { written = 0, readable = 0, longestDelay = 0 } = row(open) ?? {};
  expect(readable).toBeLessThan(written);
  expect(longestDelay).toBeGreaterThan(1500);
});

test("KF-033: a sink that writes without transactions holds nobody up", () => {
  const plain = story(
    small(beside({ vertices: [source("S"), sink("K", { delivery: "at-least-once" })], edges: ["S forward K"] })),
  );
  expect(row(plain)).toMatchObject({ longestDelay: 0 });
  expect(committed(plain)?.stalls).toEqual([]);
});

test("FI-76: while the log is away nothing is written to it", () => {
  const down = story(small(beside({ faults: [atTime(500, "broker-down", { for: "400 ms" })] })));
  const times = down.times("BackgroundRecordWritten");
  expect(times.filter((time) => time > 500 && time < 900)).toEqual([]);
  expect(times.some((time) => time > 900)).toBe(true);
  expect(down.report.verdict.endToEnd).toBe("exactly-once");
});

test("a run that can go no further ends, though the other producer could write for ever", () => {
  const stuck = story(
    small(
      beside({
        vertices: [source("S"), sink("K", { delivery: "none" })],
        edges: ["S forward K"],
        checkpointing: { interval: null },
        faults: [atTime(300, "stall", { target: "S[0]" })],
      }),
    ),
  );
  expect(stuck.report.ended).toBe("stuck");
});

test("another producer goes on when the next job has begun", () => {
  const { vertices, edges } = lane(1);
  const told = story(
    small(
      beside({
        vertices,
        edges,
        config: { "execution.checkpointing.savepoint-dir": "file:///savepoints" },
        faults: [
          after("RecordWritten", { record: "in-0@5" }, "stop-with-savepoint"),
          after("JobStatusChanged", { to: "FINISHED" }, "restore", { from: "savepoint" }),
        ],
      }),
    ),
  );
  const next = told.first("JobSubmitted", { submission: 1 });
  expect(told.since(next).all("BackgroundRecordWritten").length).toBeGreaterThan(3);
  expect(told.report.verdict.endToEnd).toBe("exactly-once");
});

test("an input topic has no other producer beside its own records", () => {
  const parsed = scenarioFrom({
    format: 1,
    job: { vertices: [source("S"), sink("K")], edges: [{ from: "S", to: "K", ship: "forward" }] },
    topics: { in: { records: 3, background: { every: "1 s" } }, out: { background: { every: "0 ms" } } },
  });
  expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual(["topics.out.background.every"]);
  const beyond = scenarioFrom({
    format: 1,
    job: { vertices: [source("S"), sink("K")], edges: [{ from: "S", to: "K", ship: "forward" }] },
    topics: { in: { records: 3, background: { every: "1 s" } }, out: {} },
  });
  expect(beyond.ok ? [] : beyond.problems).toMatchObject([{ path: "topics.in.background" }]);
});
