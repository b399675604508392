/** The shelf that the log tells of, beside what is in the engine's storage and what its jobs start from. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { type Small, after, atTime, lane, small, triggersAfter } from "../engine/testing/stories.ts";
import { EventNumber, type EventType } from "../protocol/events.ts";
import { advance, initialView } from "./fold.ts";
import { Shelf, type StoredSnapshot, availability, contentsOf, isShown, ownerOf } from "./shelf.ts";
import type { RunView } from "./views.ts";

type Json = Record<string, unknown>;

const again = { "restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": 3 };

/** Checkpoints at 3 and 6, a savepoint at 8, the end of the job at 9, and a job that goes on. */
const parts = (restore: Json, more: readonly Json[] = [], checkpointing: Json = {}): Small => ({
  ...lane(1),
  restart: { type: "none" },
  config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
  checkpointing: {
    dir: "file:///ck",
    "num-retained": 2,
    "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
    ...checkpointing,
  },
  faults: [
    ...triggersAfter("in-0@3", "in-0@6"),
    after("RecordEmitted", { record: "in-0@8" }, "trigger-savepoint"),
    atTime(1000, "cancel"),
    after("JobStatusChanged", { to: "CANCELED" }, "restore", { config: again, ...restore }),
    ...more,
  ],
});

const told = (
  given: Small,
): { shelf: Shelf; view: RunView; paths: string[]; log: ReturnType<typeof runScenario>["log"]; from: string[] } => {
  const scenario = small(given);
  const { graph, log, report } = runScenario(scenario);
  const view = initialView(scenario, graph);
  advance(view, log, log.length - 1);
  return {
    shelf: new Shelf(initialView(scenario, graph).shared, log),
    view,
    log,
    paths: report.files.flatMap(({ path }) => (path.endsWith("/_metadata") ? [path.replace("/_metadata", "")] : [])),
    from: report.submissions.flatMap(({ from }) => (from === null ? [] : [from])),
  };
};
const lines = (entries: readonly StoredSnapshot[]): string[] =>
  entries
    .filter(isShown)
    .map(({ submission, checkpoint, kind, deletedAt, holders }) =>
      [`${submission}/${checkpoint}`, kind, holders.join(">"), deletedAt < 0 ? "there" : "deleted"].join(" "),
    );
const stepOf = (log: ReturnType<typeof runScenario>["log"], type: EventType, nth = 1): number => {
  let seen = 0;
  for (let step = 0; step < log.length; step++) if (log.type(step) === EventNumber[type] && ++seen === nth) return step;
  throw new Error(`no ${type}`);
};

