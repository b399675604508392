/** What entries mean, on hand-made logs of the small job: two sources, a keyed sum, an exactly-once sink. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { transactionNumber } from "../protocol/ids.ts";
import { faultVerbs, rpcs } from "../protocol/reasons.ts";
import { advance, initialView } from "./fold.ts";
import { LogBuilder } from "./testing/builder.ts";
import type { ChannelView, RunView } from "./views.ts";

const b = (): LogBuilder => new LogBuilder();

function view(builder: LogBuilder): RunView {
  const made = initialView(builder.scenario, builder.graph);
  advance(made, builder.log, builder.log.length - 1);
  return made;
}

/** Records by their numbers, barriers as `|n`, cancel markers as `x n`; the next to be taken first. */
function drawn({ queue }: ChannelView): string {
  return queue
    .map(
      ({ kind, id }) =>
        ({
          record: "",
          committable: "c",
          barrier: "|",
          "cancel-marker": "x",
          "end-of-data": "end",
          "end-of-partition": "over",
        })[kind] + String(id),
    )
    .join(" ");
}

/** A run in which the sources have read records 0 and 2 (offsets 0 and 1 of partition 0) and sent them to `sum`. */
function twoSent(): LogBuilder {
  const builder = b();
  const [subtask, channel, operator] = [
    builder.subtask("in[0]"),
    builder.channel("in[0]->sum[0]"),
    builder.operator("in"),
  ];
  for (const record of [0, 2]) {
    builder.add("RecordEmitted", { subtask, operator, record, value: record + 1 });
    builder.add("RecordSent", { subtask, channel, record, value: record + 1 });
  }
  return builder;
}

describe("channels", () => {
  test("CP-034: what goes in first comes out first, and arrives after the latency", () => {
    const builder = twoSent();
    const [source, sum, channel] = [
      builder.subtask("in[0]"),
      builder.subtask("sum[0]"),
      builder.channel("in[0]->sum[0]"),
    ];
    builder.add("BarrierEmitted", { subtask: source, channel, checkpoint: 1 });
    expect(drawn(at(view(builder).channels, channel))).toBe("0 2 |1");
    builder.clock = 5;
    builder.add("RecordReceived", { subtask: sum, channel, record: 0, value: 1 });
    const { queue, fill } = at(view(builder).channels, channel);
    expect(drawn(at(view(builder).channels, channel))).toBe("2 |1");
    expect(fill).toBe(1);
    expect(at(queue, 0)).toMatchObject({ sentAt: 0, arrivesAt: builder.scenario.timing.network, pass: 1 });
  });

  test("CP-042: a channel is blocked until it is resumed", () => {
    const builder = twoSent();
    const [subtask, channel] = [builder.subtask("sum[0]"), builder.channel("in[0]->sum[0]")];
    builder.add("ChannelBlocked", { subtask, channel, checkpoint: 4 });
    expect(at(view(builder).channels, channel).blocked).toBe(4);
    builder.add("ChannelResumed", { subtask, channel, checkpoint: 4 });
    expect(at(view(builder).channels, channel).blocked).toBe(-1);
  });

  test("FR-092: a new attempt has new channels on both sides", () => {
    const builder = twoSent();
    builder.add("RecordSent", {
      subtask: builder.subtask("sum[0]"),
      channel: builder.channel("sum[0]->out[0]"),
      record: 0,
      value: 1,
    });
    builder.add("AttemptCreated", { subtask: builder.subtask("sum[0]"), attempt: 1 });
    expect(view(builder).channels.map(drawn)).toEqual(["", "", ""]);
  });

  test("FR-008: a thread that ends loses its input and what it has in hand, and nothing that it has sent", () => {
    const builder = twoSent();
    const [sum, channel] = [builder.subtask("sum[0]"), builder.channel("in[0]->sum[0]")];
    builder.add("RecordSent", { subtask: sum, channel: builder.channel("sum[0]->out[0]"), record: 0, value: 1 });
    builder.add("RecordReceived", { subtask: sum, channel, record: 0, value: 1 });
    expect(at(view(builder).subtasks, sum).work).toMatchObject({ kind: "record", record: 0, until: 5 });
    builder.add("TaskStopped", { subtask: sum, attempt: 0, ending: 0 });
    const after = view(builder);
    expect(at(after.subtasks, sum)).toMatchObject({ thread: "ended", ending: "FAILED", work: null });
    expect(after.channels.map(drawn)).toEqual(["", "", "0"]);
  });
});

