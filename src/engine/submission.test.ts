/** A job that is submitted anew (CP-168 to CP-182, FR-115, FR-116, and the cases of `recovery-and-sinks.md` 13). */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { javaHash, keyGroup } from "../protocol/key-groups.ts";
import { traceEntries, traceLines } from "../protocol/trace.ts";
import type { CheckpointRow, DeliveryRow, SubmissionRow } from "../scenario/report.ts";
import { runScenario } from "./run.ts";
import { command } from "./testing/runs.ts";
import { Timeline } from "./timeline.ts";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

type Json = Record<string, unknown>;

const RETAIN = {
  dir: "file:///ck",
  storage: "filesystem",
  "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
};
const again = { "restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": 3 };

/** The first job takes checkpoints at 3 and 6 and fails for good at record 9; then `restore` submits another. */
function twice(restore: Json, more: Partial<Small> = {}, faults: readonly Json[] = []): Small {
  const { checkpointing, faults: first = [], ...rest } = more;
  return {
    ...lane(1),
    restart: { type: "none" },
    ...rest,
    checkpointing: { ...RETAIN, "num-retained": 2, ...checkpointing },
    faults: [
      ...triggersAfter("in-0@3", "in-0@6"),
      ...first,
      after("RecordEmitted", { record: "in-0@9" }, "fail-job"),
      after("JobStatusChanged", { to: "FAILED" }, "restore", { config: again, ...restore }),
      ...faults,
    ],
  };
}

const run = (parts: Small): Story => story(small(parts));
const committed = ({ report }: Story): DeliveryRow =>
  at(
    report.delivery.filter(({ reader }) => reader === "read_committed"),
    0,
  );
const lastOf = ({ report }: Story): SubmissionRow => at(report.submissions, report.submissions.length - 1);
const verdict = (told: Story): string => told.report.verdict.endToEnd;

/** Keyed sums of `keys` keys, `parallelism` subtasks of it. */
function sums(parallelism: number, keys = 8): Partial<Small> {
  return {
    vertices: [source("S"), { uid: "T", type: "keyed-sum", parallelism, chain: false }, sink("K")],
    edges: ["S hash T", "T rebalance K"],
    topics: { in: { partitions: 1, records: 24, every: "50 ms", keys } },
  };
}

