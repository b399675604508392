/** A job that is started from a drawn cut; random cuts, and what they lose or double, are in `projection/drawn-cut.test.ts`. */
import { describe, expect, test } from "vitest";
import { recordsOf } from "./testing/sinks.ts";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  fixedDelay,
  sink,
  small,
  source,
  story,
} from "./testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

const cut = (places: Json, record = "in-0@4"): Json =>
  after("RecordEmitted", { record }, "restore-cut", { cut: places });

/** S -> M -> K, where records are long on their way to M. */
const job = (faults: readonly Json[], more: Partial<Small> = {}): Story =>
  story(
    small({
      vertices: [source("S"), counter("M"), sink("K")],
      edges: ["S forward M latency=250", "M forward K"],
      faults,
      ...more,
    }),
  );

const outcome = ({ report: { delivery, verdict } }: Story): unknown => ({
  lost: delivery[0]?.lost,
  duplicated: delivery[0]?.duplicated,
  verdict: verdict.endToEnd,
});
const right = { lost: [], duplicated: [], verdict: "exactly-once" };

describe("X-03: a job from a drawn cut", () => {
  test("each subtask gives its part behind so many of its entries; what is in transit is restored first", () => {
    const told = job([cut({ "S[0]": 3 })]);
    expect(told.told("CutPartTaken", "JobSubmitted", "ChannelStateRestored")).toMatchInlineSnapshot(`
      [
        "CutPartTaken S[0]",
        "CutPartTaken M[0]",
        "CutPartTaken K[0]",
        "JobSubmitted 1",
        "ChannelStateRestored M[0] 1",
      ]
    `);
    const restored = told.first("ChannelStateRestored");
    expect(told.since(restored).words("RecordReceived", "record", { subtask: "M[0]" })[0]).toBe("in-0@2");
    expect(outcome(told)).toEqual(right);
    expect(told.report.submissions.map(({ status, from }) => [status, from])).toEqual([
      ["CANCELED", null],
      ["RUNNING", "cut"],
    ]);
    expect(told.report.invariants.checked).toEqual([]);
  });

  test("a reader that is behind what its sender has not sent makes a record come twice, and none is lost", () => {
    const told = job([cut({ "M[0]": 12, "K[0]": 8, log: 4 })]);
    expect(outcome(told)).toEqual({ lost: [], duplicated: ["in-0@5"], verdict: "at-least-once" });
  });

  test("what a sink writes behind its place does not come into the log, so even a sink that commits nothing is right", () => {
    for (const delivery of ["exactly-once", "at-least-once", "none"]) {
      const vertices = [source("S"), counter("M"), sink("K", { delivery })];
      const told = job([cut({ "S[0]": 12 })], { vertices });
      expect(told.words("WriteWithheld", "record")).toEqual(recordsOf(2, 7));
      expect(outcome(told)).toEqual(right);
    }
    const vertices = [source("S"), counter("M"), { uid: "K", type: "two-phase-commit-sink", chain: false }];
    expect(outcome(job([cut({ "S[0]": 12 })], { vertices }))).toEqual(right);
  });

  test("what it had on the way comes into its transaction, which is handed over as at a barrier", () => {
    const linger = { "transaction.timeout.ms": "15 min", "linger.ms": "40 ms" };
    const vertices = [source("S"), counter("M"), sink("K", { properties: linger })];
    const told = job([after("RecordProcessed", { record: "in-0@4", vertex: "K" }, "restore-cut")], { vertices });
    expect(told.told("RecordWritten", "TransactionPreCommitted").slice(3, 7)).toMatchInlineSnapshot(`
      [
        "RecordWritten K[0] P-0-1 in-0@3",
        "RecordWritten K[0] P-0-1 in-0@4",
        "TransactionPreCommitted K[0] P-0-1 1",
        "RecordWritten K[0] P-0-2 in-0@5",
      ]
    `);
    expect(outcome(told)).toEqual(right);
  });

  test("the log's own place decides what came into it", () => {
    const told = job([cut({ "S[0]": 8, log: 2 })]);
    expect(told.words("WriteWithheld", "record")).toEqual(["in-0@4", "in-0@5"]);
    expect(outcome(told)).toEqual({ lost: [], duplicated: ["in-0@2", "in-0@3"], verdict: "at-least-once" });
  });

  test("a split on its way to its reader is the coordinator's again", () => {
    const at = { after: "SplitAssigned" };
    const told = job([{ at, do: "restore-cut", cut: {} }]);
    expect(told.all("CutRefused").length + told.all("SplitAssigned").length).toBeGreaterThan(1);
    expect(outcome(told)).toEqual(right);
  });

  test("a cut is refused where a subtask gives no part, and the run goes on as it is", () => {
    const refusal = (faults: readonly Json[], more: Partial<Small> = {}): unknown[] => {
      const told = job(faults, more);
      expect(told.report.delivery[0]).toMatchObject({ lost: [], duplicated: [] });
      expect(told.all("JobSubmitted")).toEqual([]);
      const { refusal: reason, subtask } = told.first("CutRefused");
      return [reason, subtask];
    };
    expect(refusal([{ at: { step: 1 }, do: "restore-cut", cut: {} }])).toEqual(["NOT_RUNNING", null]);
    const fails = after("RecordEmitted", { record: "in-0@6" }, "fail-task", { target: "M[0]" });
    expect(refusal([cut({ "S[0]": 30 }), fails])).toEqual(["RESTARTED", null]);
    const files = [source("S"), counter("M"), { uid: "K", type: "file-sink", chain: false }];
    expect(refusal([cut({})], { vertices: files })).toEqual(["SINK_NOT_SUPPORTED", "K[0]"]);
    const bounded = [source("S", { bounded: true }), counter("M"), sink("K")];
    expect(refusal([after("EndOfDataReceived", {}, "restore-cut")], { vertices: bounded })).toEqual([
      "DATA_ENDED",
      null,
    ]);
    const away = [atTime(400, "broker-down", { for: "1 s" }), atTime(900, "restore-cut")];
    expect(refusal(away, { restart: fixedDelay(3, "1 s") })).toEqual(["LOG_NOT_REACHED", "K[0]"]);
  });
});