describe("what is there", () => {
  const onward = [after("RecordEmitted", { record: "in-0@11", submission: 1 }, "trigger-checkpoint")];
  const cases: [string, Small][] = [
    ["from a savepoint", parts({ from: "savepoint" }, onward)],
    ["claimed", parts({ from: "savepoint", claimMode: "CLAIM" }, onward)],
    ["a claimed checkpoint", parts({ from: "checkpoint", claimMode: "CLAIM" }, onward, { "num-retained": 1 })],
    ["under the same id", parts({ from: "checkpoint", jobId: "same" }, onward)],
    ["nothing is retained", parts({ from: "savepoint" }, onward, { "externalized-checkpoint-retention": null })],
    [
      "a savepoint of the second job",
      parts({ from: "savepoint" }, [after("RecordEmitted", { record: "in-0@10", submission: 1 }, "trigger-savepoint")]),
    ],
  ];

  test.each(cases)("CP-112, CP-162, CP-168: %s: what is not deleted is what storage has at the end", (_, given) => {
    const { shelf, log, paths, from } = told(given);
    const there = shelf.at(log.length - 1).filter(({ deletedAt }) => deletedAt < 0);
    expect(there.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    expect(shelf.at(log.length - 1).map(({ path }) => path)).toEqual(expect.arrayContaining(from));
  });

  test("CP-160, CP-168: checkpoints are the job's, a savepoint is the person's; CANCELED keeps both", () => {
    const { shelf, log, view } = told(parts({ from: "savepoint" }));
    const before = shelf.at(stepOf(log, "JobSubmitted") - 1);
    expect(lines(before)).toEqual(["0/1 CHECKPOINT 0 there", "0/2 CHECKPOINT 0 there", "0/3 SAVEPOINT 0 there"]);
    expect(before.map(ownerOf)).toEqual([0, 0, "user"]);
    expect(before.map((entry) => availability(entry, view))).toEqual([
      { is: "ready" },
      { is: "ready" },
      { is: "ready" },
    ]);
  });

  test("CP-130: a subsumed checkpoint is no longer shown", () => {
    const { shelf, log } = told(parts({ from: "savepoint" }, [], { "num-retained": 1 }));
    expect(lines(shelf.at(stepOf(log, "JobSubmitted") - 1))).toEqual([
      "0/2 CHECKPOINT 0 there",
      "0/3 SAVEPOINT 0 there",
    ]);
  });

  test("CP-168: what the job's end deletes stays to be seen as deleted", () => {
    const { shelf, log, view } = told(parts({ from: "savepoint" }, [], { "externalized-checkpoint-retention": null }));
    const before = shelf.at(stepOf(log, "JobSubmitted") - 1);
    expect(lines(before)).toEqual(["0/1 CHECKPOINT 0 deleted", "0/2 CHECKPOINT 0 deleted", "0/3 SAVEPOINT 0 there"]);
    expect(availability(at(before, 0), view)).toEqual({ is: "deleted" });
  });

  test("CP-111: without a checkpoint directory there are only savepoints", () => {
    const { shelf, log } = told(parts({ from: "savepoint" }, [], { dir: null }));
    expect(lines(shelf.at(log.length - 1))).toEqual(["0/3 SAVEPOINT 0 there"]);
  });
});

describe("whose it is, and whether it can be used", () => {
  test("CP-171: CLAIM: it is the new job's, which deletes it when it is subsumed", () => {
    const given = parts(
      { from: "savepoint", claimMode: "CLAIM" },
      [after("RecordEmitted", { record: "in-0@11", submission: 1 }, "trigger-checkpoint")],
      { "num-retained": 1 },
    );
    const { shelf, log } = told(given);
    const started = shelf.at(stepOf(log, "JobSubmitted"));
    expect(lines(started)).toContain("0/3 SAVEPOINT 0>1 there");
    expect(started.map(ownerOf)).toContain(1);
    expect(lines(shelf.at(log.length - 1))).toContain("0/3 SAVEPOINT 0>1 deleted");
  });

  test("CP-171: a job that is refused has claimed nothing", () => {
    const { shelf, log } = told(parts({ from: "savepoint", claimMode: "CLAIM", job: { maxParallelism: 64 } }));
    expect(lines(shelf.at(log.length - 1))).toContain("0/3 SAVEPOINT 0 there");
  });

  test("FR-115: with its metadata unreadable it is damaged, and the job that asks for it is refused", () => {
    const corrupt = after("CheckpointCompleted", { checkpoint: 2 }, "storage-corrupt", { checkpoint: 2 });
    const { shelf, log, view } = told(parts({ from: "checkpoint" }, [corrupt]));
    const entry = shelf.at(log.length - 1).find(({ checkpoint }) => checkpoint === 2);
    expect(entry).toMatchObject({ damage: "all" });
    expect(entry === undefined ? null : availability(entry, view)).toEqual({ is: "damaged" });
    expect(stepOf(log, "RestoreRefused")).toBeGreaterThan(0);
  });

  test("CP-168: while its job runs, a checkpoint is in the store, and the end decides", () => {
    const { shelf, log, view } = told({ ...parts({ from: "savepoint" }), faults: triggersAfter("in-0@3") });
    const [entry] = shelf.at(log.length - 1);
    expect(entry === undefined ? null : availability(entry, view)).toEqual({
      is: "held",
      keptAt: ["CANCELED", "FAILED"],
    });
  });

  test("FI-24: a JobManager that is gone for good has deleted nothing", () => {
    const { shelf, log, view } = told({
      ...parts({ from: "none" }),
      faults: [...triggersAfter("in-0@3"), atTime(700, "kill-jobmanager")],
    });
    const [entry] = shelf.at(log.length - 1);
    expect(view.job.led).toBe(false);
    expect(entry === undefined ? null : availability(entry, view)).toEqual({ is: "ready" });
  });

  test("CP-172: the view has its contents, also when the job that took it is over", () => {
    const { shelf, log, view } = told(parts({ from: "savepoint" }));
    const found = shelf.at(stepOf(log, "JobSubmitted")).map((entry) => contentsOf(entry, view));
    expect(found.map((each) => each?.snapshot.id)).toEqual([1, 2, 3]);
    expect(found.every((each) => each?.shared === view.past[0]?.shared)).toBe(true);
  });
});
