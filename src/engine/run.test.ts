/** How a run ends (the contract's `until`). */
import { describe, expect, test } from "vitest";
import { after, lane, small, source, sink, story } from "./testing/stories.ts";

const job = {
  vertices: [source("S", { chain: true }), sink("K", { chain: true, delivery: "at-least-once" })],
  edges: ["S forward K"],
};

describe("a run ends where its scenario says", () => {
  test("at a time: the last entry is not later", () => {
    for (const time of [0, 350, 400, 999, 5500]) {
      const { entries, report } = story(small({ ...job, until: { time } }));
      expect(report.ended).toBe("time");
      expect(Math.max(...entries.map(({ clock }) => clock))).toBeLessThanOrEqual(time);
    }
    const records = story(small({ ...job, until: { time: 400 } })).all("RecordEmitted");
    expect(records).toHaveLength(4);
  });

  test("after so many steps", () => {
    const { entries, report } = story(small({ ...job, until: { steps: 17 } }));
    expect([report.ended, entries.length]).toEqual(["steps", 17]);
  });

  test("after an event, or the nth such", () => {
    const first = story(small({ ...job, until: { after: "RecordWritten" } }));
    expect([first.report.ended, first.entries.at(-1)?.["record"]]).toEqual(["event", "in-0@0"]);
    const third = story(small({ ...job, until: { after: "RecordWritten", nth: 3 } }));
    expect([third.report.ended, third.entries.at(-1)?.["record"]]).toEqual(["event", "in-0@2"]);
  });

  test("drained: not while a fault with a time is still to come", () => {
    const { report, entries } = story(
      small({ ...job, faults: [{ at: { time: 20_000 }, do: "fail-task", target: "S[0]" }] }),
    );
    expect(report.ended).toBe("drained");
    expect(entries.some(({ type }) => type === "TaskFailed")).toBe(true);
    expect(report.clock).toBeGreaterThan(21_000);
  });

  test("drained: though checkpoints follow one another or overlap without a gap", () => {
    // Whenever one completes, a task is in the middle of its part of another.
    const overlapping = (interval: number, duration: number): string =>
      story(
        small({
          ...lane(1, { chain: false }),
          timing: { "snapshot.sync": 20, "snapshot.async": duration },
          checkpointing: { interval: `${interval} ms`, "max-concurrent-checkpoints": 3 },
          initialDelay: 100,
        }),
      ).report.ended;
    for (let duration = 50; duration < 200; duration += 10) expect(overlapping(60, duration)).toBe("drained");
  });

  test("a fault whose event never comes is told, and does not keep the run from its end", () => {
    const { report } = story(small({ ...job, faults: [after("CheckpointCompleted", { checkpoint: 99 }, "fail-job")] }));
    expect(report.ended).toBe("drained");
    expect(report.notices).toContainEqual(expect.objectContaining({ code: "FAULT_NEVER_FIRED", path: "faults[0]" }));
  });
});
