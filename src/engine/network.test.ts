/** Channels: in order, bounded, in credit (`checkpointing.md` 6; `recovery-and-sinks.md` 7). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { libraryScenario } from "./testing/runs.ts";
import {
  type Story,
  atTime,
  before,
  counter,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

const library = ["order-totals", "linear", "shuffle", "two-lanes"];

/** For each channel what was put in and what was taken out, as `record` or `|checkpoint`. */
function traffic(run: Story): Map<string, { in: string[]; out: string[] }> {
  const channels = new Map(
    run.result.graph.channels.map(({ name }) => [name, { in: [] as string[], out: [] as string[] }]),
  );
  for (const { type, channel, record, checkpoint } of run.entries) {
    const list = channels.get(channel as string);
    if (type === "RecordSent") list?.in.push(record as string);
    if (type === "RecordReceived") list?.out.push(record as string);
    if (type === "BarrierEmitted") list?.in.push(`|${Number(checkpoint)}`);
    if (type === "BarrierReceived") list?.out.push(`|${Number(checkpoint)}`);
  }
  return channels;
}

/** The most records that a channel ever held. */
function fullest(run: Story, channel: string): number {
  let [held, most] = [0, 0];
  for (const entry of run.entries) {
    if (entry["channel"] !== channel) continue;
    held += entry.type === "RecordSent" ? 1 : entry.type === "RecordReceived" ? -1 : 0;
    most = Math.max(most, held);
  }
  return most;
}

describe("order", () => {
  test.each(library)(
    "CP-032: in %s each channel gives what was put in, in that order, barriers behind all records sent before them",
    (id) => {
      const run = story(libraryScenario(id));
      for (const { in: sent, out } of traffic(run).values()) {
        expect(sent.length).toBeGreaterThan(0);
        expect(out).toEqual(sent);
      }
    },
  );
});

describe("bounds", () => {
  /** A fast source before a slow task; the channel between them has three buffers. */
  const slow = (more: Record<string, unknown>, faults: Record<string, unknown>[] = []): Story =>
    story(
      small({
        vertices: [source("S"), { chain: false, cost: 50, ...more }, sink("K", { delivery: "at-least-once" })],
        edges: ["S forward M capacity=3", "M forward K"],
        topics: { in: { records: 30, every: "1 ms" } },
        faults,
      }),
    );

  test("CP-038: a channel holds as many records as it has buffers, no more; its producer waits", () => {
    const run = slow({ uid: "M", type: "map" });
    expect(fullest(run, "S[0]->M[0]")).toBe(3);
    // From the fourth on, the source goes at the speed of the task behind it.
    const gaps = run
      .times("RecordEmitted")
      .map((time, i, all) => time - (all[i - 1] ?? time))
      .slice(5);
    expect(new Set(gaps)).toEqual(new Set([50]));
  });

  test("CP-038: a task takes no further input while a channel of its is full, so what one record becomes always fits", () => {
    const run = story(
      small({
        vertices: [
          source("S"),
          { uid: "F", type: "flat-map", fanOut: 4, chain: false },
          { uid: "M", type: "map", cost: 50, chain: false },
          sink("K", { delivery: "at-least-once" }),
        ],
        edges: ["S forward F", "F forward M capacity=3", "M forward K"],
        topics: { in: { records: 10, every: "1 ms" } },
      }),
    );
    // Two in the channel leave one buffer free; the four outputs of the next record come on top.
    expect(fullest(run, "F[0]->M[0]")).toBe(6);
  });

  test("CP-038: a barrier needs no buffer: it enters a full channel, behind the records", () => {
    const run = slow({ uid: "M", type: "map" }, [atTime(300, "trigger-checkpoint")]);
    expect(run.first("BarrierEmitted", { subtask: "S[0]" }).clock).toBe(301);
    const received = run.first("BarrierReceived", { subtask: "M[0]" });
    expect(received.clock).toBeGreaterThan(400);
    const held = run.until(run.first("BarrierEmitted", { subtask: "S[0]" }));
    expect(
      held.all("RecordSent").filter(({ channel }) => channel === "S[0]->M[0]").length -
        held.all("RecordReceived", { subtask: "M[0]" }).length,
    ).toBe(3);
  });

  test("CP-038, CP-051: whatever the capacity and the speeds, every channel stays in its bound and nothing is lost", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 40 }),
        (capacity, first, second, latency) => {
          const run = story(
            small({
              vertices: [source("S", { cost: first }), counter("M", { cost: second }), sink("K")],
              edges: [`S forward M capacity=${capacity} latency=${latency}`, `M forward K capacity=${capacity}`],
              topics: { in: { records: 25, every: "3 ms" } },
              faults: triggersAfter("in-0@5", "in-0@15"),
            }),
          );
          for (const { name } of run.result.graph.channels) expect(fullest(run, name)).toBeLessThanOrEqual(capacity);
          expect([run.report.ended, run.report.verdict.endToEnd]).toEqual(["drained", "exactly-once"]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("a restart", () => {
  test("FR-092: records in channels of restarted subtasks vanish, those of the other lane are all received", () => {
    const run = story(
      small({
        ...lane(2, { chain: false }),
        edges: ["S forward M latency=30", "M forward K"],
        cluster: { taskManagers: 2 },
        topics: { in: { partitions: 2, records: 40, every: "10 ms", keys: 4 }, out: { partitions: 2 } },
        faults: [
          ...triggersAfter("in-0@8"),
          before("RecordReceived", { subtask: "M[0]", record: "in-0@18" }, "fail-task", { target: "M[0]" }),
        ],
      }),
    );
    const created = run.first("AttemptCreated", { subtask: "M[0]", attempt: 1 });
    const [sent, received] = [
      run.until(created).words("RecordSent", "record", { channel: "S[0]->M[0]" }),
      run.until(created).words("RecordReceived", "record", { channel: "S[0]->M[0]" }),
    ];
    const vanished = sent.slice(received.length);
    expect(vanished).toContain("in-0@18");
    // Exactly what checkpoint 1 does not cover is read again: from record 9 on.
    expect(run.since(created).words("RecordReceived", "record", { channel: "S[0]->M[0]" })).toEqual(
      Array.from({ length: 11 }, (_, i) => `in-0@${i + 9}`),
    );
    const other = traffic(run).get("S[1]->M[1]");
    expect(other?.out).toEqual(other?.in);
    expect(other?.out.filter((item) => !item.startsWith("|"))).toEqual(
      Array.from({ length: 20 }, (_, i) => `in-1@${i}`),
    );
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});
