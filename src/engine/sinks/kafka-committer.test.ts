/** The committer half of the Kafka sink (`recovery-and-sinks.md` 10.4 and 10.5). */
import { describe, expect, test } from "vitest";
import { Actor, Op } from "../ops.ts";
import { transactionNumber } from "../../protocol/ids.ts";
import { Decider } from "../log-broker/transactions.ts";
import {
  Drive,
  type Small,
  type Story,
  after,
  atTime,
  before,
  counter,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

const apart = { chain: false };
const line = (more: Partial<Small> = {}): Small => ({ ...lane(1, apart), ...more });
const alone: Partial<Small> = {
  vertices: [
    source("S", { slotSharingGroup: "s" }),
    counter("M", { slotSharingGroup: "m" }),
    sink("K", { slotSharingGroup: "k" }),
  ],
  edges: ["S forward M", "M forward K"],
  cluster: { taskManagers: 3, slots: 2 },
  timing: { "heartbeat.detect": "100 ms" },
};
const lost = (checkpoint: number): Record<string, unknown> =>
  atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint });
const commits = (run: Story): unknown[] =>
  run.all("TransactionCommitted").map(({ transaction, decider, again }) => [transaction, decider, again]);

describe("what the committer holds and when it commits", () => {
  test("SK-143: its state of checkpoint n has every transaction that is not finally handled, that of n itself too", () => {
    // The news of 1 is lost, so snapshot 2 holds P-0-1 and P-0-2, 16 bytes each; the news of 2 clears both.
    const run = story(small(line({ faults: [...triggersAfter("in-0@3", "in-0@6", "in-0@9"), lost(1)] })));
    expect(run.values("SnapshotPersisted", "bytes", { subtask: "K[0]" })).toEqual([16, 32, 16, 16]);
  });

  test("SK-144: told of n it commits all up to n, by ascending checkpoint, each when the one before is answered", () => {
    const run = story(small(line({ faults: [...triggersAfter("in-0@2", "in-0@4", "in-0@6"), lost(1), lost(2)] })));
    expect(run.first("NotificationDelivered", { subtask: "K[0]", kind: "complete" })).toMatchObject({ checkpoint: 3 });
    const { clock } = run.first("NotificationDelivered", { subtask: "K[0]", kind: "complete" });
    expect(
      run.entries
        .filter(({ type }) => type.startsWith("TransactionCommit"))
        .slice(0, 6)
        .map((entry) => `${entry.clock - clock} ${entry.type} ${entry["transaction"] as string}`),
    ).toEqual([
      "0 TransactionCommitRequested P-0-1",
      "1 TransactionCommitted P-0-1",
      "2 TransactionCommitRequested P-0-2",
      "3 TransactionCommitted P-0-2",
      "4 TransactionCommitRequested P-0-3",
      "5 TransactionCommitted P-0-3",
    ]);
  });

  test("SK-144: nothing is committed before the news of completion, however long the checkpoint waits", () => {
    const run = story(
      small(
        line({
          timing: { overrides: [{ vertex: "M", checkpoint: 1, "snapshot.async": "2 s" }] },
          faults: triggersAfter("in-0@3"),
        }),
      ),
    );
    const told = run.first("NotificationDelivered", { subtask: "K[0]" });
    expect(told.clock).toBeGreaterThan(2300);
    expect(run.until(told).all("TransactionCommitRequested")).toEqual([]);
  });

  test("SK-145: the abort of a checkpoint changes nothing at the committer; its transaction is committed with the next completed one", () => {
    const run = story(
      small(
        line({
          checkpointing: { timeout: "300 ms", "tolerable-failed-checkpoints": 3 },
          timing: { overrides: [{ vertex: "M", checkpoint: 1, "snapshot.async": "400 ms" }] },
          faults: triggersAfter("in-0@3", "in-0@8"),
        }),
      ),
    );
    const aborted = run.first("NotificationDelivered", { subtask: "K[0]", kind: "aborted" });
    expect(aborted).toMatchObject({ checkpoint: 1 });
    expect(run.since(aborted).told("TransactionAborted")).toEqual([]);
    expect(commits(run).slice(0, 2)).toEqual([
      ["P-0-1", "notification", false],
      ["P-0-2", "notification", false],
    ]);
    expect(run.first("TransactionCommitted").clock).toBeGreaterThan(
      run.first("CheckpointCompleted", { checkpoint: 2 }).clock,
    );
  });

  test("SK-146: without checkpoints nothing is ever committed", () => {
    const run = story(small(line({ checkpointing: { interval: null }, until: { time: 60_000 } })));
    expect(run.all("RecordWritten")).toHaveLength(12);
    expect(commits(run)).toEqual([]);
    expect(run.report.delivery.find(({ reader }) => reader === "read_committed")).toMatchObject({
      seen: 0,
      lost: [],
      pending: expect.arrayContaining(["in-0@0", "in-0@11"]),
    });
  });
});

