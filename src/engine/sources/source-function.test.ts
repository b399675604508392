/** Sources that bring their own input: files, a connection, a table (`recovery-and-sinks.md` 8; SK-001, SK-002, SK-012, SK-013). */
import { describe, expect, test } from "vitest";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  sink,
  small,
  story,
  triggersAfter,
} from "../testing/stories.ts";

type Json = { readonly [key: string]: unknown };

/** A source, a counter and a sink, each a task of its own. */
const behind = (vertex: Json, more: Partial<Small> = {}, sinkMore: Json = {}): Small => ({
  vertices: [{ uid: "S", chain: false, ...vertex }, counter("M"), sink("K", sinkMore)],
  edges: ["S forward M", "M forward K"],
  topics: {},
  ...more,
});
const exact = { state: "exactly-once", endToEnd: "exactly-once" };
const names = (partition: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `${partition}@${from + i}`);
const delivered = (run: Story, reader = "read_committed"): Story["report"]["delivery"][number] | undefined =>
  run.report.delivery.find((row) => row.reader === reader);

describe("files (SK-012)", () => {
  const files = { type: "file-source", records: 10, every: "50 ms", files: 3 };

  test("SK-012: each file is a split of its owner, the job ends with the last record, and records are called after the source", () => {
    const run = story(
      small({
        vertices: [{ uid: "S", parallelism: 2, chain: false, ...files }, sink("K", { parallelism: 2 })],
        edges: ["S forward K"],
        topics: {},
      }),
    );
    expect(run.all("SplitAdded").map(({ subtask, partition }) => [subtask, partition])).toEqual([
      ["S[0]", "S-0"],
      ["S[0]", "S-2"],
      ["S[1]", "S-1"],
    ]);
    expect(run.report.sources.map(({ partition, position }) => [partition, position])).toEqual([
      ["S-0", 4],
      ["S-1", 3],
      ["S-2", 3],
    ]);
    expect([run.report.job.status, run.report.verdict]).toEqual(["FINISHED", exact]);
  });

  test("SK-012, SK-001: the position in a file is state, so that a restore reads on from there", () => {
    const run = story(
      small(
        behind(
          { ...files, files: 1 },
          { faults: [...triggersAfter("S-0@3"), after("CheckpointCompleted", { checkpoint: 1 }, "fail-job")] },
        ),
      ),
    );
    expect(run.first("SourceRewound")).toMatchObject({ partition: "S-0", target: 4 });
    expect(run.report.verdict).toEqual(exact);
  });

  test("a directory that is watched never ends", () => {
    const run = story(small(behind({ ...files, bounded: false })));
    expect([run.report.job.status, run.report.verdict]).toEqual(["RUNNING", exact]);
  });
});

describe("a connection (SK-002)", () => {
  const socket = { type: "socket-source", records: 12, every: "100 ms" };
  const crash = (more: Partial<Small> = {}, sinkMore: Json = {}): Story =>
    story(
      small(
        behind(
          socket,
          {
            faults: [
              ...triggersAfter("S-0@3"),
              after("RecordEmitted", { record: "S-0@6" }, "fail-task", { target: "S[0]" }),
            ],
            ...more,
          },
          sinkMore,
        ),
      ),
    );

  test("FI-87, SK-002: after a crash what was delivered behind the last completed checkpoint is in no state and comes from nowhere again", () => {
    const run = crash();
    expect(run.first("ConnectionClosed")).toMatchObject({ position: 7, delivered: 7 });
    expect(delivered(run)?.lost).toEqual(names("S-0", 4, 7));
    expect(run.report.state).toEqual([{ vertex: "M", lost: names("S-0", 4, 7), duplicated: [] }]);
    // What was sent while nobody was connected waited at the sender.
    expect(run.since(run.first("ConnectionClosed")).words("RecordEmitted", "record")).toEqual(names("S-0", 7, 12));
    expect(run.report.verdict).toEqual({ state: "at-most-once", endToEnd: "at-most-once" });
  });

  test("FI-87: an append sink has them, though the count lacks them", () => {
    const faults = [...triggersAfter("S-0@3"), atTime(680, "fail-task", { target: "S[0]" })];
    const run = crash({ faults }, { delivery: "at-least-once" });
    expect(delivered(run)).toMatchObject({ lost: [], duplicated: [], seen: 12 });
    expect(run.report.state).toEqual([{ vertex: "M", lost: names("S-0", 4, 7), duplicated: [] }]);
  });

  test("SK-002: what is still in the socket's buffer is gone with the connection", () => {
    const run = story(
      small(behind({ ...socket, cost: 300 }, { faults: [atTime(1000, "fail-task", { target: "S[0]" })] })),
    );
    const { position, delivered: sent } = run.first("ConnectionClosed");
    expect(sent as number).toBeGreaterThan(position as number);
    expect(delivered(run)?.lost).toEqual(names("S-0", 0, sent as number));
  });

  test("SK-033, SK-002: a process that is killed takes the connection with it", () => {
    const run = story(
      small(
        behind(socket, {
          cluster: { taskManagers: 2, slots: 1 },
          faults: [...triggersAfter("S-0@3"), atTime(850, "kill-taskmanager", { target: "tm-1" })],
        }),
      ),
    );
    const sent = run.first("ConnectionClosed")["delivered"] as number;
    expect(delivered(run)?.lost).toEqual(names("S-0", 4, sent));
  });

  test("INV-126: at-least-once doubles nothing either, since nothing is replayed", () => {
    const run = crash({ checkpointing: { mode: "AT_LEAST_ONCE" } });
    expect(run.report.verdict).toEqual({ state: "at-most-once", endToEnd: "at-most-once" });
  });

  test("CP-015: it has no operator coordinator, so its checkpoints wait for none", () => {
    const run = crash({ faults: triggersAfter("S-0@3") });
    expect([run.all("CoordinatorSnapshotTaken"), run.all("ReaderRegistered")]).toEqual([[], []]);
    expect(run.report.verdict).toEqual(exact);
  });
});