describe("state", () => {
  const triggered = (): LogBuilder => {
    const builder = twoSent();
    const [subtask, operator] = [builder.subtask("sum[0]"), builder.operator("sum")];
    builder.add("RecordProcessed", { subtask, operator, record: 0, value: 1 });
    builder.add("CheckpointTriggered", { checkpoint: 1, kind: 0 });
    for (const name of ["in[0]", "in[1]", "sum[0]", "out[0]"]) {
      builder.add("SnapshotTaken", { subtask: builder.subtask(name), checkpoint: 1, startDelay: 2, duration: 0 });
    }
    return builder;
  };

  test("SK-004, FR-085: a snapshot keeps what the subtask held, and a restore gives it back", () => {
    const builder = triggered();
    const [source, sum, operator] = [builder.subtask("in[0]"), builder.subtask("sum[0]"), builder.operator("sum")];
    builder.add("RecordProcessed", { subtask: sum, operator, record: 2, value: 9 });
    builder.add("RecordEmitted", { subtask: source, operator: builder.operator("in"), record: 4, value: 1 });
    const before = view(builder);
    const key = before.shared.keys[0]![0]!;
    expect([...at(at(before.subtasks, sum).held.operators, 0).values]).not.toEqual([1, 0]);
    expect(before.inputs.map(({ position }) => position)).toEqual([3, 0]);

    builder.add("CheckpointCompleted", { checkpoint: 1 });
    for (const subtask of [source, sum]) builder.add("AttemptCreated", { subtask, attempt: 1 });
    for (const subtask of [source, sum]) builder.add("StateRestored", { subtask, attempt: 1, checkpoint: 1 });
    const after = view(builder);
    const held = at(at(after.subtasks, sum).held.operators, 0);
    expect(held.values[key]).toBe(1);
    expect([...held.counts].reduce((sumOf, count) => sumOf + count, 0)).toBe(1);
    expect(at(after.subtasks, sum)).toMatchObject({ attempt: 1, restored: 1 });
    expect(after.inputs.map(({ position, checkpointed }) => [position, checkpointed])).toEqual([
      [2, 2],
      [0, 0],
    ]);
  });

  test("SK-003: a record that a source reads again is in its second pass", () => {
    const builder = triggered();
    const [subtask, operator, channel] = [
      builder.subtask("in[0]"),
      builder.operator("in"),
      builder.channel("in[0]->sum[0]"),
    ];
    builder.add("AttemptCreated", { subtask, attempt: 1 });
    builder.add("StateRestored", { subtask, attempt: 1, checkpoint: 1 });
    builder.add("SourceRewound", { subtask, partition: 0, position: 2, target: 1 });
    for (const record of [2, 4]) {
      builder.add("RecordEmitted", { subtask, operator, record, value: 1 });
      builder.add("RecordSent", { subtask, channel, record, value: 1 });
    }
    expect(at(view(builder).channels, channel).queue.map(({ id, pass }) => [id, pass])).toEqual([
      [2, 2],
      [4, 1],
    ]);
  });
});

