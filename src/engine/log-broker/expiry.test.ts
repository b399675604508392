/** Transactional ids that the log forgets (`recovery-and-sinks.md` 11.3 and FI-77). */
import { describe, expect, test } from "vitest";
import { transactionNumber } from "../../protocol/ids.ts";
import { requestBy } from "../sinks/kafka-committer.ts";
import { Txn } from "../layout.ts";
import { Actor, Op } from "../ops.ts";
import {
  Drive,
  type Story,
  after,
  counter,
  fixedDelay,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";
import { Client, Decider, TxnState, epochOf, rowOf, write } from "./transactions.ts";

const day = 24 * 3_600_000;
const P1 = transactionNumber(0, 0, 1);

/** A transaction under P-0-1 that is open, with a hand on the coordinator. */
class Ids extends Drive {
  constructor(records = 3) {
    super(small({ vertices: [source("S"), sink("K")], edges: ["S forward K"], initialDelay: 100_000 }));
    this.until("RecordWritten", { record: `in-0@${records - 1}` });
    const { agenda } = this.kernel.world;
    while (agenda.count > 0) agenda.remove(0);
  }

  get row(): number {
    return rowOf(this.kernel, P1);
  }

  after(time: number, op: number, ...words: readonly number[]): string[] {
    this.kernel.world.clock += time;
    this.kernel.after(0, op, Actor.wire, ...(words as [number]));
    return this.pass(0).map(({ type, answer, epoch }) =>
      type === "CommitFailed" ? `${type} ${answer as string}` : epoch === undefined ? type : `${type} ${Number(epoch)}`,
    );
  }

  commit(time: number, epoch: number): string[] {
    const { transactions } = this.kernel.world;
    if (transactions.get(this.row, Txn.client) === Client.open)
      transactions.set(this.row, Txn.client, Client.preCommitted);
    return this.after(time, Op.brokerCommit, P1, epoch, 1, requestBy(-1, Decider.notification));
  }

  initialize(time: number): string[] {
    return this.after(time, Op.initializeId, -1, P1);
  }
}

describe("an id that nobody uses", () => {
  test("KF-022: after seven days it is unknown: a commit is told so, and another producer id begins at epoch 0", () => {
    const ids = new Ids();
    expect(ids.commit(0, 1)).toEqual(["TransactionCommitted"]);
    expect(ids.commit(6 * day, 1)).toEqual(["TransactionCommitted"]);
    expect(ids.commit(2 * day, 1)).toEqual(["TransactionalIdExpired", "CommitFailed INVALID_PRODUCER_ID_MAPPING"]);
    expect(ids.kernel.world.transactions.get(ids.row, Txn.state)).toBe(TxnState.dead);
    expect(ids.initialize(0)).toEqual(["ProducerIdInitialized 0"]);
    expect(ids.initialize(0)).toEqual(["ProducerIdInitialized 1"]);
  });

  test("KF-022, KF-014: an epoch of the old producer id is not one of the new, though its number is the same", () => {
    const ids = new Ids();
    ids.commit(0, 1);
    ids.initialize(8 * day);
    ids.initialize(0);
    const epoch = ids.kernel.world.transactions.get(ids.row, Txn.epoch);
    expect(epochOf(epoch)).toBe(1);
    expect(write(ids.kernel, P1, 1, 0, 900_000)).toBe(false);
    expect(ids.commit(0, 1)).toEqual(["CommitFailed INVALID_PRODUCER_ID_MAPPING"]);
    expect(ids.commit(0, epoch)).toEqual(["CommitFailed INVALID_TXN_STATE"]);
  });

  test("KF-022: the coordinator looks once an hour, and a transaction under way does not expire", () => {
    const ids = new Ids();
    expect(ids.commit(30 * day, 1)).toEqual(["TransactionCommitted"]);
    const start = ids.kernel.now;
    const next = (Math.floor((start + 7 * day) / 3_600_000) + 1) * 3_600_000;
    expect(ids.commit(next - start - 1, 1)).toEqual(["TransactionCommitted"]);
    expect(ids.commit(1, 1)[0]).toBe("TransactionalIdExpired");
  });
});

/** Pre-committed for a checkpoint that is complete; the log gives it up and then forgets its id, while the job is down. */
const gone = (expiration: string, attempts: number): Story =>
  story(
    small({
      vertices: [source("S"), counter("M"), sink("K", { properties: { "transaction.timeout.ms": "10 s" } })],
      edges: ["S forward M", "M forward K"],
      broker: {
        "transactional.id.expiration.ms": expiration,
        "transaction.remove.expired.transaction.cleanup.interval.ms": "1 s",
      },
      restart: fixedDelay(attempts, "60 s"),
      faults: [...triggersAfter("in-0@3"), after("CheckpointCompleted", { checkpoint: 1 }, "fail-job")],
      until: { time: 600_000 },
    }),
  );

describe("a committable whose id is gone", () => {
  test("FI-77, SK-157: the log does not know the id, the sink not the reason: a restart loop, and the job fails", () => {
    const told = gone("20 s", 3);
    expect(told.first("TransactionTimedOut", { transaction: "P-0-1" })).toBeDefined();
    expect(told.values("CommitFailed", "answer")).toEqual(
      Array.from({ length: 3 }, () => "INVALID_PRODUCER_ID_MAPPING"),
    );
    expect(told.values("TaskFailed", "failure")).toEqual(Array.from({ length: 3 }, () => "COMMIT_FAILED"));
    expect(told.report.job).toMatchObject({ status: "FAILED", restarts: 3 });
    expect(told.report.delivery[0]?.lost).toEqual(expect.arrayContaining(["in-0@0", "in-0@1", "in-0@2", "in-0@3"]));
    expect(told.report.verdict.endToEnd).toBe("at-most-once");
  });

  test("FI-14, SK-157: while the log knows the id the commit is fenced, the sink drops it and runs on", () => {
    const told = gone("7 d", 3);
    expect(told.values("CommitFailed", "answer")).toEqual(["PRODUCER_FENCED"]);
    expect(told.report.job).toMatchObject({ status: "RUNNING", restarts: 1 });
    expect(told.report.delivery[0]?.lost).toEqual(["in-0@0", "in-0@1", "in-0@2", "in-0@3"]);
  });
});
