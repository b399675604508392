/** A record that fails its task each time (the contract's `poison-record`): `recovery-and-sinks.md` 13.6, FI-56. */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "../scenario/parse.ts";
import {
  type Small,
  type Story,
  atTime,
  counter,
  fixedDelay,
  lane,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

/** S1: checkpoint 1 behind record 4, then 7 (offset 6) is poison. */
const poisoned = (more: Partial<Small> = {}, fault: Record<string, unknown> = {}): Story =>
  story(
    small({
      ...lane(1, { chain: false }),
      faults: [atTime(0, "poison-record", { record: "in-0@6", ...fault }), ...triggersAfter("in-0@3")],
      ...more,
    }),
  );
const processed = (run: Story, subtask: string): string[] => run.words("RecordProcessed", "record", { subtask });

describe("FI-56", () => {
  test("FI-56, FR-062: each attempt fails at the same record and restores the same checkpoint, until the fixed delay ends the job", () => {
    const run = poisoned({ restart: fixedDelay(3, "10 s") });
    expect(run.values("TaskFailed", "subtask")).toEqual(["M[0]", "M[0]", "M[0]", "M[0]"]);
    expect(run.all("TaskFailed").map(({ failure }) => failure)).toEqual(
      Array.from({ length: 4 }, () => "USER_EXCEPTION"),
    );
    expect(run.values("StateRestored", "checkpoint", { subtask: "M[0]" })).toEqual([1, 1, 1]);
    // It is never processed, and what is behind it is not either.
    expect(new Set(processed(run, "M[0]"))).toEqual(new Set([0, 1, 2, 3, 4, 5].map((offset) => `in-0@${offset}`)));
    expect(run.report.job).toMatchObject({ status: "FAILED", restarts: 3, failureCause: "M[0]: USER_EXCEPTION" });
    // Committed: what checkpoint 1 holds.
    expect(run.report.delivery.find(({ reader }) => reader === "read_committed")).toMatchObject({
      seen: 4,
      duplicated: [],
    });
  });

  test("FI-56, FR-064: with exponential delay it loops for ever, each time waiting longer; a run that does so is stuck", () => {
    const run = poisoned({ restart: { type: "exponential-delay", "exponential-delay.jitter-factor": 0 } });
    expect(run.values("RestartScheduled", "delay").slice(0, 3)).toEqual([1000, 1500, 2250]);
    expect(run.report).toMatchObject({ ended: "stuck", job: { status: "RESTARTING" } });
    expect(run.report.delivery.find(({ reader }) => reader === "read_committed")).toMatchObject({ seen: 4, lost: [] });
  });

  test("FI-56: with a checkpoint that completes in between, each attempt begins from a newer one, and fails at the same record", () => {
    const run = poisoned({
      restart: fixedDelay(2, "1 s"),
      faults: [atTime(0, "poison-record", { record: "in-0@6" }), ...triggersAfter("in-0@1", "in-0@3", "in-0@4")],
    });
    expect(new Set(run.values("StateRestored", "checkpoint"))).toEqual(new Set([3]));
    expect(run.report.job.status).toBe("FAILED");
  });
});

describe("whom it fails", () => {
  test("a vertex may be named: those before it process the record, and it does not", () => {
    const run = poisoned({ restart: { type: "none" } }, { vertex: "K" });
    expect(processed(run, "M[0]")).toContain("in-0@6");
    expect(processed(run, "K[0]")).not.toContain("in-0@6");
    expect(run.report.job.failureCause).toBe("K[0]: USER_EXCEPTION");
  });

  test("by default it is the first that the record reaches; in a chain its task fails with the source", () => {
    const run = story(
      small({
        vertices: [source("S", { chain: true }), counter("M", { chain: true }), sink("K", { chain: true })],
        edges: ["S forward M", "M forward K"],
        restart: { type: "none" },
        faults: [atTime(0, "poison-record", { record: "in-0@6" })],
      }),
    );
    expect(run.values("TaskFailed", "subtask")).toEqual(["S[0]"]);
    expect(run.words("RecordEmitted", "record")).toContain("in-0@6");
    expect(processed(run, "S[0]")).not.toContain("in-0@6");
  });

  test("before it acts the record is as any other", () => {
    const run = poisoned({ faults: [atTime(5000, "poison-record", { record: "in-0@6" })] });
    expect(run.report).toMatchObject({ ended: "drained", recoveries: [] });
  });

  test("names are checked", () => {
    const problems = (fault: object): string[] => {
      const parsed = scenarioFrom({
        format: 1,
        job: { vertices: [source("S"), sink("K")], edges: [{ from: "S", to: "K" }] },
        topics: { in: { records: 5 }, out: {} },
        faults: [{ at: { time: 0 }, do: "poison-record", ...fault }],
      });
      return parsed.ok ? [] : parsed.problems.map(({ path }) => path);
    };
    expect(problems({ record: "in-0@1", vertex: "K" })).toEqual([]);
    expect(problems({ record: "nowhere-0@1" })).toEqual(["faults[0].record"]);
    expect(problems({ record: "in-0@1", vertex: "X" })).toEqual(["faults[0].vertex"]);
    expect(problems({})).toEqual(["faults[0].record"]);
  });
});
