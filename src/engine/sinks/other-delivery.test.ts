/** A Kafka sink that goes on from a snapshot with another delivery: its committer is there whatever that is (SK-147). */
import { describe, expect, test } from "vitest";
import { recordsOf } from "../testing/sinks.ts";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  lane,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

/** Cancelled when checkpoint 2 is complete and its transactions are not committed; goes on from it with another delivery. */
const run = (delivery: string, own: Json = {}, more: readonly Json[] = []): Story =>
  story(
    small({
      vertices: [source("S"), counter("M"), sink("K", own)],
      edges: ["S forward M", "M forward K"],
      config: {
        "execution.checkpointing.dir": "file:///ck",
        "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
      },
      faults: [
        ...triggersAfter("in-0@3", "in-0@7"),
        atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 2 }),
        after("CheckpointCompleted", { checkpoint: 2 }, "cancel"),
        after("JobStatusChanged", { to: "CANCELED" }, "restore", {
          from: "checkpoint",
          job: { vertices: [{ uid: "K", delivery }] },
        }),
        ...more,
      ],
    }),
  );
const committed = (told: Story): Story["report"]["delivery"][number] | undefined =>
  told.report.delivery.find(({ reader }) => reader === "read_committed");

describe.each(["at-least-once", "none"])("exactly-once, then %s", (delivery) => {
  test("SK-147: what the snapshot holds is committed as the new job starts, before it writes anything", () => {
    const told = run(delivery);
    const second = told.since(told.first("JobSubmitted", { submission: 1 }));
    const done = second.first("TransactionCommitted", { transaction: "P-0-2" });
    expect(done).toMatchObject({ decider: "restore", again: false, subtask: "K[0]" });
    expect(done.step).toBeLessThan(second.first("RecordWritten").step);
    expect(second.values("RecordWritten", "transaction")).toEqual([null, null, null, null]);
    expect(committed(told)).toMatchObject({ seen: 12, lost: [], duplicated: [], pending: [] });
  });

  test("SK-147, SK-161: what came behind it nobody looks for", () => {
    const told = run(delivery);
    expect(told.all("ProducerIdInitialized", { submission: 1 })).toEqual([]);
  });

  test("SK-147, SK-149: a transaction that the log has given up is dropped there too, and its records are lost", () => {
    const told = run(delivery, {}, [
      after("JobStatusChanged", { to: "CANCELLING" }, "expire-transaction", { transaction: "P-0-2" }),
    ]);
    expect(told.first("CommitFailed", { transaction: "P-0-2" })).toMatchObject({ submission: 1 });
    expect(committed(told)?.lost).toEqual(recordsOf(4, 7));
  });

  test("CP-172: its committer has state whatever the delivery, so that a job without the sink needs to be allowed to start", () => {
    const plain = story(
      small({
        ...lane(1, { delivery }),
        vertices: [source("S"), counter("M"), sink("K", { delivery })],
        config: {
          "execution.checkpointing.dir": "file:///ck",
          "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
        },
        faults: [
          ...triggersAfter("in-0@3"),
          after("CheckpointCompleted", { checkpoint: 1 }, "cancel"),
          after("JobStatusChanged", { to: "CANCELED" }, "restore", {
            from: "checkpoint",
            job: { vertices: [{ uid: "K", delivery: "exactly-once" }] },
          }),
        ],
      }),
    );
    expect(plain.report.submissions[1]).toMatchObject({ status: "RUNNING", refused: null });
    expect(plain.report.delivery[0]).toMatchObject({ lost: [], pending: [] });
  });
});