describe("outputs", () => {
  test("KF-001, KF-030: markers take offsets, and the oldest open transaction holds the last stable offset", () => {
    const builder = b();
    const [subtask, operator] = [builder.subtask("out[0]"), builder.operator("out")];
    const [first, second] = [transactionNumber(0, 0, 1), transactionNumber(0, 0, 2)];
    const begin = (transaction: number): void => {
      builder.add("TransactionBegun", { subtask, transaction, checkpoint: 1, epoch: 0 }, [
        ["transaction", transaction, "NONE", "OPEN"],
      ]);
    };
    const write = (transaction: number, record: number, offset: number): void => {
      builder.add("RecordWritten", { subtask, operator, record, value: 1, partition: 0, offset, transaction });
    };
    const told = (): unknown => {
      const { outputs, shared } = view(builder);
      const { length, lastStableOffset } = at(outputs, 0);
      return [
        at(shared.cells, 0)
          .slice(0, length)
          .map(({ kind, record }) => (kind === "record" ? record : kind)),
        lastStableOffset,
      ];
    };
    begin(first);
    write(first, 0, 0);
    builder.add("TransactionPreCommitted", { subtask, transaction: first, checkpoint: 1, records: 1 }, [
      ["transaction", first, "OPEN", "PRE_COMMITTED"],
    ]);
    begin(second);
    write(second, 2, 1);
    expect(told()).toEqual([[0, 2], 0]);
    builder.add("TransactionCommitted", { transaction: first, checkpoint: 1, decider: 0, subtask, again: 0 }, [
      ["transaction", first, "PRE_COMMITTED", "COMMITTED"],
    ]);
    expect(told()).toEqual([[0, 2, "commit-marker"], 1]);
    builder.add("TransactionAborted", { transaction: second, checkpoint: 2, decider: 2, subtask }, [
      ["transaction", second, "OPEN", "ABORTED"],
    ]);
    expect(told()).toEqual([[0, 2, "commit-marker", "abort-marker"], 4]);
    expect(view(builder).transactions.map(({ state, records, decidedBy }) => [state, records, decidedBy])).toEqual([
      ["COMMITTED", 1, "notification"],
      ["ABORTED", 1, "close"],
    ]);
  });
});

describe("messages and failures", () => {
  test("CP-013: trigger messages are on the wire for the time of a call; a lost one says so", () => {
    const builder = b();
    builder.add("CheckpointTriggered", { checkpoint: 1, kind: 0 });
    expect(view(builder).messages).toEqual([]);
    for (const operator of builder.graph.sources)
      builder.add("CoordinatorSnapshotTaken", { operator, checkpoint: 1, assigned: 1 });
    builder.add("MessageLost", { rpc: rpcs.indexOf("trigger"), subtask: 1, checkpoint: 1 });
    expect(view(builder).messages.map(({ rpc, subtask, lost, arrivesAt }) => [rpc, subtask, lost, arrivesAt])).toEqual([
      ["trigger", 0, false, builder.scenario.timing.rpc],
      ["trigger", 1, true, builder.scenario.timing.rpc],
    ]);
    builder.clock = builder.scenario.timing.rpc + 1;
    builder.add("TriggerQueued", { pending: 1 });
    expect(view(builder).messages).toEqual([]);
  });

  test("FR-080: a restart is under way until all its subtasks run", () => {
    const builder = b();
    builder.add("RestartScheduled", { delay: 100, failures: 1, scope: 0, failure: 0, restarted: [0, 2] });
    expect(view(builder).job.restarting).toMatchObject([
      { delay: 100, restarted: [0, 2], scope: "region", failure: "USER_EXCEPTION" },
    ]);
    const states = ["CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING", "RUNNING"] as const;
    for (const subtask of [0, 2]) {
      builder.add("AttemptCreated", { subtask, attempt: 1 });
      states
        .slice(1)
        .forEach((to, from) =>
          builder.add("TaskStateChanged", { subtask, attempt: 1, from, to: from + 1, taskManager: from > 1 ? 0 : -1 }, [
            ["executionState", subtask, at(states, from), to],
          ]),
        );
    }
    const after = view(builder);
    expect(after.job).toMatchObject({ restarts: 1, restarting: [] });
    expect(after.taskManagers.map(({ subtasks }) => subtasks)).toEqual([[0, 2], []]);
    expect(after.subtasks.map(({ state }) => state)).toEqual(["RUNNING", "CREATED", "RUNNING", "CREATED"]);
  });

  test("FR-024: a killed process is gone at once; the JobManager learns of it later", () => {
    const builder = b();
    builder.add("FaultInjected", { do: faultVerbs.indexOf("kill-taskmanager"), taskManager: 1, fault: 0 });
    expect(at(view(builder).taskManagers, 1)).toMatchObject({ alive: false, registered: true });
    builder.add("TaskManagerLost", { taskManager: 1 });
    expect(at(view(builder).taskManagers, 1)).toMatchObject({ alive: false, registered: false });
  });
});