describe("after a restore", () => {
  test("SK-147: all that the restored state holds is committed at once, in order, before any record is taken", () => {
    const run = story(
      small(
        line({
          ...alone,
          faults: [
            ...triggersAfter("in-0@2", "in-0@4", "in-0@6"),
            lost(1),
            lost(2),
            after("CheckpointCompleted", { checkpoint: 3 }, "kill-taskmanager", { target: "tm-3" }),
          ],
        }),
      ),
    );
    const created = run.first("AttemptCreated", { subtask: "K[0]", attempt: 1 });
    expect(commits(run).slice(0, 3)).toEqual([
      ["P-0-1", "restore", false],
      ["P-0-2", "restore", false],
      ["P-0-3", "restore", false],
    ]);
    const third = run.all("TransactionCommitted")[2];
    expect(run.since(created).first("RecordReceived", { subtask: "K[0]" }).step).toBeGreaterThan(
      third?.step ?? Infinity,
    );
    expect(run.since(created).first("TransactionBegun").step).toBeGreaterThan(third?.step ?? Infinity);
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("SK-158: the transaction is committed under the id and epoch of the snapshot, without initialising the id", () => {
    const run = story(
      small(
        line({
          ...alone,
          faults: [
            ...triggersAfter("in-0@3"),
            after("CheckpointCompleted", { checkpoint: 1 }, "kill-taskmanager", { target: "tm-3" }),
          ],
        }),
      ),
    );
    const begun = run.first("TransactionBegun", { transaction: "P-0-1" });
    expect(run.since(begun).all("ProducerIdInitialized", { transaction: "P-0-1" })).toEqual([]);
    expect(commits(run)[0]).toEqual(["P-0-1", "restore", false]);
  });
});

describe("the log's answers (SK-157, SK-149)", () => {
  test("SK-157, KF-024: committed already by the same producer and epoch is success, and adds nothing", () => {
    const run = story(
      small(
        line({
          ...alone,
          faults: [
            ...triggersAfter("in-0@3"),
            after("TransactionCommitted", { transaction: "P-0-1" }, "kill-taskmanager", { target: "tm-3" }),
          ],
        }),
      ),
    );
    expect(commits(run).slice(0, 2)).toEqual([
      ["P-0-1", "notification", false],
      ["P-0-1", "restore", true],
    ]);
    expect(run.all("CommitFailed")).toEqual([]);
    // One marker: record 4 is the sixth entry of the partition, after four records and a marker.
    expect(run.last("RecordWritten", { record: "in-0@4" })).toMatchObject({ offset: 5 });
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("SK-157, SK-149: fenced means dropped: the job goes on, the records are gone, the next transaction is committed", () => {
    const run = story(
      small(
        line({
          faults: [
            ...triggersAfter("in-0@3", "in-0@7"),
            after("CheckpointCompleted", { checkpoint: 1 }, "expire-transaction", { target: "K[0]" }),
          ],
        }),
      ),
    );
    expect(
      run.told("TransactionTimedOut", "TransactionCommitRequested", "CommitFailed", "TransactionCommitted").slice(0, 5),
    ).toEqual([
      "TransactionTimedOut P-0-1 1",
      "TransactionCommitRequested K[0] P-0-1 1",
      "CommitFailed K[0] P-0-1 1",
      "TransactionCommitRequested K[0] P-0-2 2",
      "TransactionCommitted K[0] P-0-2 2",
    ]);
    expect(run.first("CommitFailed")).toMatchObject({ answer: "PRODUCER_FENCED" });
    expect(run.all("TaskFailed")).toEqual([]);
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-most-once" });
    expect(run.report.delivery.find(({ reader }) => reader === "read_committed")?.lost).toEqual([
      "in-0@0",
      "in-0@1",
      "in-0@2",
      "in-0@3",
    ]);
  });

  test("SK-157: a refused transaction is forgotten: it is in no later snapshot", () => {
    const run = story(
      small(
        line({
          faults: [
            ...triggersAfter("in-0@3", "in-0@7"),
            after("CheckpointCompleted", { checkpoint: 1 }, "expire-transaction", { target: "K[0]" }),
          ],
        }),
      ),
    );
    expect(run.values("SnapshotPersisted", "bytes", { subtask: "K[0]" })).toEqual([16, 16, 16]);
    expect(run.values("TransactionCommitRequested", "transaction").filter((id) => id === "P-0-1")).toHaveLength(1);
  });

  test("SK-157, KF-014: a transaction that was aborted under the same epoch cannot be committed any more", () => {
    const drive = new Drive(small(line({ ...alone })));
    drive.until("RecordWritten", { record: "in-0@2" });
    const epoch = drive.entries.findLast(({ type }) => type === "TransactionBegun")?.["epoch"];
    drive.kernel.after(0, Op.closeSink, drive.subtask("K[0]"), drive.subtask("K[0]"), drive.graph.sinks[0]);
    drive.kernel.after(
      1,
      Op.brokerCommit,
      Actor.wire,
      transactionNumber(0, 0, 1),
      Number(epoch),
      1,
      Decider.notification,
    );
    expect(
      drive.pass(1).map(({ type, answer }) => (answer === undefined ? type : `${type} ${answer as string}`)),
    ).toEqual(["TransactionAborted", "CommitFailed INVALID_TXN_STATE"]);
  });

  test("a request that has reached the log is carried out, whatever became of who sent it", () => {
    const run = story(
      small(
        line({
          ...alone,
          faults: [
            ...triggersAfter("in-0@3"),
            before("TransactionCommitted", { transaction: "P-0-1" }, "kill-taskmanager", { target: "tm-3" }),
          ],
        }),
      ),
    );
    expect(commits(run).slice(0, 2)).toEqual([
      ["P-0-1", "notification", false],
      ["P-0-1", "restore", true],
    ]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });
});