describe("from which snapshot a new job starts", () => {
  test("FI-55, CP-170: from the newest retained checkpoint, in time, everything is exactly once", () => {
    const told = run(twice({ from: "checkpoint" }));
    expect(lastOf(told)).toMatchObject({
      from: expect.stringMatching(/\/chk-2$/),
      claimMode: "NO_CLAIM",
      status: "RUNNING",
    });
    expect(told.values("StateRestored", "checkpoint")).toEqual([2, 2, 2]);
    expect(told.first("SourceRewound")).toMatchObject({ target: 7, submission: 1 });
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("INV-043: the first checkpoint after a restore from k is k + 1; without state ids begin anew", () => {
    const ids = (from: string): unknown[] =>
      run(twice({ from })).values("CheckpointTriggered", "checkpoint", { submission: 1 }).slice(0, 1);
    expect(ids("checkpoint")).toEqual([3]);
    expect(ids("chk-1")).toEqual([2]);
    expect(ids("none")).toEqual([1]);
  });

  test("FI-15, FI-63: from an older checkpoint, what was committed since comes again, and no commit is undone", () => {
    const told = run(twice({ from: "chk-1" }));
    expect(lastOf(told)["from"]).toMatch(/\/chk-1$/);
    expect(committed(told)["duplicated"]).toEqual(["in-0@4", "in-0@5", "in-0@6"]);
    expect(committed(told)["lost"]).toEqual([]);
    expect(verdict(told)).toBe("at-least-once");
    // Probing finds the name that the later commit used, and goes on past it.
    const probed = told.values("ProducerIdInitialized", "transaction", { submission: 1 });
    expect(probed.slice(0, 3)).toEqual(["P-0-2", "P-0-3", "P-0-4"]);
    expect(told.report.transactions.filter(({ id, state }) => id === "P-0-2" && state === "COMMITTED")).toHaveLength(2);
  });

  test("CP-112: a whole path names one of two checkpoints of the same number, a number alone the newest", () => {
    const third = (from: string): Json[] => [
      after("RecordEmitted", { record: "in-0@2", submission: 1 }, "trigger-checkpoint"),
      after("CheckpointCompleted", { checkpoint: 1, submission: 1 }, "cancel"),
      after("JobStatusChanged", { to: "CANCELED", submission: 1 }, "restore", { from }),
    ];
    const plain = { ...lane(1), vertices: [source("S"), counter("M"), sink("K", { delivery: "at-least-once" })] };
    const from = (name: string): unknown => lastOf(run(twice({ from: "none" }, plain, third(name))))["from"];
    const [first, second] = [0, 1].map((job) => `file:///ck/${String(job).padStart(32, "0")}/chk-1`);
    expect(from("chk-1")).toBe(second);
    expect(from(`${first}/`)).toBe(first);
    expect(from("s3://elsewhere/chk-1")).toBe(second);
  });

  test("FI-24: without a snapshot all is read again, and all that was committed is there twice", () => {
    const told = run(twice({ from: "none" }));
    expect(lastOf(told)).toMatchObject({ from: null, claimMode: null });
    expect(committed(told)["duplicated"]).toEqual(Array.from({ length: 7 }, (_, offset) => `in-0@${offset}`));
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
  });

  test("CP-168: nothing is left where the job's end discards it", () => {
    for (const retention of ["NO_EXTERNALIZED_CHECKPOINTS", "DELETE_ON_CANCELLATION"]) {
      const checkpointing = { "externalized-checkpoint-retention": retention };
      const told = run(twice({ from: "checkpoint" }, { checkpointing }));
      const left = retention === "DELETE_ON_CANCELLATION";
      expect([lastOf(told)["status"], lastOf(told)["refused"]]).toEqual(
        left ? ["RUNNING", null] : ["FAILED", "NO_SUCH_SNAPSHOT"],
      );
    }
  });
});

describe("loss of a JobManager that nobody replaces", () => {
  const lost = (restore: Json, faults: readonly Json[] = []): Story =>
    run({
      ...lane(1),
      checkpointing: { ...RETAIN, "num-retained": 2 },
      faults: [
        ...triggersAfter("in-0@3", "in-0@6"),
        after("RecordEmitted", { record: "in-0@9" }, "kill-jobmanager"),
        ...faults,
        atTime(5000, "restore", { ...restore }),
      ],
    });

  test("FI-24: from the retained checkpoint within the timeout everything is exactly once", () => {
    const told = lost({ from: "checkpoint" });
    expect(told.report.submissions.map(({ status, lost: gone }) => [status, gone])).toEqual([
      ["SUSPENDED", true],
      ["RUNNING", false],
    ]);
    expect(told.all("TaskManagerRegistered", { submission: 1 })).toHaveLength(1);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("FI-24: from an older one after a commit, what lies between is there twice", () => {
    expect(committed(lost({ from: "chk-1" }))["duplicated"]).toEqual(["in-0@4", "in-0@5", "in-0@6"]);
  });

  test("FI-24: after the timeout the pre-committed transaction is gone, and its records are lost", () => {
    const told = lost({ from: "checkpoint" }, [
      after("CheckpointCompleted", { checkpoint: 2 }, "lose-rpc", { rpc: "notify-complete", target: "K[0]" }),
      atTime(3000, "expire-transaction", { transaction: "P-0-2" }),
    ]);
    expect(told.first("CommitFailed")).toMatchObject({ transaction: "P-0-2", submission: 1 });
    expect(committed(told)["lost"]).toEqual(["in-0@4", "in-0@5", "in-0@6"]);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-most-once" });
  });
});

describe("a restore that is refused (FR-115)", () => {
  const refused = (restore: Json, more: Partial<Small> = {}, faults: readonly Json[] = []): unknown[] => {
    const told = run(twice(restore, more, faults));
    expect(told.all("AttemptCreated", { submission: 1 })).toEqual([]);
    expect(told.values("JobStatusChanged", "to", { submission: 1 })).toEqual(["FAILED"]);
    return [lastOf(told)["status"], lastOf(told)["refused"]];
  };

  test("FI-62: a path at which there is nothing, and metadata that cannot be read", () => {
    expect(refused({ from: "file:///elsewhere/savepoint-1" })).toEqual(["FAILED", "NO_SUCH_SNAPSHOT"]);
    expect(refused({ from: "chk-7" })).toEqual(["FAILED", "NO_SUCH_SNAPSHOT"]);
    const damaged = { faults: [after("CheckpointCompleted", { checkpoint: 2 }, "storage-corrupt", { checkpoint: 2 })] };
    expect(refused({ from: "checkpoint" }, damaged)).toEqual(["FAILED", "METADATA_NOT_READABLE"]);
    const down = { faults: [after("RecordEmitted", { record: "in-0@8" }, "storage-down")] };
    expect(refused({ from: "checkpoint" }, down)).toEqual(["FAILED", "METADATA_NOT_READABLE"]);
  });

  test("CP-172: state of an operator that the job does not have", () => {
    const vertices = [source("S"), counter("N"), sink("K")];
    const job = {
      vertices,
      edges: [
        { from: "S", to: "N", ship: "forward" },
        { from: "N", to: "K", ship: "forward" },
      ],
    };
    expect(refused({ from: "checkpoint", job })).toEqual(["FAILED", "M: OPERATOR_MISSING"]);
  });

  test("FR-116, CP-178: another maximum parallelism", () => {
    expect(refused({ from: "checkpoint", job: { maxParallelism: 64 } })).toEqual([
      "FAILED",
      "S: MAX_PARALLELISM_CHANGED",
    ]);
  });

  test("CP-178: a parallelism above the maximum that the snapshot brings along", () => {
    const told = run(twice({ from: "checkpoint", job: { vertices: [{ uid: "T", parallelism: 130 }] } }, sums(2)));
    expect(lastOf(told)["refused"]).toBe("T: PARALLELISM_ABOVE_MAXIMUM");
  });
});

describe("where a new job runs", () => {
  const two = { cluster: { taskManagers: 2, slots: 2 } };
  const placed = (told: Story, submission: number): string[] =>
    told
      .all("TaskStateChanged", { to: "DEPLOYING", submission })
      .map(({ subtask, taskManager }) => `${subtask as string} ${taskManager as string}`);

  test("FR-035: its slots are spread over the TaskManagers like those of the first job, and none has more than it has", () => {
    const told = run(
      twice({ from: "checkpoint", job: { vertices: [{ uid: "T", parallelism: 3 }] } }, { ...sums(2), ...two }),
    );
    expect(placed(told, 0)).toEqual(["S[0] tm-1", "T[0] tm-1", "T[1] tm-2", "K[0] tm-1"]);
    expect(placed(told, 1)).toEqual(["S[0] tm-1", "T[0] tm-1", "T[1] tm-2", "T[2] tm-1", "K[0] tm-1"]);
  });

  test("FR-035: a TaskManager that is gone gets none", () => {
    const gone = after("JobStatusChanged", { to: "FAILING" }, "kill-taskmanager", { target: "tm-1" });
    const told = run(
      twice({ from: "checkpoint" }, { ...sums(2), ...two, timing: { "heartbeat.detect": "1 ms" }, faults: [gone] }),
    );
    const last = new Set(
      placed(told, 1)
        .slice(-4)
        .map((line) => line.split(" ")[1]),
    );
    expect([...last]).toEqual(["tm-2"]);
  });

  test("FR-037, FI-53: more subtasks than there are slots: it waits for them, and fails", () => {
    const config = { "slot.request.timeout": "2 s" };
    const told = run(
      twice(
        {
          from: "checkpoint",
          config: { "restart-strategy.type": "none" },
          job: { vertices: [{ uid: "T", parallelism: 5 }] },
        },
        { ...sums(2), ...two, config },
      ),
    );
    expect(placed(told, 1)).toEqual([]);
    expect(told.all("SlotRequestFailed", { submission: 1 })).toHaveLength(1);
    expect(lastOf(told)["status"]).toBe("FAILED");
  });
});

describe("the mapping of state (CP-172)", () => {
  const renamed = (allowNonRestoredState: boolean): Json => ({
    from: "checkpoint",
    allowNonRestoredState,
    job: {
      vertices: [source("S"), counter("N"), sink("K")],
      edges: [
        { from: "S", to: "N", ship: "forward" },
        { from: "N", to: "K", ship: "forward" },
      ],
    },
  });

  test("CP-172: allowed, it is dropped: the operator of another uid starts empty, and what was in state is lost", () => {
    const told = run(twice(renamed(true)));
    expect(told.values("OperatorStateDropped", "uid")).toEqual(["M"]);
    expect(lastOf(told)).toMatchObject({ status: "RUNNING", dropped: ["M"], refused: null });
    expect(told.report.state).toEqual([
      { vertex: "N", lost: Array.from({ length: 7 }, (_, offset) => `in-0@${offset}`), duplicated: [] },
    ]);
    // The records of N are counted from 1 again; the sink has its own state and commits what it held.
    expect(told.first("RecordProcessed", { vertex: "N" })).toMatchObject({ value: 1, record: "in-0@7" });
    expect(told.report.verdict).toEqual({ state: "at-most-once", endToEnd: "exactly-once" });
  });

  test("CP-172: an id that the graph gave is another one when the graph changes, and the same when it does not", () => {
    const generated = {
      vertices: [source("S"), counter("M", { generated: true }), sink("K")],
      edges: ["S forward M", "M forward K"],
    };
    expect(lastOf(run(twice({ from: "checkpoint" }, generated)))).toMatchObject({ status: "RUNNING", refused: null });
    const job = {
      vertices: [source("S"), { uid: "F", type: "map", chain: false }, counter("M", { generated: true }), sink("K")],
      edges: ["S F", "F M", "M K"].map((edge) => {
        const [from, to] = edge.split(" ");
        return { from, to, ship: "forward" };
      }),
    };
    expect(lastOf(run(twice({ from: "checkpoint", job }, generated)))["refused"]).toBe("M: OPERATOR_MISSING");
  });

  test("CP-172: an operator that is new starts empty, and one that is gone without state is not missed", () => {
    const vertices = [source("S"), { uid: "F", type: "map", chain: false }, sink("K")];
    const job = {
      vertices: [source("S"), counter("C"), sink("K")],
      edges: [
        { from: "S", to: "C", ship: "forward" },
        { from: "C", to: "K", ship: "forward" },
      ],
    };
    const told = run(twice({ from: "checkpoint", job }, { vertices, edges: ["S forward F", "F forward K"] }));
    expect(lastOf(told)).toMatchObject({ dropped: [], refused: null });
    expect(verdict(told)).toBe("exactly-once");
  });
});

describe("another parallelism", () => {
  const keys = Array.from({ length: 8 }, (_, key) => `key-${key}`);

  test.each([
    [2, 3],
    [3, 2],
    [1, 4],
    [4, 1],
  ])("CP-175, CP-177, CP-179: keyed state goes by key groups, from %i to %i subtasks", (before, parallelism) => {
    const told = run(
      twice(
        { from: "checkpoint", job: { vertices: [{ uid: "T", parallelism }] } },
        { ...sums(before), cluster: { taskManagers: 1, slots: 4 } },
      ),
    );
    const owners = new Map(
      told
        .all("RecordProcessed", { vertex: "T", submission: 1 })
        .map(({ record, subtask }) => [Number((record as string).split("@")[1]) % keys.length, subtask]),
    );
    for (const [key, subtask] of owners) {
      const group = keyGroup(javaHash(keys[key] ?? ""), 128);
      expect(subtask).toBe(`T[${Math.floor((group * parallelism) / 128)}]`);
    }
    expect(owners.size).toBe(8);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("CP-180: a counter's elements are dealt out as list state: together they count on, some from 0", () => {
    const wide = (parallelism: number): Partial<Small> => ({
      vertices: [source("S"), counter("M", { parallelism }), sink("K")],
      edges: ["S rebalance M", "M rebalance K"],
    });
    const firsts = (from: number, to: number): unknown[] => {
      const job = { vertices: [{ uid: "M", parallelism: to }] };
      const told = run(twice({ from: "checkpoint", job }, { ...wide(from), cluster: { taskManagers: 1, slots: 3 } }));
      expect(told.report.state).toEqual([{ vertex: "M", lost: [], duplicated: [] }]);
      return Array.from(
        { length: to },
        (_, number) => told.all("RecordProcessed", { subtask: `M[${number}]`, submission: 1 })[0]?.["value"],
      );
    };
    // Seven records: 4 and 3, in the order of the round robin; one subtask has them all.
    expect(firsts(2, 1)).toEqual([8]);
    expect(new Set(firsts(2, 3))).toEqual(new Set([1, 4, 5]));
  });

  test("SK-005, CP-180: splits go to new readers as the list state they are, and only one reader has each", () => {
    const parts: Partial<Small> = {
      vertices: [source("S", { parallelism: 2 }), counter("M"), sink("K")],
      edges: ["S rebalance M", "M forward K"],
      topics: { in: { partitions: 4, records: 40, every: "100 ms", keys: 4 } },
      cluster: { taskManagers: 1, slots: 4 },
    };
    const told = run(twice({ from: "checkpoint", job: { vertices: [{ uid: "S", parallelism: 4 }] } }, parts));
    // Readers had 0, 2 and 1, 3: dealt out in this order.
    expect(
      told
        .all("SourceRewound", { submission: 1 })
        .map(({ subtask, partition }) => `${subtask as string} ${partition as string}`)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(["S[0] in-0", "S[1] in-2", "S[2] in-1", "S[3] in-3"]);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  const sinks = (parallelism: number): Partial<Small> => ({
    vertices: [source("S"), counter("M"), sink("K", { parallelism })],
    edges: ["S forward M", "M rebalance K"],
    cluster: { taskManagers: 1, slots: 2 },
  });
  const untold = after("CheckpointTriggered", { checkpoint: 2 }, "lose-rpc", {
    rpc: "notify-complete",
    checkpoint: 2,
    count: 9,
  });

  test("FI-78: one sink instead of two commits what both held, and probes behind its own number and the other's", () => {
    const told = run(
      twice(
        { from: "checkpoint", job: { vertices: [{ uid: "K", parallelism: 1 }] } },
        { ...sinks(2), faults: [untold] },
      ),
    );
    const asked = told
      .all("TransactionCommitRequested", { submission: 1 })
      .filter(({ decider }) => decider === "restore");
    expect(asked.map(({ subtask, transaction }) => [subtask, transaction])).toEqual([
      ["K[0]", "P-0-2"],
      ["K[0]", "P-1-2"],
    ]);
    const probed = told.values("ProducerIdInitialized", "transaction", { submission: 1 });
    expect(probed).toContain("P-0-3");
    expect(probed).toContain("P-1-3");
    expect(told.first("TransactionCommitted", { transaction: "P-1-2" })).toMatchObject({ subtask: "K[0]" });
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("FI-78: two sinks instead of one: the second has no state, and probes names of its own", () => {
    const told = run(
      twice(
        { from: "checkpoint", job: { vertices: [{ uid: "K", parallelism: 2 }] } },
        { ...sinks(1), faults: [untold] },
      ),
    );
    const asked = told
      .all("TransactionCommitRequested", { submission: 1 })
      .filter(({ decider }) => decider === "restore");
    expect(asked.map(({ subtask, transaction }) => [subtask, transaction])).toEqual([["K[0]", "P-0-2"]]);
    expect(told.values("ProducerIdInitialized", "transaction", { subtask: "K[1]", submission: 1 })[0]).toBe("P-1-3");
    expect(verdict(told)).toBe("exactly-once");
  });

  test("SK-161, SK-155: under another prefix the old one is cleaned up too, and what it had pre-committed is committed", () => {
    const job = { vertices: [{ uid: "K", transactionalIdPrefix: "Q" }] };
    const told = run(twice({ from: "checkpoint", job }, { faults: [untold] }));
    expect(told.first("TransactionCommitted", { submission: 1 })).toMatchObject({
      transaction: "P-0-2",
      decider: "restore",
    });
    const probed = told.values("ProducerIdInitialized", "transaction", { submission: 1 }).map(String);
    expect(probed.filter((name) => name.startsWith("P-"))).toContain("P-0-3");
    expect(told.first("TransactionBegun", { submission: 1 })).toMatchObject({ transaction: "Q-0-3" });
    expect(verdict(told)).toBe("exactly-once");
  });
});

describe("records in flight (CP-089, CP-090)", () => {
  /** A slow keyed operator behind a full exchange: an unaligned checkpoint holds records of every channel. */
  const slow = (parallelism: number): Partial<Small> => ({
    vertices: [
      source("S", { parallelism: 2 }),
      { uid: "T", type: "keyed-sum", parallelism, chain: false, cost: "40 ms" },
      sink("K"),
    ],
    edges: ["S hash T", "T rebalance K"],
    topics: { in: { partitions: 2, records: 60, every: "5 ms", keys: 8 } },
    cluster: { taskManagers: 1, slots: 4 },
    checkpointing: { "unaligned.enabled": true },
  });
  const anew = (job: Json, before: number): Story =>
    run({
      ...lane(1),
      ...slow(before),
      restart: { type: "none" },
      checkpointing: { ...RETAIN, "unaligned.enabled": true },
      faults: [
        atTime(120, "trigger-checkpoint"),
        after("CheckpointCompleted", { checkpoint: 1 }, "fail-job"),
        after("JobStatusChanged", { to: "FAILED" }, "restore", { from: "checkpoint", config: again, job }),
      ],
    });
  const stored = (told: Story): number =>
    told.all("InFlightDataPersisted", { submission: 0 }).reduce((sum, { records }) => sum + Number(records), 0);

  test.each([
    [2, 3],
    [3, 1],
    [2, 2],
  ])("CP-089: they come where the partitioner sends them now, from %i to %i subtasks", (before, parallelism) => {
    const told = anew({ vertices: [{ uid: "T", parallelism }] }, before);
    expect(stored(told)).toBeGreaterThan(4);
    const restored = told.all("ChannelStateRestored", { submission: 1 });
    expect(restored.reduce((sum, { records }) => sum + Number(records), 0)).toBe(stored(told));
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("CP-090: without the exchange that they were on the job does not start", () => {
    const job = {
      vertices: [
        source("S", { parallelism: 2 }),
        { uid: "F", type: "map", parallelism: 2, chain: false },
        { uid: "T", type: "keyed-sum", parallelism: 2, chain: false, cost: "40 ms" },
        sink("K"),
      ],
      edges: [
        { from: "S", to: "F", ship: "forward" },
        { from: "F", to: "T", ship: "hash" },
        { from: "T", to: "K", ship: "rebalance" },
      ],
    };
    expect(lastOf(anew(job, 2))["refused"]).toBe("T: CHANNEL_STATE_WITHOUT_CHANNEL");
  });
});

describe("whose the files are (CP-171)", () => {
  const claimed = (claimMode: string, more: Json = {}): Story =>
    run({
      ...twice({ from: "checkpoint", claimMode }, sums(1), [
        after("RecordEmitted", { record: "in-0@20", submission: 1 }, "trigger-checkpoint"),
      ]),
      config: {
        "state.backend.type": "rocksdb",
        "execution.checkpointing.incremental": true,
        "execution.checkpointing.data-inline-threshold": "0 kb",
      },
      ...(claimMode === "LEGACY" && { flink: "1.20" }),
      ...more,
    });
  const first = ({ report }: Story): CheckpointRow =>
    at(
      report.checkpoints.filter(({ submission, status }) => submission === 1 && status === "COMPLETED"),
      0,
    );
  const folders = (told: Story): string[] => [
    ...new Set(told.report.files.map(({ path }) => path.replace(/\/[^/]*$/, ""))),
  ];

  test("CP-171: CLAIM: the snapshot is the job's, and is deleted when it is subsumed and nothing refers to it", () => {
    const told = claimed("CLAIM");
    expect(told.values("CheckpointFileDeleted", "checkpoint", { submission: 1 })).toContain(2);
    expect(folders(told).filter((path) => path.endsWith("chk-2"))).toEqual([]);
    // Its shared files live on in the checkpoint that builds on them.
    expect(told.all("CheckpointFileReused", { submission: 1 }).length).toBeGreaterThan(0);
    expect(first(told)["checkpointedBytes"]).toBeLessThan(first(told)["stateBytes"] as number);
    expect(verdict(told)).toBe("exactly-once");
  });

  test("CP-171: NO_CLAIM: nothing of it is ever deleted, and the first checkpoint refers to nothing of it", () => {
    const told = claimed("NO_CLAIM");
    expect(folders(told).filter((path) => path.endsWith("chk-2"))).toHaveLength(1);
    expect(first(told)["checkpointedBytes"]).toBe(first(told)["stateBytes"]);
    expect(
      told.until(told.first("CheckpointCompleted", { submission: 1 })).all("CheckpointFileReused", { submission: 1 }),
    ).toEqual([]);
    expect(verdict(told)).toBe("exactly-once");
  });

  test("CP-171: LEGACY: nothing of it is deleted, but the first checkpoint may build on it", () => {
    const told = claimed("LEGACY");
    expect(folders(told).filter((path) => path.endsWith("chk-2"))).toHaveLength(1);
    expect(told.all("CheckpointFileReused", { submission: 1 }).length).toBeGreaterThan(0);
  });

  test("CP-112: a job with a fresh id has a directory of its own, one with the same id goes on in that of the one before", () => {
    expect(folders(run(twice({ from: "checkpoint", jobId: "fresh" })))).toHaveLength(3);
    const same = folders(run(twice({ from: "checkpoint", jobId: "same" })));
    expect(new Set(same.map((path) => path.split("/").at(-2))).size).toBe(1);
  });
});

describe("savepoints (CP-162, CP-164, CP-171)", () => {
  const dir = { "execution.checkpointing.savepoint-dir": "file:///sp" };
  const stopped = (parts: Partial<Small>, restore: Json, more: readonly Json[] = []): Story =>
    run({
      ...lane(1),
      ...parts,
      config: dir,
      faults: [
        after("RecordEmitted", { record: "in-0@5" }, "stop-with-savepoint"),
        after("JobStatusChanged", { to: "FINISHED" }, "restore", { from: "savepoint", ...restore }),
        ...more,
      ],
    });

  test("FI-40, CP-164: stopped with a savepoint and started from it: everything is exactly once", () => {
    const told = stopped({}, {});
    expect(told.report.submissions.map(({ status }) => status)).toEqual(["FINISHED", "RUNNING"]);
    expect(lastOf(told)["from"]).toMatch(/^file:\/\/\/sp\/savepoint-000000-[0-9a-f]{12}$/);
    expect(told.first("SourceRewound", { submission: 1 })).toMatchObject({ target: 6 });
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("CP-162: a savepoint is found by its path", () => {
    const path = lastOf(stopped({}, {}))["from"];
    expect(lastOf(stopped({}, { from: path }))).toMatchObject({ from: path, status: "RUNNING" });
    expect(lastOf(stopped({}, { from: `${String(path)}0` }))["refused"]).toBe("NO_SUCH_SNAPSHOT");
  });

  test("CP-171: a savepoint that is claimed goes when it is subsumed; one that is not stays the user's", () => {
    const left = (claimMode: string): number => {
      const told = stopped({}, { claimMode }, [after("RecordEmitted", { record: "in-0@9" }, "trigger-checkpoint")]);
      expect(told.all("CheckpointCompleted", { submission: 1 }).length).toBeGreaterThan(0);
      return told.report.files.filter(({ path }) => path.includes("/savepoint-")).length;
    };
    expect([left("NO_CLAIM"), left("LEGACY"), left("CLAIM")]).toEqual([1, 1, 0]);
  });

  test("FI-39: from a savepoint that an older job took before it went on, what lies between is there twice", () => {
    const told = run({
      ...lane(1),
      config: dir,
      restart: { type: "none" },
      faults: [
        after("RecordEmitted", { record: "in-0@3" }, "trigger-savepoint"),
        ...triggersAfter("in-0@6"),
        after("RecordEmitted", { record: "in-0@9" }, "cancel"),
        after("JobStatusChanged", { to: "CANCELED" }, "restore", { from: "savepoint", config: again }),
      ],
    });
    expect(committed(told)["duplicated"]).toEqual(["in-0@4", "in-0@5", "in-0@6"]);
    expect(committed(told)["lost"]).toEqual([]);
  });

  test("CP-164, CP-178: rescale stops the job with a savepoint and starts it with another parallelism", () => {
    const told = run({
      ...sums(2),
      config: dir,
      cluster: { taskManagers: 1, slots: 3 },
      faults: [after("RecordEmitted", { record: "in-0@9" }, "rescale", { vertex: "T", parallelism: 3 })],
    } as Small);
    expect(told.report.submissions.map(({ status }) => status)).toEqual(["FINISHED", "RUNNING"]);
    expect(told.first("CheckpointTriggered")).toMatchObject({ kind: "SYNC_SAVEPOINT" });
    expect(new Set(told.values("AttemptCreated", "subtask", { submission: 1 }))).toEqual(
      new Set(["S[0]", "T[0]", "T[1]", "T[2]", "K[0]"]),
    );
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("CP-164, CP-170: restore with a stop ends the job that runs, and starts it from there with another configuration", () => {
    const config = { "execution.checkpointing.interval": "200 ms" };
    const restart = (stop: string, from: string): Story =>
      run({
        ...sums(1),
        config: dir,
        checkpointing: RETAIN,
        faults: [
          ...triggersAfter("in-0@4"),
          after("RecordEmitted", { record: "in-0@9" }, "restore", { from, stop, config }),
        ],
      } as Small);
    const stopped = restart("with-savepoint", "savepoint");
    expect(stopped.report.submissions.map(({ status }) => status)).toEqual(["FINISHED", "RUNNING"]);
    expect(stopped.first("CheckpointTriggered", { kind: "SYNC_SAVEPOINT" })).toMatchObject({ submission: 0 });
    expect(stopped.all("CheckpointCompleted", { submission: 1 }).length).toBeGreaterThan(0);
    expect(stopped.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
    const cancelled = restart("cancel", "checkpoint");
    expect(cancelled.report.submissions.map(({ status }) => status)).toEqual(["CANCELED", "RUNNING"]);
    expect(cancelled.first("SourceRewound", { submission: 1 })).toBeDefined();
    expect(cancelled.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("CP-162: without a directory for the savepoint a job is not rescaled, and runs on", () => {
    const told = run({
      ...sums(2),
      cluster: { taskManagers: 1, slots: 3 },
      faults: [after("RecordEmitted", { record: "in-0@9" }, "rescale", { vertex: "T", parallelism: 3 })],
    } as Small);
    expect(told.first("OperationAnswered")).toMatchObject({ do: "rescale", answer: "NO_SAVEPOINT_DIRECTORY" });
    expect(told.report.submissions).toHaveLength(1);
    expect(verdict(told)).toBe("exactly-once");
  });

  test("CP-180: two jobs later it is still the same: 1, 3 and 2 subtasks one after the other", () => {
    const told = run({
      ...sums(1),
      config: dir,
      cluster: { taskManagers: 1, slots: 3 },
      faults: [
        after("RecordEmitted", { record: "in-0@6" }, "rescale", { vertex: "T", parallelism: 3 }),
        after("RecordEmitted", { record: "in-0@15", submission: 1 }, "rescale", { vertex: "T", parallelism: 2 }),
        after("RecordEmitted", { record: "in-0@18", submission: 2 }, "fail-task", { target: "T[1]" }),
      ],
    } as Small);
    expect(told.report.submissions.map(({ restarts }) => restarts)).toEqual([0, 0, 1]);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

describe("a job that is cancelled behind a checkpoint that nobody was told of (FI-89)", () => {
  const cancelled = (later: readonly Json[]): Story =>
    run({
      ...lane(1),
      checkpointing: { ...RETAIN },
      faults: [
        ...triggersAfter("in-0@3", "in-0@6"),
        after("CheckpointCompleted", { checkpoint: 2 }, "cancel"),
        after("CheckpointCompleted", { checkpoint: 2 }, "lose-rpc", { rpc: "notify-complete" }),
        ...later,
      ],
    });

  test("FI-89: no commit happens because of a cancel; what was pre-committed stays open until the log gives it up", () => {
    const told = cancelled([]);
    expect(told.words("JobStatusChanged", "to").at(-1)).toBe("CANCELED");
    expect(told.values("TransactionCommitted", "checkpoint")).toEqual([1]);
    expect(told.report.transactions.find(({ checkpoint }) => checkpoint === 2)?.state).toBe("PRE_COMMITTED");
  });

  test("FI-89: restored in time from what is retained, it is committed, and everything is there once", () => {
    const told = cancelled([after("JobStatusChanged", { to: "CANCELED" }, "restore", { from: "checkpoint" })]);
    expect(told.first("TransactionCommitted", { checkpoint: 2 })).toMatchObject({ decider: "restore", submission: 1 });
    expect(told.report.invariants.checked).toEqual(expect.arrayContaining(["INV-114", "INV-120", "INV-121"]));
    expect(verdict(told)).toBe("exactly-once");
  });
});

describe("when a job is submitted", () => {
  test("FI-39: while the one before it runs it is refused, and that is all", () => {
    const told = run({ ...lane(1), faults: [atTime(500, "restore", { from: "none" })] });
    expect(told.all("SubmissionRejected")).toMatchObject([{ from: "RUNNING" }]);
    expect(told.report.submissions).toHaveLength(1);
    expect(verdict(told)).toBe("exactly-once");
  });

  test("FR-012: while it fails, the submission waits until every thread of it has ended", () => {
    const told = run({
      ...twice({ from: "none" }, { timing: { cancel: "700 ms" } }),
      faults: [
        after("RecordEmitted", { record: "in-0@5" }, "fail-task", { target: "M[0]" }),
        after("JobStatusChanged", { to: "FAILING" }, "restore", { from: "none", config: again }),
      ],
    });
    const ended = told.all("TaskStopped", { submission: 0 }).at(-1)?.clock ?? Infinity;
    expect(told.first("JobSubmitted").clock).toBeGreaterThanOrEqual(ended);
    expect(told.report.submissions).toHaveLength(2);
  });

  test("SK-161: the options of the new job are its own: a strategy that restarts, another interval", () => {
    const told = run(
      twice({ from: "checkpoint", config: { ...again, "execution.checkpointing.interval": "200 ms" } }, {}, [
        after("RecordEmitted", { record: "in-0@10", submission: 1 }, "fail-job"),
      ]),
    );
    expect(told.report.submissions.map(({ restarts }) => restarts)).toEqual([0, 1]);
    expect(told.report.recoveries.filter(({ granted }) => granted)).toMatchObject([
      { submission: 1, restoredFrom: expect.any(Number) },
    ]);
    expect(verdict(told)).toBe("exactly-once");
  });

  test("FI-56: a record that fails its task fails that of the next job too", () => {
    const poison = after("RecordEmitted", { record: "in-0@8" }, "poison-record", { record: "in-0@10", vertex: "M" });
    const told = run(twice({ from: "checkpoint" }, { faults: [poison] }));
    expect(lastOf(told)).toMatchObject({ status: "FAILED", restarts: 3 });
    expect(new Set(told.values("TaskFailed", "subtask", { submission: 1 }))).toEqual(new Set(["M[0]"]));
  });

  test("FI-60: a file of the snapshot that cannot be read fails the task, again and again, until attempts are used up", () => {
    const parts = twice(
      { from: "checkpoint" },
      {
        ...sums(1),
        faults: [
          after("CheckpointCompleted", { checkpoint: 2 }, "storage-corrupt", { checkpoint: 2, files: "exclusive" }),
        ],
      },
    );
    const told = run({ ...parts, config: { "execution.checkpointing.data-inline-threshold": "0 kb" } });
    expect(new Set(told.values("TaskFailed", "failure", { submission: 1 }))).toEqual(new Set(["STATE_NOT_READABLE"]));
    expect(lastOf(told)).toMatchObject({ status: "FAILED", restarts: 3 });
  });
});

describe("finished subtasks (CP-194, CP-196)", () => {
  /** A is read to its end, and what is behind it finishes; B goes on. A savepoint has the one half finished. */
  const halfDone = (job: Json): Story =>
    run({
      vertices: [
        source("A", { topic: "short", bounded: true }),
        counter("M"),
        sink("K1", { transactionalIdPrefix: "one" }),
        source("B"),
        sink("K2", { transactionalIdPrefix: "two" }),
      ],
      edges: ["A forward M", "M forward K1", "B forward K2"],
      topics: {
        short: { partitions: 1, records: 3, every: "10 ms" },
        in: { partitions: 1, records: 30, every: "50 ms" },
      },
      cluster: { taskManagers: 1, slots: 2 },
      checkpointing: { interval: "100 ms" },
      initialDelay: 0,
      config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
      faults: [
        after("TaskStateChanged", { subtask: "K1[0]", to: "FINISHED" }, "trigger-savepoint"),
        after("OperationAnswered", { do: "trigger-savepoint" }, "cancel"),
        after("JobStatusChanged", { to: "CANCELED" }, "restore", { from: "savepoint", job }),
      ],
    });

  test("CP-196: what had finished is finished on restore, and reads nothing again", () => {
    const told = halfDone({});
    expect(told.values("RestoredAsFinished", "subtask", { submission: 1 })).toEqual(["A[0]", "M[0]", "K1[0]"]);
    expect(told.all("RecordEmitted", { vertex: "A", submission: 1 })).toEqual([]);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("CP-196: an operator that had finished is not started behind one that has not", () => {
    const vertices = [
      source("A", { topic: "short", bounded: true }),
      { uid: "F", type: "map", chain: false },
      counter("M"),
      sink("K1", { transactionalIdPrefix: "one" }),
      source("B"),
      sink("K2", { transactionalIdPrefix: "two" }),
    ];
    const edges = [
      ["A", "F"],
      ["F", "M"],
      ["M", "K1"],
      ["B", "K2"],
    ].map(([from, to]) => ({ from, to, ship: "forward" }));
    expect(lastOf(halfDone({ vertices, edges }))["refused"]).toBe("M: FINISHED_BEHIND_UNFINISHED");
  });
});

test("a branch that leaves behind a submission goes on with that job, however it is found again", () => {
  const scenario = small(
    twice(
      { from: "checkpoint", job: { vertices: [{ uid: "T", parallelism: 3 }] } },
      { ...sums(2), cluster: { taskManagers: 1, slots: 3 } },
    ),
  );
  const timeline = new Timeline(scenario);
  while (timeline.extend(0));
  const graphs = timeline.tip(0).kernel.chain.map(({ plan }) => plan.graph);
  const lines = (branch: number): string => [...traceLines(graphs, at(timeline.branches, branch).log)].join("");
  expect(lines(0)).toBe([...traceLines(graphs, runScenario(scenario).log)].join(""));
  const second =
    [...traceEntries(graphs, at(timeline.branches, 0).log)].find(({ type }) => type === "JobSubmitted")?.step ?? 0;
  const failure = command("fail-task", "T[2]");
  const forkAt = (step: number): string => {
    const { id } = timeline.fork(0, step, failure);
    while (timeline.extend(id));
    expect(timeline.tip(id).kernel.submission).toBe(1);
    return lines(id);
  };
  const first = forkAt(second + 60);
  expect(first.slice(0, 1000)).toBe(lines(0).slice(0, 1000));
  expect(first).toContain('"type":"FaultInjected","submission":1,"do":"fail-task","subtask":"T[2]"');
  timeline.dropKeyframes();
  expect(forkAt(second + 60)).toBe(first);
});
