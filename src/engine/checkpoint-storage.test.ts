/** State size, files in checkpoint storage, and what happens where storage does not answer (`checkpointing.md` 10.1). */
import { describe, expect, test } from "vitest";
import {
  Drive,
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

type Json = { readonly [key: string]: unknown };

const files: Json = { "execution.checkpointing.dir": "file:///ck" };
const everything: Json = { ...files, "execution.checkpointing.data-inline-threshold": "0 b" };
const incremental: Json = {
  ...everything,
  "state.backend.type": "rocksdb",
  "execution.checkpointing.incremental": true,
};

/** S, then totals by key of 1000 bytes each, then K; twelve records of as many keys, 100 ms apart; checkpoints when asked for. */
const totals = (
  config: Json,
  times: readonly number[],
  more: Partial<Small> & { readonly size?: string; readonly keys?: number } = {},
): Small => ({
  vertices: [
    source("S"),
    { uid: "T", type: "keyed-sum", parallelism: 1, chain: false, stateSize: more.size ?? "1000 b" },
    sink("K"),
  ],
  edges: ["S hash T", "T forward K"],
  topics: { in: { partitions: 1, records: 12, every: "100 ms", keys: more.keys ?? 12 } },
  ...more,
  config: { ...config, ...more.config },
  faults: [...times.map((time) => atTime(time, "trigger-checkpoint")), ...(more.faults ?? [])],
});

/** Bytes that T wrote for each checkpoint. */
const written = (run: Story): unknown[] => run.values("SnapshotPersisted", "bytes", { subtask: "T[0]" });
/** By checkpoint: all that it refers to, and what was written for it. */
const sizes = (run: Story): number[][] =>
  run.report.checkpoints.map(({ stateBytes, checkpointedBytes }) => [stateBytes, checkpointedBytes]);
const layout = (run: Story): Record<string, number> =>
  Object.fromEntries(run.report.files.map(({ path, bytes }) => [path.replace(`/${"0".repeat(32)}`, ""), bytes]));

describe("how large a snapshot is", () => {
  test("CP-113, CP-208, CP-209: hashmap and plain rocksdb write all state each time", () => {
    for (const backend of ["hashmap", "rocksdb"]) {
      const run = story(small(totals({ "state.backend.type": backend }, [380, 780, 1380])));
      // The first record is with T at 52, then one each 100 ms: 4, 8 and 12 keys of 1000 bytes.
      expect(written(run).slice(0, 3)).toEqual([4000, 8000, 12_000]);
      expect(sizes(run).slice(0, 3)).toEqual([
        [4032, 4032],
        [8032, 8032],
        [12_032, 12_032],
      ]);
    }
  });

  test("CP-113, CP-208, CP-209: incremental rocksdb writes the keys that changed since, and refers to the rest", () => {
    const run = story(small(totals(incremental, [380, 780, 1380])));
    expect(written(run).slice(0, 3)).toEqual([4000, 4000, 4000]);
    expect(sizes(run).slice(0, 3)).toEqual([
      [4032, 4032],
      [8032, 4032],
      [12_032, 4032],
    ]);
    // One file each; a snapshot refers to those of the checkpoints before it.
    expect(run.told("CheckpointFileReused").filter((line) => /T\[0\] [23]/.test(line))).toHaveLength(3);
  });

  test("CP-113: a key that changed twice is written once, and four files are merged into one", () => {
    // Three keys: each interval of 300 ms touches each once. The fifth snapshot merges the four files before it.
    const run = story(
      small(
        totals(incremental, [280, 580, 880, 1180, 1480], {
          keys: 3,
          topics: { in: { partitions: 1, records: 15, every: "100 ms", keys: 3 } },
        }),
      ),
    );
    expect(written(run).slice(0, 5)).toEqual([3000, 3000, 3000, 3000, 6000]);
    const all = run.report.checkpoints.map(({ stateBytes }) => stateBytes);
    expect(all.slice(0, 5)).toEqual([3032, 6032, 9032, 12_032, 6032]);
  });

  test("CP-113: the base is the last checkpoint that the task knows to be complete", () => {
    const lost = atTime(0, "lose-rpc", { rpc: "notify-complete", target: "T[0]", checkpoint: 1 });
    const run = story(small(totals(incremental, [380, 780, 1380], { faults: [lost] })));
    // Without the news of 1 its file is written once more for 2.
    expect(written(run).slice(0, 3)).toEqual([4000, 8000, 4000]);
  });

  test("CP-115: with the changelog a snapshot writes every change since the last one, until all is materialised", () => {
    const changelog: Json = { ...everything, "state.changelog.enabled": true };
    const topics = { in: { partitions: 1, records: 15, every: "100 ms", keys: 2 } };
    const run = story(small(totals(changelog, [280, 680, 1080], { topics })));
    expect(written(run).slice(0, 3)).toEqual([3000, 4000, 4000]);
    expect(sizes(run)[2]?.[0]).toBe(11_032);
    const often = { ...changelog, "state.changelog.periodic-materialize.interval": "600 ms" };
    // The second snapshot is more than 600 ms after the start: two keys, written whole; then changes on top.
    const materialised = story(small(totals(often, [280, 680, 1080], { topics })));
    expect(written(materialised).slice(0, 3)).toEqual([3000, 2000, 4000]);
    expect(sizes(materialised)[2]?.[0]).toBe(6032);
  });

  test("CP-106, CP-110: where state lives and where snapshots go are two options; a task without state writes nothing", () => {
    const run = story(
      small({
        vertices: [source("S"), { uid: "P", type: "map", chain: false }, sink("K", { delivery: "none" })],
        edges: ["S forward P", "P forward K"],
        config: { ...everything, "state.backend.type": "hashmap" },
        faults: [atTime(380, "trigger-checkpoint")],
      }),
    );
    expect(run.values("CheckpointFileWritten", "subtask", { checkpoint: 1 })).toEqual(["S[0]", null]);
    expect(run.first("SnapshotPersisted", { subtask: "P[0]" })).toMatchObject({ bytes: 0 });
    expect(story(small(totals({ "state.backend.type": "rocksdb" }, [380]))).all("CheckpointFileWritten")).toEqual([]);
  });

  test("CP-207: an asynchronous part takes longer the more it writes, where the scenario says how fast", () => {
    const async = (timing: Json, config: Json = {}): unknown[] =>
      story(small(totals(config, [380, 780], { timing }))).values("SnapshotPersisted", "duration", { subtask: "T[0]" });
    expect(async({}).slice(0, 2)).toEqual([20, 20]);
    expect(async({ "upload.bytesPerSecond": 100_000 }).slice(0, 2)).toEqual([60, 100]);
    expect(async({ "upload.bytesPerSecond": 100_000 }, incremental).slice(0, 2)).toEqual([60, 60]);
  });
});

describe("where a snapshot goes", () => {
  test("CP-112: small pieces are in _metadata, others are files of chk-n; with num-retained 1 the newest checkpoint is what is there", () => {
    const run = story(small(totals(files, [380, 780], { size: "10 kb", until: { time: 1000 } })));
    expect(layout(run)).toEqual({ "file:///ck/chk-2/T[0]-3": 8 * 10_240, "file:///ck/chk-2/_metadata": 32 });
    const inline = story(small(totals(files, [380, 780], { size: "2 kb", until: { time: 1000 } })));
    expect(layout(inline)).toEqual({ "file:///ck/chk-2/_metadata": 32 + 8 * 2048 });
  });

  test("CP-112: a piece of at most the threshold of 20 kb is in the metadata; without create-subdir the job's directory is missing", () => {
    const at = (size: string): number =>
      story(small(totals(files, [80], { size, until: { time: 300 } }))).all("CheckpointFileWritten", {
        subtask: "T[0]",
      }).length;
    expect([at("20480 b"), at("20481 b")]).toEqual([0, 1]);
    const flat = story(
      small(totals({ ...files, "execution.checkpointing.create-subdir": false }, [80], { until: { time: 300 } })),
    );
    expect(flat.report.files.map(({ path }) => path)).toEqual(["file:///ck/chk-1/_metadata"]);
  });

  test("CP-112, CP-114: what checkpoints share is in shared, and goes when the last checkpoint that uses it is subsumed", () => {
    // Each checkpoint adds a file, and the fifth merges four into one; num-retained is 1.
    const run = story(
      small(
        totals(incremental, [280, 580, 880, 1180, 1480], {
          until: { time: 1700 },
          topics: { in: { partitions: 1, records: 15, every: "100 ms", keys: 3 } },
        }),
      ),
    );
    const shared = new Map(
      run.all("CheckpointFileWritten", { shared: true }).map(({ file, checkpoint }) => [file, Number(checkpoint)]),
    );
    expect([...shared.values()]).toEqual([1, 2, 3, 4, 5, 5]);
    const gone = run.all("CheckpointFileDeleted").filter(({ file }) => shared.has(file));
    expect(gone.map(({ checkpoint }) => checkpoint).toSorted((a, b) => Number(a) - Number(b))).toEqual([1, 2, 3, 4]);
    const last = run.first("CheckpointSubsumed", { checkpoint: 4 });
    for (const { step, clock } of gone) expect([step > last.step, clock]).toEqual([true, last.clock]);
    expect(run.report.files.filter(({ path }) => path.includes("/shared/"))).toHaveLength(2);
  });

  test("CP-114: a shared file of a checkpoint that failed is kept while later ones may use it, and deleted with the next subsumption", () => {
    // 2 expires though T acknowledged; nobody refers to its file, which goes when 3 subsumes 1.
    const run = story(
      small(
        totals(incremental, [280, 580, 1080], {
          checkpointing: { timeout: "300 ms", "tolerable-failed-checkpoints": 9 },
          faults: [atTime(0, "lose-rpc", { rpc: "ack", target: "K[0]", checkpoint: 2 })],
          until: { time: 1300 },
        }),
      ),
    );
    const aborted = run.first("CheckpointAborted", { checkpoint: 2 });
    const own = run.first("CheckpointFileWritten", { subtask: "T[0]", checkpoint: 2 });
    const gone = run.first("CheckpointFileDeleted", { file: own["file"] });
    expect(gone.step).toBeGreaterThan(run.first("CheckpointSubsumed", { checkpoint: 1 }).step);
    // What was its own is deleted with it: the source's file.
    const source = run.first("CheckpointFileWritten", { subtask: "S[0]", checkpoint: 2 });
    expect(run.first("CheckpointFileDeleted", { file: source["file"] }).step).toBeGreaterThan(aborted.step);
    expect(run.first("CheckpointFileDeleted", { file: source["file"] }).clock).toBe(aborted.clock);
  });

  test("CP-121, CP-114: the files of a late acknowledgement are deleted, those that are shared stay registered", () => {
    const run = story(
      small(
        totals(incremental, [280], {
          timing: { overrides: [{ vertex: "T", checkpoint: 1, "snapshot.async": 500 }] },
          checkpointing: { timeout: "300 ms", "tolerable-failed-checkpoints": 9 },
          faults: [
            atTime(0, "lose-rpc", { rpc: "notify-aborted", count: 3 }),
            after("AcknowledgementDiscarded", {}, "trigger-checkpoint"),
          ],
        }),
      ),
    );
    const late = run.first("AcknowledgementDiscarded", { subtask: "T[0]" });
    const file = run.first("CheckpointFileWritten", { subtask: "T[0]", checkpoint: 1 });
    expect(file).toMatchObject({ shared: true });
    expect(run.until(run.first("CheckpointCompleted")).all("CheckpointFileDeleted", { file: file["file"] })).toEqual(
      [],
    );
    expect(run.since(late).first("CheckpointCompleted")).toMatchObject({ checkpoint: 2 });
  });

  test("CP-133: a subsumed checkpoint takes its own files and its metadata with it", () => {
    const run = story(
      small(
        totals({ ...everything, "execution.checkpointing.num-retained": 2 }, [280, 580, 880], {
          until: { time: 1100 },
        }),
      ),
    );
    const ids = new Set(run.report.files.map(({ path }) => /chk-(\d+)/.exec(path)?.[1]));
    expect([...ids]).toEqual(["2", "3"]);
    const subsumed = run.first("CheckpointSubsumed", { checkpoint: 1 });
    expect(
      run
        .since(subsumed)
        .all("CheckpointFileDeleted", { checkpoint: 1 })
        .map(({ clock }) => clock),
    ).toEqual([1, 2, 3, 4].map(() => subsumed.clock));
  });

  test("CP-111: a state object above 5 mb does not fit the JobManager's storage; the file system takes it", () => {
    const run = (size: string, config: Json = {}): Story =>
      story(
        small(
          totals(config, [80], { size, checkpointing: { "tolerable-failed-checkpoints": 9 }, until: { time: 300 } }),
        ),
      );
    const [limit, above] = [`${5 * 1024 * 1024} b`, `${5 * 1024 * 1024 + 1} b`];
    expect(run(limit).told("CheckpointCompleted", "CheckpointAborted")).toEqual(["CheckpointCompleted 1"]);
    const failed = run(above);
    expect(failed.first("SnapshotFailed")).toMatchObject({ subtask: "T[0]", reason: "CHECKPOINT_ASYNC_EXCEPTION" });
    expect(failed.first("CheckpointAborted")).toMatchObject({ counts: true, failures: 1 });
    expect(run(above, files).told("CheckpointCompleted")).toEqual(["CheckpointCompleted 1"]);
  });
});

describe("storage that does not answer", () => {
  const tolerant = { checkpointing: { "tolerable-failed-checkpoints": 9 } };

  test("CP-022, FI-36: no location can be had: the checkpoint fails with IO_EXCEPTION before anybody is told of it, and counts", () => {
    const run = story(
      small(
        totals(files, [440, 540, 640, 940], { ...tolerant, faults: [atTime(400, "storage-down", { for: "400 ms" })] }),
      ),
    );
    expect(
      run
        .all("CheckpointAborted")
        .map(({ checkpoint, reason, failures, clock }) => [checkpoint, reason, failures, clock]),
    ).toEqual([
      [1, "IO_EXCEPTION", 1, 440],
      [2, "IO_EXCEPTION", 2, 540],
      [3, "IO_EXCEPTION", 3, 640],
    ]);
    expect(run.all("BarrierEmitted", { checkpoint: 1 })).toEqual([]);
    expect(run.first("CheckpointCompleted")).toMatchObject({ checkpoint: 4 });
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-018, CP-022: a checkpoint that fails in its trigger phase has used its id: ids have a gap", () => {
    const run = story(
      small(totals(files, [440, 940], { ...tolerant, faults: [atTime(400, "storage-down", { for: "400 ms" })] })),
    );
    expect(run.values("SnapshotTaken", "checkpoint", { subtask: "S[0]" })[0]).toBe(2);
  });

  test("CP-104, CP-107: a task that cannot write its file declines; one whose state is small enough for the metadata does not notice", () => {
    const down = after("CheckpointTriggered", { checkpoint: 1 }, "storage-down", { for: "30 ms" });
    const big = story(small(totals(files, [440], { ...tolerant, size: "10 kb", faults: [down] })));
    expect(big.told("SnapshotFailed", "CheckpointDeclined", "CheckpointAborted")).toEqual([
      "SnapshotFailed T[0] 1 CHECKPOINT_ASYNC_EXCEPTION",
      "CheckpointDeclined T[0] 1 CHECKPOINT_ASYNC_EXCEPTION",
      "CheckpointAborted 1 CHECKPOINT_ASYNC_EXCEPTION",
    ]);
    const small_ = story(
      small(totals(files, [440], { ...tolerant, faults: [atTime(450, "storage-down", { for: "10 ms" })] })),
    );
    expect(small_.all("SnapshotFailed")).toEqual([]);
    expect(small_.first("CheckpointCompleted")).toMatchObject({ checkpoint: 1 });
  });

  test("CP-124, FI-05: metadata that cannot be written fails the checkpoint with FINALIZE_CHECKPOINT_FAILURE; it counts, and tasks are told", () => {
    const run = story(
      small(
        totals(files, [440, 840], {
          ...tolerant,
          faults: [after("CheckpointAcknowledged", { checkpoint: 1 }, "storage-down", { for: "100 ms" })],
        }),
      ),
    );
    expect(run.all("CheckpointMetadataWritten", { checkpoint: 1 })).toEqual([]);
    expect(run.first("CheckpointAborted")).toMatchObject({
      checkpoint: 1,
      reason: "FINALIZE_CHECKPOINT_FAILURE",
      counts: true,
      failures: 1,
    });
    expect(run.all("NotificationDelivered", { checkpoint: 1, kind: "aborted" })).toHaveLength(3);
    expect(run.report.files.filter(({ path }) => path.includes("chk-1/"))).toEqual([]);
    // What the sink pre-committed for 1 is committed with 2.
    expect(
      run.since(run.first("CheckpointCompleted")).words("TransactionCommitted", "transaction").slice(0, 2),
    ).toEqual(["P-0-1", "P-0-2"]);
  });

  test.each([
    { kind: {}, told: "that is not in the high-availability store", left: ["chk-2"] },
    {
      kind: { kind: "reply-lost" },
      told: "that may or may not be in the high-availability store",
      left: ["chk-1", "chk-2"],
    },
  ])("CP-124, FI-25: a pointer $told fails the checkpoint; what is left of files is $left", ({ kind, left }) => {
    const ha = { ...files, "high-availability.type": "zookeeper" };
    const how = { what: "ha", for: "50 ms", ...kind };
    const down = after("CheckpointMetadataWritten", { checkpoint: 1 }, "storage-down", how);
    const failed = story(small(totals(ha, [440, 840], { ...tolerant, faults: [down], until: { time: 1000 } })));
    expect(failed.told("CheckpointMetadataWritten", "CheckpointAborted", "CheckpointCompleted")).toEqual([
      "CheckpointMetadataWritten 1",
      "CheckpointAborted 1 FINALIZE_CHECKPOINT_FAILURE",
      "CheckpointMetadataWritten 2",
      "CheckpointCompleted 2",
    ]);
    expect(failed.report.files.map(({ path }) => /chk-\d/.exec(path)?.[0])).toEqual(left);
  });

  test("CP-022: an id that cannot be had from the high-availability store is a TRIGGER_CHECKPOINT_FAILURE of no checkpoint, and does not count", () => {
    const ha = { ...files, "high-availability.type": "zookeeper" };
    const down = atTime(400, "storage-down", { what: "ha", for: "100 ms" });
    const run = story(small(totals(ha, [440, 540], { faults: [down] })));
    expect(run.report.rejectedTriggers).toEqual([
      { at: 440, kind: "CHECKPOINT", reason: "TRIGGER_CHECKPOINT_FAILURE" },
    ]);
    expect(run.first("CheckpointTriggered")).toMatchObject({ checkpoint: 1, clock: 540 });
    expect(run.report.recoveries).toEqual([]);
  });

  test("CP-110: the JobManager's own storage needs no files, so nothing is down", () => {
    const run = story(small(totals({}, [440], { faults: [atTime(0, "storage-down", { what: "all" })] })));
    expect(run.first("CheckpointCompleted")).toMatchObject({ checkpoint: 1 });
    expect(run.report.files).toEqual([]);
  });

  test("FI-60, FR-086: state that cannot be read fails its task again and again, from the same checkpoint and never from an older one", () => {
    const run = story(
      small(
        totals({ ...everything, "execution.checkpointing.num-retained": 3 }, [340, 640], {
          restart: fixedDelay(2, "100 ms"),
          faults: [atTime(800, "storage-corrupt", { checkpoint: 2 }), atTime(850, "fail-task", { target: "T[0]" })],
        }),
      ),
    );
    expect(run.report.recoveries.map(({ cause, granted, restoredFrom }) => [cause, granted, restoredFrom])).toEqual([
      ["T[0]: USER_EXCEPTION", true, 2],
      [expect.stringMatching(/STATE_NOT_READABLE/), true, 2],
      [expect.stringMatching(/STATE_NOT_READABLE/), false, null],
    ]);
    expect(run.all("TaskFailed", { failure: "STATE_NOT_READABLE" }).length).toBeGreaterThan(0);
    expect(run.values("StateRestored", "checkpoint")).not.toContain(1);
    expect(run.report.job.status).toBe("FAILED");
  });

  test("FI-60: damage to what is shared is damage to every checkpoint that uses it; to the exclusive files of an older one it is none", () => {
    const failing = (checkpoint: number, which: string): string =>
      story(
        small(
          totals({ ...incremental, "execution.checkpointing.num-retained": 2 }, [340, 640], {
            restart: fixedDelay(1, "100 ms"),
            faults: [
              atTime(800, "storage-corrupt", { checkpoint, files: which }),
              atTime(850, "fail-task", { target: "T[0]" }),
            ],
          }),
        ),
      ).report.job.status;
    expect([failing(1, "shared"), failing(1, "exclusive"), failing(2, "exclusive"), failing(2, "all")]).toEqual([
      "FAILED",
      "RUNNING",
      "FAILED",
      "FAILED",
    ]);
  });

  test("a restore while storage is down fails too, and the next one after storage-up does not", () => {
    const run = story(
      small(
        totals(everything, [340], {
          restart: fixedDelay(5, "200 ms"),
          faults: [
            atTime(500, "storage-down"),
            atTime(520, "fail-task", { target: "T[0]" }),
            after("TaskFailed", { failure: "STATE_NOT_READABLE" }, "storage-up"),
          ],
        }),
      ),
    );
    expect(run.report.recoveries.length).toBeGreaterThanOrEqual(2);
    expect(run.report.job.status).toBe("RUNNING");
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-113: a restored task builds on the files of its checkpoint", () => {
    const run = story(
      small(
        totals(incremental, [380], {
          restart: fixedDelay(3, "100 ms"),
          faults: [
            atTime(500, "fail-task", { target: "T[0]" }),
            { at: { after: "RecordProcessed", vertex: "T", record: "in-0@7" }, do: "trigger-checkpoint" },
          ],
        }),
      ),
    );
    expect(written(run).slice(0, 2)).toEqual([4000, 4000]);
    expect(sizes(run)[1]).toEqual([8032, 4032]);
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

test("what lies in storage is part of a world: a clone has its own, and equal ones have equal fingerprints", () => {
  const drive = new Drive(small(totals(incremental, [340, 640])));
  drive.until("CheckpointCompleted", { checkpoint: 1 });
  const clone = drive.kernel.world.clone();
  expect(clone.fingerprint(1)).toBe(drive.kernel.world.fingerprint(1));
  drive.until("CheckpointCompleted", { checkpoint: 2 });
  expect(clone.files.count).toBe(4);
  clone.copyFrom(drive.kernel.world);
  expect(clone.fingerprint(1)).toBe(drive.kernel.world.fingerprint(1));
});

test("a counter's state has the size that its vertex says", () => {
  const run = story(
    small({
      vertices: [source("S"), counter("M", { stateSize: "3 kb" }), sink("K", { delivery: "none" })],
      edges: ["S forward M", "M forward K"],
      faults: [atTime(450, "trigger-checkpoint")],
    }),
  );
  expect(run.first("SnapshotPersisted", { subtask: "M[0]" })).toMatchObject({ bytes: 3072 });
});

test("CP-112, CP-190: _metadata holds nothing of finished subtasks, a sink's neither", () => {
  const run = story(
    small({
      vertices: [
        source("A", { bounded: true }),
        sink("X", { topic: "other", transactionalIdPrefix: "X" }),
        source("B", { topic: "long", bounded: true }),
        sink("Y"),
      ],
      edges: ["A forward X", "B forward Y"],
      topics: {
        in: { records: 2, every: "10 ms" },
        long: { records: 20, every: "50 ms" },
        other: { partitions: 1 },
      },
      initialDelay: 100,
      checkpointing: { interval: "150 ms", dir: "file:///ck" },
    }),
  );
  const row = run.report.checkpoints.find(({ subtasks }) => subtasks.filter(({ finished }) => finished).length === 2);
  expect(row?.status).toBe("COMPLETED");
  expect(run.first("CheckpointFileWritten", { checkpoint: row?.id })).toMatchObject({
    subtask: null,
    bytes: row?.stateBytes,
  });
});
