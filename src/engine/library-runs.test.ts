/**
 * What the library's scenarios of the rarer sinks and sources are there to show: each runs clean as it is, and does what its
 * title says where something fails.
 */
import { describe, expect, test } from "vitest";
import { libraryScenario, withFaults } from "./testing/runs.ts";
import { recordsOf } from "./testing/sinks.ts";
import { type Story, after, story } from "./testing/stories.ts";

const ids = [
  "pooled-ids",
  "global-committer",
  "blocked-reader",
  "file-sink",
  "database-commit",
  "write-ahead-log",
  "upsert",
  "commit-at-barrier",
  "file-source",
  "database-source",
  "socket",
] as const;

const fail = (target: string): Parameters<typeof withFaults>[1][number] =>
  after("RecordProcessed", { subtask: target, record: "in-0@6" }, "fail-task", { target });
const run = (id: (typeof ids)[number], ...faults: Parameters<typeof withFaults>[1]): Story =>
  story(withFaults(id, faults));
const [committedOf, columns] = [
  (told: Story) => told.report.delivery[0],
  (told: Story) => told.report.transactions.map(({ id, state, records }) => `${id} ${state} ${records}`),
];

test.each(ids)("%s: without a failure all is there once", (id) => {
  const { report } = story(libraryScenario(id));
  expect(report.ended).toBe("drained");
  expect(committedOf(story(libraryScenario(id)))).toMatchObject({
    lost: [],
    duplicated: [],
    pending: [],
    differing: [],
  });
  expect(report.verdict.state).toBe("exactly-once");
});

describe("sinks", () => {
  test("SK-156: pooled-ids: names are used again, and where two subtasks become three, those own what the two had", () => {
    const told = run(
      "pooled-ids",
      after("RecordEmitted", { record: "in-0@6" }, "rescale", { vertex: "SNK", parallelism: 3 }),
    );
    expect(told.report.submissions.map(({ status }) => status)).toEqual(["FINISHED", "RUNNING"]);
    const begun = told.words("TransactionBegun", "transaction");
    expect(begun.length).toBeGreaterThan(new Set(begun).size);
    expect(new Set(begun.map((name) => name.split("-")[1]))).toEqual(new Set(["0", "1", "2"]));
  });

  test("SK-150: global-committer: each checkpoint is committed as a whole, behind both committers", () => {
    const { globalCommits } = run("global-committer").report;
    expect(globalCommits.length).toBeGreaterThan(2);
    for (const { received, committers, at } of globalCommits)
      expect([received, committers, at !== null]).toEqual([2, 2, true]);
  });

  test("KF-033: blocked-reader: the other producer's records wait, for ten times as long where the sink's task fails", () => {
    const wait = (told: Story): number => told.report.background[0]?.longestDelay ?? 0;
    const [fine, failed] = [
      run("blocked-reader"),
      run("blocked-reader", after("CheckpointCompleted", { checkpoint: 1 }, "kill-taskmanager", { target: "tm-3" })),
    ];
    expect(wait(fine)).toBeGreaterThan(0);
    expect(wait(failed)).toBeGreaterThan(10 * wait(fine));
  });

  test("FI-85: file-sink: what a failure leaves of a part file is cut back, and finished once", () => {
    const told = run("file-sink", fail("MAP[0]"));
    expect(told.all("PartFileResumed").length).toBeGreaterThan(0);
    expect(committedOf(told)).toMatchObject({ reader: "finished-files", lost: [], duplicated: [] });
  });

  test("SK-124: database-commit: what the restored checkpoint does not know is rolled back", () => {
    const told = run("database-commit", fail("MAP[0]"));
    expect(columns(told).filter((row) => row.includes("ABORTED"))).toHaveLength(1);
    expect(committedOf(told)).toMatchObject({ lost: [], duplicated: [] });
  });

  test("SK-173: write-ahead-log: what is sent and not recorded is sent again", () => {
    const told = run(
      "write-ahead-log",
      after("RecordWritten", { record: "in-0@2" }, "fail-task", { target: "SNK[0]" }),
    );
    expect(committedOf(told)).toMatchObject({ lost: [], duplicated: recordsOf(0, 2) });
  });

  test("SK-111: upsert: a reader sees values step back while the job replays; in the end all are right", () => {
    const told = run("upsert", after("RecordWritten", { record: "in-0@6" }, "fail-task", { target: "MAP[0]" }));
    expect(committedOf(told)?.regressions).toBeGreaterThan(0);
    expect(told.report.verdict.endToEnd).toBe("effectively-once");
  });

  test("INV-113: commit-at-barrier: what it commits for a checkpoint that is lost comes twice", () => {
    const told = run(
      "commit-at-barrier",
      after("TransactionCommitted", { checkpoint: 2 }, "fail-task", { target: "MAP[0]" }),
    );
    expect(committedOf(told)?.duplicated).toEqual(recordsOf(4, 7));
  });
});

describe("sources", () => {
  test("SK-012: file-source: a job with files ends with them, a failure or not", () => {
    const told = run("file-source", after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "SRC[0]" }));
    expect(told.report.job).toMatchObject({ status: "FINISHED", restarts: 1 });
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("SK-013: database-source: no checkpoint gets past the first full read", () => {
    const [first] = run("database-source").report.checkpoints;
    expect(first?.triggered).toBeLessThan(500);
    expect(first?.ended).toBeGreaterThan(1500);
  });

  test("FI-87: socket: what was delivered behind the restored checkpoint is lost", () => {
    const told = run(
      "socket",
      after("RecordProcessed", { subtask: "MAP[0]", record: "SRC-0@7" }, "fail-task", { target: "MAP[0]" }),
    );
    expect(committedOf(told)?.lost.length).toBeGreaterThan(0);
    expect(committedOf(told)?.duplicated).toEqual([]);
  });
});
