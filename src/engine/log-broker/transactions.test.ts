/** The log's transaction coordinator (`recovery-and-sinks.md` 11.2 and 11.3). Epochs and answers as its tables have them. */
import { describe, expect, test } from "vitest";
import { transactionNumber } from "../../protocol/ids.ts";
import { requestBy } from "../sinks/kafka-committer.ts";
import { Txn } from "../layout.ts";
import { Actor, Op } from "../ops.ts";
import { withFaults } from "../testing/runs.ts";
import {
  Drive,
  type Small,
  type Story,
  after,
  atTime,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";
import { Client, Decider, TxnState, rowOf, write } from "./transactions.ts";

const line = (more: Partial<Small> = {}): Small => ({ ...lane(1, { chain: false }), ...more });
/** `P-0-n`. */
const id = (offset: number): number => transactionNumber(0, 0, offset);

/** A job that has written records 0 to 2 into P-0-1, of epoch 1, and a hand on the coordinator. */
class Broker extends Drive {
  constructor() {
    super(small(line({ initialDelay: 100_000 })));
    this.until("RecordWritten", { record: "in-0@2" });
  }

  private answers(): string[] {
    return this.pass(0)
      .filter(({ type }) => /^(Transaction|Commit|Producer)/.test(type))
      .map(({ type, answer, epoch, again }) => {
        if (type === "CommitFailed") return `${type} ${answer as string}`;
        if (type === "ProducerIdInitialized") return `${type} ${Number(epoch)}`;
        return again === true ? `${type} again` : type;
      });
  }

  /** What is asked of the log here is asked of it for transactions that were handed over. */
  commit(transaction: number, epoch: number): string[] {
    const { transactions } = this.kernel.world;
    const row = rowOf(this.kernel, transaction);
    if (row >= 0 && transactions.get(row, Txn.client) === Client.open)
      transactions.set(row, Txn.client, Client.preCommitted);
    this.kernel.after(0, Op.brokerCommit, Actor.wire, transaction, epoch, 1, requestBy(-1, Decider.notification));
    return this.answers();
  }

  /** As a client does it: asks again until it is answered. */
  initialize(transaction: number): string[] {
    this.kernel.after(0, Op.initializeId, Actor.wire, -1, transaction);
    return this.answers();
  }

  timeOut(transaction: number, epoch: number): string[] {
    this.kernel.after(0, Op.timeOutTransaction, Actor.broker, transaction, epoch);
    return this.answers();
  }

  close(): string[] {
    this.kernel.after(0, Op.closeSink, Actor.wire, this.subtask("K[0]"), this.graph.sinks[0]);
    return this.answers();
  }

  write(epoch: number): boolean {
    return write(this.kernel, id(1), epoch, 0, 900_000);
  }

  state(transaction: number): [state: number, epoch: number] {
    const { transactions } = this.kernel.world;
    const row = rowOf(this.kernel, transaction);
    return [transactions.get(row, Txn.state), transactions.get(row, Txn.epoch)];
  }
}

describe("initialising an id (KF-012)", () => {
  test("KF-012, KF-010: an unknown id gets epoch 0 and is Empty; one that is Empty or complete gets the next epoch and is Empty", () => {
    const broker = new Broker();
    expect(broker.initialize(id(50))).toEqual(["ProducerIdInitialized 0"]);
    expect(broker.state(id(50))).toEqual([TxnState.empty, 0]);
    expect(broker.initialize(id(50))).toEqual(["ProducerIdInitialized 1"]);
    expect(broker.state(id(50))).toEqual([TxnState.empty, 1]);
    expect(broker.commit(id(1), 1)).toEqual(["TransactionCommitted"]);
    expect(broker.state(id(1))).toEqual([TxnState.completeCommit, 1]);
    expect(broker.initialize(id(1))).toEqual(["ProducerIdInitialized 2"]);
    expect(broker.state(id(1))).toEqual([TxnState.empty, 2]);
  });

  test("KF-012: of an Ongoing one the owner is fenced and the transaction aborted; asked again there is one more epoch", () => {
    const broker = new Broker();
    expect(broker.state(id(1))).toEqual([TxnState.ongoing, 1]);
    expect(broker.initialize(id(1))).toEqual(["TransactionAborted", "ProducerIdInitialized 3"]);
    expect(broker.state(id(1))).toEqual([TxnState.empty, 3]);
  });

  test("KF-023, KF-004, KF-013: after that nothing the previous owner does under the id has an effect", () => {
    const broker = new Broker();
    broker.initialize(id(1));
    const before = broker.kernel.world.output(0, 1);
    expect(broker.write(1)).toBe(false);
    expect(broker.commit(id(1), 1)).toEqual(["CommitFailed PRODUCER_FENCED"]);
    expect(broker.close().filter((answer) => answer.startsWith("TransactionAborted"))).toEqual([]);
    expect(broker.state(id(1))).toEqual([TxnState.empty, 3]);
    expect(broker.kernel.world.output(0, 1)).toBe(before);
  });
});

describe("the end of a transaction (KF-014)", () => {
  test("KF-014: Ongoing commits; CompleteCommit is told it is done and nothing is added", () => {
    const broker = new Broker();
    const { length } = broker.entries.filter(({ type }) => type === "RecordWritten");
    expect(broker.commit(id(1), 1)).toEqual(["TransactionCommitted"]);
    // Three records and one marker.
    expect([length, broker.kernel.world.output(0, 1)]).toEqual([3, 4]);
    for (let i = 0; i < 3; i++) expect(broker.commit(id(1), 1)).toEqual(["TransactionCommitted again"]);
    expect(broker.kernel.world.output(0, 1)).toBe(4);
  });

  test("KF-014: another epoch is fenced, an unknown id is told so, Empty and CompleteAbort are in the wrong state", () => {
    const broker = new Broker();
    expect(broker.commit(id(1), 0)).toEqual(["CommitFailed PRODUCER_FENCED"]);
    expect(broker.commit(id(1), 2)).toEqual(["CommitFailed PRODUCER_FENCED"]);
    expect(broker.commit(id(77), 0)).toEqual(["CommitFailed INVALID_PRODUCER_ID_MAPPING"]);
    broker.initialize(id(50));
    expect(broker.commit(id(50), 0)).toEqual(["CommitFailed INVALID_TXN_STATE"]);
    expect(broker.close()).toEqual(["TransactionAborted"]);
    expect(broker.state(id(1))).toEqual([TxnState.completeAbort, 1]);
    expect(broker.commit(id(1), 1)).toEqual(["CommitFailed INVALID_TXN_STATE"]);
  });

  test("KF-024: after the id was initialised anew a repeated commit is refused, and the earlier one stands", () => {
    const broker = new Broker();
    broker.commit(id(1), 1);
    broker.initialize(id(1));
    expect(broker.commit(id(1), 1)).toEqual(["CommitFailed PRODUCER_FENCED"]);
    expect(broker.kernel.world.output(0, 1)).toBe(4);
  });
});

describe("timeouts (KF-020, KF-021)", () => {
  test("KF-020: the log looks every 10 s for what has been open for longer than its timeout, strictly", () => {
    const timedOut = (start: number, timeout: number, interval: number): number => {
      const drive = new Drive(
        small(line({ broker: { "transaction.abort.timed.out.transaction.cleanup.interval.ms": interval } })),
      );
      drive.until("TransactionBegun");
      drive.pass(1);
      const { kernel } = drive;
      while (kernel.world.agenda.count > 0) kernel.world.agenda.remove(0);
      kernel.world.clock = start;
      write(kernel, id(1), 1, 0, timeout);
      return drive.until("TransactionTimedOut").clock;
    };
    expect(timedOut(5000, 7000, 10_000)).toBe(20_000);
    expect(timedOut(5000, 4999, 10_000)).toBe(10_000);
    // At 10 000 it has been open for exactly its timeout: not yet.
    expect(timedOut(5000, 5000, 10_000)).toBe(20_000);
    expect(timedOut(5000, 7000, 1000)).toBe(13_000);
    expect(timedOut(5000, 7000, 1)).toBe(12_001);
  });

  test("KF-020: the epoch goes up by one and the transaction is aborted; a committed or an empty one has no clock", () => {
    const broker = new Broker();
    expect(broker.timeOut(id(1), 1)).toEqual(["TransactionTimedOut"]);
    expect(broker.state(id(1))).toEqual([TxnState.completeAbort, 2]);
    const committed = new Broker();
    committed.commit(id(1), 1);
    expect(committed.timeOut(id(1), 1)).toEqual([]);
    committed.initialize(id(50));
    expect(committed.timeOut(id(50), 0)).toEqual([]);
  });

  test("KF-021: after it the old owner's write, commit and abort are all fenced", () => {
    const broker = new Broker();
    broker.timeOut(id(1), 1);
    expect(broker.write(1)).toBe(false);
    expect(broker.commit(id(1), 1)).toEqual(["CommitFailed PRODUCER_FENCED"]);
    expect(broker.close().filter((answer) => answer.startsWith("TransactionAborted"))).toEqual([]);
    expect(broker.state(id(1))).toEqual([TxnState.completeAbort, 2]);
  });

  test("KF-020: in a run, a pre-committed transaction whose checkpoint takes too long is given up at the next look", () => {
    const run = story(
      small({
        vertices: [source("S"), sink("K", { properties: { "transaction.timeout.ms": "3 s" } })],
        edges: ["S forward K"],
        timing: { overrides: [{ vertex: "S", checkpoint: 1, "snapshot.async": "30 s" }] },
        faults: triggersAfter("in-0@3"),
        until: { time: 12_000 },
      }),
    );
    expect(run.first("TransactionPreCommitted")).toMatchObject({ transaction: "P-0-1" });
    expect(run.first("TransactionTimedOut", { transaction: "P-0-1" })).toMatchObject({ clock: 10_000 });
  });
});

describe("life of an id", () => {
  /** KF-011; a transaction of one partition passes through PrepareCommit or PrepareAbort within one step. */
  const legal = new Set([
    "empty ongoing",
    "completeCommit ongoing",
    "completeAbort ongoing",
    "ongoing prepareCommit",
    "ongoing prepareAbort",
    "prepareCommit completeCommit",
    "prepareAbort completeAbort",
    "ongoing completeCommit",
    "ongoing completeAbort",
    "completeCommit empty",
    "completeAbort empty",
  ]);
  const names = Object.keys(TxnState);

  test("KF-010, KF-011: over runs with failures each id takes only the legal steps, and its epoch never goes back", () => {
    const taken = new Set<string>();
    const back: number[] = [];
    const scenarios = [
      withFaults("linear", [
        after("RecordWritten", { record: "in-0@6" }, "kill-taskmanager", { target: "tm-3" }),
        atTime(20_000, "fail-job"),
      ]),
      withFaults("linear", [
        after("CheckpointCompleted", { checkpoint: 2 }, "expire-transaction", { target: "SNK[0]" }),
      ]),
      withFaults("shuffle", [after("TransactionPreCommitted", { checkpoint: 2 }, "fail-task", { target: "MAP[0]" })]),
    ];
    for (const scenario of scenarios) {
      const drive = new Drive(scenario);
      const { transactions } = drive.kernel.world;
      const known = new Map<number, [state: number, epoch: number]>();
      for (let steps = 0; steps < 3000 && drive.simulation.nextDue < Infinity && drive.simulation.step(); steps++) {
        for (let row = 0; row < transactions.count; row++) {
          const now: [number, number] = [transactions.get(row, Txn.state), transactions.get(row, Txn.epoch)];
          const [state, epoch] = known.get(transactions.get(row, Txn.number)) ?? now;
          if (state !== now[0]) taken.add(`${names[state]} ${names[now[0]]}`);
          if (now[1] < epoch) back.push(transactions.get(row, Txn.number));
          known.set(transactions.get(row, Txn.number), now);
        }
      }
    }
    expect(back).toEqual([]);
    expect([...taken].filter((pair) => !legal.has(pair))).toEqual([]);
    expect([...taken].toSorted()).toEqual([
      "completeAbort empty",
      "empty ongoing",
      "ongoing completeAbort",
      "ongoing completeCommit",
      "ongoing prepareAbort",
      "ongoing prepareCommit",
      "prepareAbort completeAbort",
      "prepareCommit completeCommit",
    ]);
  });

  test("KF-011: a record after a commit under the same epoch opens the id again", () => {
    const broker = new Broker();
    broker.commit(id(1), 1);
    expect(broker.write(1)).toBe(true);
    expect(broker.state(id(1))).toEqual([TxnState.ongoing, 1]);
  });
});

const expired = (story1: Story): unknown => story1.all("TransactionTimedOut").map(({ transaction }) => transaction);

describe("expire-transaction, the fault", () => {
  test("it hits the oldest undecided transaction of the sink's subtask, or the one that is named", () => {
    const two = [
      ...triggersAfter("in-0@3", "in-0@6"),
      atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", count: 2 }),
    ];
    expect(
      expired(story(small(line({ faults: [...two, atTime(950, "expire-transaction", { target: "K[0]" })] })))),
    ).toEqual(["P-0-1"]);
    expect(
      expired(story(small(line({ faults: [...two, atTime(950, "expire-transaction", { transaction: "P-0-2" })] })))),
    ).toEqual(["P-0-2"]);
  });
});