describe("a table (SK-013)", () => {
  const table = { type: "database-source", records: 20, snapshotDuration: "2 s", changes: 10, every: "300 ms" };
  const checkpoints = { interval: "500 ms", timeout: "700 ms", "tolerable-failed-checkpoints": 9 };

  test("SK-013: it takes no barrier while it reads the table in full; checkpoints expire meanwhile, then they complete", () => {
    const run = story(small(behind(table, { checkpointing: checkpoints, initialDelay: 0 })));
    const snapshotEnd = run.first("RecordEmitted", { record: "S-0@19" }).clock;
    expect(snapshotEnd).toBeGreaterThanOrEqual(2000);
    expect(run.first("BarrierEmitted", { vertex: "S" }).clock).toBeGreaterThanOrEqual(snapshotEnd);
    expect(run.values("CheckpointAborted", "reason").slice(0, 2)).toEqual(["CHECKPOINT_EXPIRED", "CHECKPOINT_EXPIRED"]);
    expect(run.first("CheckpointCompleted").clock).toBeGreaterThan(snapshotEnd);
    expect(run.report.verdict).toEqual(exact);
  });

  test("SK-013: with none to tolerate the job fails before it is through, and begins with the first row each time", () => {
    const run = story(
      small(behind(table, { checkpointing: { ...checkpoints, "tolerable-failed-checkpoints": 0 }, initialDelay: 0 })),
    );
    expect(run.report.job.failureCause).toBe("CHECKPOINT_FAILURE_THRESHOLD");
    expect(new Set(run.values("SplitAdded", "position"))).toEqual(new Set([0]));
    expect(run.all("CheckpointCompleted")).toEqual([]);
  });

  test("SK-013: read incrementally it takes barriers between two rows, and goes on from there", () => {
    const run = story(
      small(
        behind(
          { ...table, incremental: true },
          { checkpointing: checkpoints, initialDelay: 0, faults: [atTime(1500, "fail-task", { target: "S[0]" })] },
        ),
      ),
    );
    expect(run.first("CheckpointCompleted").clock).toBeLessThan(1000);
    expect(run.first("SourceRewound")["target"]).toBeGreaterThan(3);
    expect(run.report.verdict).toEqual(exact);
  });

  test("SK-013: behind the first read its position in the change log is state, so that no row is read again", () => {
    const run = story(
      small(
        behind(table, {
          checkpointing: checkpoints,
          initialDelay: 0,
          faults: [after("RecordEmitted", { record: "S-0@27" }, "fail-task", { target: "S[0]" })],
        }),
      ),
    );
    expect(run.first("SourceRewound")["target"]).toBeGreaterThanOrEqual(20);
    expect(run.report.verdict).toEqual(exact);
  });

  test("SK-013: one that fails before the first checkpoint reads all again, and nothing is doubled", () => {
    const run = story(
      small(
        behind(table, {
          checkpointing: checkpoints,
          initialDelay: 0,
          faults: [after("RecordEmitted", { record: "S-0@12" }, "fail-task", { target: "S[0]" })],
        }),
      ),
    );
    expect(run.all("SplitAdded")).toHaveLength(2);
    expect(run.report.verdict).toEqual(exact);
  });
});
