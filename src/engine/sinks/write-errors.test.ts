/** Writes that go wrong on the way to the log (FR-021, KF-003). */
import { describe, expect, test } from "vitest";
import { type Story, after, atTime, lane, small, story, triggersAfter } from "../testing/stories.ts";

const exactly = { state: "exactly-once", endToEnd: "exactly-once" };
const fails = (kind: string, count = 1, time = 350): object =>
  atTime(time, "sink-write-error", { target: "K[0]", kind, count });

const run = (faults: readonly object[], more: object = {}): Story =>
  story(
    small({
      ...lane(1, { chain: false }),
      faults: [...triggersAfter("in-0@4", "in-0@8"), ...(faults as never[])],
      ...more,
    }),
  );
const written = (told: Story): string[] => told.words("RecordWritten", "record");

describe("a write that may be tried again", () => {
  test("FR-021, KF-003: it is sent again after 100 ms, and what was sent behind it stays behind it", () => {
    const told = run([fails("retriable", 3, 100)], { topics: { in: { records: 12, every: "20 ms" } } });
    const failed = told.all("WriteFailed");
    expect(failed.map(({ record }) => record)).toEqual(Array.from({ length: 3 }, () => failed[0]?.["record"]));
    const first = told.first("RecordWritten", { record: failed[0]?.["record"] });
    expect(first.clock - (failed[0]?.clock ?? 0)).toBe(300);
    expect(written(told)).toEqual(Array.from({ length: 12 }, (_, offset) => `in-0@${offset}`));
    expect(told.report.recoveries).toEqual([]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-141, SK-100: a flush at the barrier waits for it", () => {
    const told = run([fails("retriable", 5, 405)]);
    const [failed, last] = [told.first("WriteFailed"), told.last("WriteFailed")];
    expect(last.clock - failed.clock).toBe(400);
    const taken = told.first("SnapshotTaken", { subtask: "K[0]", checkpoint: 1 });
    expect(taken.clock).toBeGreaterThan(last.clock + 100);
    expect(told.report.verdict).toEqual(exactly);
  });
});

describe("a write that fails for good", () => {
  test.each([
    ["fatal", "WRITE_FAILED"],
    ["known", "PRODUCER_FENCED"],
  ])("FR-021: %s: a write is never dropped; the task fails and writes it again", (kind, failure) => {
    const told = run([fails(kind)]);
    expect(told.first("TaskFailed")).toMatchObject({ subtask: "K[0]", failure });
    const { record } = told.first("WriteFailed");
    expect(told.all("RecordWritten", { record })).toHaveLength(1);
    expect(told.report.recoveries).toHaveLength(1);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-101: without transactions what was written before it is written again", () => {
    const told = run([fails("fatal")], {
      vertices: lane(1, { chain: false }).vertices.map((vertex) =>
        vertex["type"] === "kafka-sink"
          ? { uid: "K", type: "kafka-sink", topic: "out", delivery: "at-least-once", chain: false }
          : vertex,
      ),
    });
    expect(told.report.delivery[0]).toMatchObject({ lost: [] });
    expect(told.report.delivery[0]?.duplicated.length).toBeGreaterThan(0);
    expect(told.report.verdict.endToEnd).toBe("at-least-once");
  });
});

describe("a write whose reply is lost", () => {
  test("KF-003: the repeat is acknowledged and not appended, and a flush waits for that", () => {
    const told = run([fails("reply-lost", 1, 405)]);
    const { record, clock } = told.first("WriteRepeated");
    expect(told.times("RecordWritten", { record })).toEqual([clock - 100]);
    expect(told.first("TransactionPreCommitted").clock).toBeGreaterThanOrEqual(clock);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("KF-003: without transactions there is no double of it either", () => {
    const told = run([fails("reply-lost", 4)], {
      vertices: lane(1, { chain: false }).vertices.map((vertex) =>
        vertex["type"] === "kafka-sink"
          ? { uid: "K", type: "kafka-sink", topic: "out", delivery: "at-least-once", chain: false }
          : vertex,
      ),
    });
    expect(told.all("WriteRepeated")).toHaveLength(4);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });
});

test("sink-write-error takes a subtask that has a sink, and one of four kinds", () => {
  expect(() => run([atTime(0, "sink-write-error", { target: "M[0]", kind: "fatal" })])).toThrow(/No sink runs/);
  expect(() => run([fails("odd")])).toThrow(/retriable/);
  expect(() => run([after("RecordWritten", {}, "broker-up", { for: "3 s" })])).toThrow(/for/);
});
