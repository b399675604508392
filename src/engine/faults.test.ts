/** When faults act and what they do (the contract's `faults`). */
import { describe, expect, test } from "vitest";
import {
  type Small,
  type Story,
  after,
  atTime,
  before,
  counter,
  fixedDelay,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

const apart = { chain: false };
const run = (...faults: Record<string, unknown>[]): Story => story(small({ ...lane(1, apart), faults }));
const noted = { do: "lose-rpc", rpc: "decline" };

describe("when", () => {
  test("a fault acts just before the entry, just after it, at the nth, at a time, or at a step; and once", () => {
    const step = (fault: Record<string, unknown>): number[] =>
      run({ ...noted, ...fault })
        .all("FaultInjected")
        .map((entry) => entry.step);
    const clean = run();
    const third = clean.all("RecordWritten")[2]?.step ?? 0;
    expect(step({ at: { before: "RecordWritten", nth: 3 } })).toEqual([third]);
    expect(step({ at: { after: "RecordWritten", nth: 3 } })).toEqual([third + 1]);
    expect(step({ at: { after: "RecordWritten", record: "in-0@2" } })).toEqual([third + 1]);
    expect(step({ at: { step: 40 } })).toEqual([40]);
    expect(run({ ...noted, at: { time: 345 } }).times("FaultInjected")).toEqual([345]);
  });

  test("faults that are set at one entry all act, in the order of the scenario", () => {
    for (const at of [
      { after: "RecordWritten", record: "in-0@2" },
      { before: "RecordWritten", record: "in-0@2" },
    ]) {
      const told = run({ ...noted, at }, { do: "trigger-checkpoint", at }, { ...noted, at }).all("FaultInjected");
      expect(told.map((entry) => [entry["do"], entry["fault"]])).toEqual([
        ["lose-rpc", 0],
        ["trigger-checkpoint", 1],
        ["lose-rpc", 2],
      ]);
    }
  });

  test("before and after change nothing in what led up to them", () => {
    const clean = run();
    for (const at of [
      { before: "CheckpointTriggered" },
      { after: "CheckpointTriggered" },
      { before: "RecordProcessed", nth: 5 },
    ]) {
      const faulty = run({ ...noted, at });
      const { step } = faulty.first("FaultInjected");
      expect(faulty.entries.slice(0, step)).toEqual(clean.entries.slice(0, step));
    }
  });
});

describe("every time", () => {
  const every = (at: Record<string, unknown>): Record<string, unknown> => ({ ...noted, at: { ...at, every: true } });

  test("a fault acts behind each match from the nth on, and in front of each", () => {
    const clean = run().all("RecordWritten");
    const behind = run(every({ after: "RecordWritten", nth: 3 }));
    expect(behind.all("FaultInjected")).toHaveLength(clean.length - 2);
    const before_ = run(every({ before: "RecordWritten", nth: 3 }));
    expect(before_.all("FaultInjected")).toHaveLength(clean.length - 2);
    // Each of them stands right before what it waits for, which comes all the same.
    const written = before_.all("RecordWritten");
    expect(written.map(({ record }) => record)).toEqual(clean.map(({ record }) => record));
    for (const { step } of before_.all("FaultInjected"))
      expect(before_.entries[step + 1]?.type, String(step)).toBe("RecordWritten");
  });

  test("what it holds up comes, though later, and is not held up again", () => {
    const held = run({
      at: { before: "RecordProcessed", vertex: "M", every: true },
      do: "stall",
      target: "M[0]",
      for: "7 ms",
    });
    const clean = run();
    expect(held.all("FaultInjected")).toHaveLength(clean.all("RecordProcessed", { vertex: "M" }).length);
    expect(held.all("RecordProcessed", { vertex: "M" })).toHaveLength(
      clean.all("RecordProcessed", { vertex: "M" }).length,
    );
  });

  test("where it fails the task at each start, the restarts are used up; without a limit the run is stuck", () => {
    const failing = {
      at: { after: "TaskStateChanged", subtask: "M[0]", to: "RUNNING", every: true },
      do: "fail-task",
      target: "M[0]",
    };
    const limited = story(
      small({
        ...lane(1, apart),
        config: { "restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": 2 },
        faults: [failing],
      }),
    );
    expect(limited.all("FaultInjected")).toHaveLength(3);
    expect(limited.report.job.status).toBe("FAILED");
    const endless = story(
      small({
        ...lane(1, apart),
        config: { "restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": 2147483647 },
        faults: [failing],
      }),
    );
    expect(endless.report.ended).toBe("stuck");
  });

  test("of two that act every time before the same, both do, in their order", () => {
    const both = run(every({ before: "CheckpointTriggered" }), every({ before: "CheckpointTriggered" }));
    const triggers = both.all("CheckpointTriggered");
    expect(triggers.length).toBeGreaterThan(0);
    for (const { step } of triggers)
      expect(both.entries.slice(step - 2, step).map((entry) => entry["fault"])).toEqual([0, 1]);
  });
});

describe("with a probability", () => {
  const chance = (probability: number, at: Record<string, unknown> = { after: "RecordWritten" }) => ({
    ...noted,
    at: { ...at, every: true, probability },
  });
  const seeded = (seed: number, ...faults: Record<string, unknown>[]): Story =>
    story(small({ ...lane(1, apart), seed, faults }));
  const hit = (told: Story): unknown[] =>
    told.all("FaultInjected", { fault: 0 }).map(({ step }) => told.entries[step - 1]?.["record"]);

  test("over many seeds a fault acts at the share that it is given, and with one seed at the same places", () => {
    for (const [probability, at] of [
      [0.15, { after: "RecordWritten" }],
      [0.3, { before: "RecordWritten" }],
      [0.5, { after: "RecordWritten", nth: 2 }],
    ] as const) {
      let [acted, came] = [0, 0];
      for (let seed = 1; seed <= 50; seed++) {
        const told = seeded(seed, chance(probability, at));
        acted += told.all("FaultInjected").length;
        came += told.all("RecordWritten").length - ("nth" in at ? at.nth - 1 : 0);
      }
      // Three standard deviations; twice the share is far beyond.
      const bound = 3 * Math.sqrt((probability * (1 - probability)) / came);
      expect(bound).toBeLessThan(probability / 2);
      expect(Math.abs(acted / came - probability), `${probability} ${JSON.stringify(at)}`).toBeLessThan(bound);
    }
    expect(seeded(7, chance(0.3)).entries).toEqual(seeded(7, chance(0.3)).entries);
    expect(hit(seeded(7, chance(0.3)))).not.toEqual(hit(seeded(8, chance(0.3))));
  });

  test("one that never acts leaves the run as it is, other draws included, and the report says why", () => {
    const failure = { at: { after: "RecordWritten", nth: 4 }, do: "fail-task", target: "M[0]" };
    const drawing = (...faults: Record<string, unknown>[]): Story =>
      story(
        small({
          ...lane(1, apart),
          initialDelay: null,
          checkpointing: { interval: "400 ms" },
          restart: { type: "exponential-delay" },
          faults: [failure, ...faults],
        }),
      );
    const never = drawing(chance(1e-9), chance(1e-9, { before: "RecordSent" }));
    expect(drawing().all("RestartScheduled").length).toBeGreaterThan(0);
    expect(never.entries).toEqual(drawing().entries);
    expect(never.report.notices.map(({ message }) => message)).toEqual([
      "lose-rpc did not act: chance decided against it each time.",
      "lose-rpc did not act: chance decided against it each time.",
    ]);
  });

  test("what it draws is its own: a fault before it, or another with the same words, moves nothing", () => {
    const alone = hit(seeded(5, chance(0.4)));
    expect(alone.length).toBeGreaterThan(1);
    const both = seeded(5, chance(0.4), chance(0.4), { at: { before: "JobStatusChanged" }, do: "trigger-checkpoint" });
    const written = both.all("RecordWritten").map(({ record, step }) => ({ record, step }));
    const of = (fault: number): unknown[] =>
      both.all("FaultInjected", { fault }).map(({ step }) => written.findLast((entry) => entry.step < step)?.record);
    expect(of(0)).toEqual(alone);
    expect(of(1)).not.toEqual(alone);
  });

  test("restarts that chance may end are not called endless at once; what never gets through is", () => {
    const failing = (probability: number) => ({
      ...lane(1, apart),
      restart: fixedDelay(2147483647, "10 ms"),
      faults: [
        {
          at: { after: "TaskStateChanged", subtask: "M[0]", to: "RUNNING", every: true, probability },
          do: "fail-task",
          target: "M[0]",
        },
      ],
    });
    const lucky = story(small({ ...failing(0.9), seed: 6 }));
    expect(lucky.all("FaultInjected").length).toBeGreaterThan(3);
    expect(lucky.report.ended).toBe("drained");
    const hopeless = story(small(failing(0.999999)));
    expect(hopeless.all("FaultInjected")).toHaveLength(101);
    expect(hopeless.report.ended).toBe("stuck");
  });
});

describe("what", () => {
  test("fail-vertex fails every subtask of the vertex", () => {
    const story2 = story(
      small({
        ...lane(2, apart),
        topics: { in: { partitions: 2, records: 12, every: "100 ms" }, out: { partitions: 2 } },
        faults: [atTime(700, "fail-vertex", { target: "M" })],
      }),
    );
    expect(story2.values("TaskStopped", "subtask", { ending: "FAILED" })).toEqual(["M[0]", "M[1]"]);
    expect(story2.times("TaskStopped", { ending: "FAILED" })).toEqual([700, 700]);
  });

  test("a failure of a task that does not run hits nobody", () => {
    const idle = run(atTime(20, "fail-task", { target: "M[0]" }));
    expect(idle.all("FaultInjected")).toHaveLength(1);
    expect(idle.all("TaskFailed")).toEqual([]);
  });

  test("lose-rpc loses the next such message that fits, as many as it says", () => {
    const lost = (more: Record<string, unknown>): unknown[] => {
      const result = story(
        small({
          ...lane(1, apart),
          initialDelay: 100,
          checkpointing: { interval: "200 ms", timeout: "150 ms", "tolerable-failed-checkpoints": 99 },
          faults: [atTime(0, "lose-rpc", more)],
        }),
      );
      return result.all("MessageLost").map(({ rpc, subtask, checkpoint }) => [rpc, subtask, checkpoint]);
    };
    expect(lost({ rpc: "ack", target: "M[0]" })).toEqual([["ack", "M[0]", 1]]);
    expect(lost({ rpc: "ack", target: "M[0]", count: 2 })).toEqual([
      ["ack", "M[0]", 1],
      ["ack", "M[0]", 2],
    ]);
    expect(lost({ rpc: "ack", target: "M[0]", checkpoint: 3 })).toEqual([["ack", "M[0]", 3]]);
    expect(lost({ rpc: "notify-complete", count: 3 })).toEqual([
      ["notify-complete", "S[0]", 1],
      ["notify-complete", "M[0]", 1],
      ["notify-complete", "K[0]", 1],
    ]);
    expect(lost({ rpc: "trigger", checkpoint: 2 })).toEqual([["trigger", "S[0]", 2]]);
  });

  test("restart-taskmanager takes the process away, if it is there, and brings a new one that registers", () => {
    const again = story(small({ ...lane(1, apart), faults: [atTime(700, "restart-taskmanager", { target: "tm-1" })] }));
    expect(again.values("TaskStopped", "ending").slice(0, 3)).toEqual(["LOST", "LOST", "LOST"]);
    expect(again.told("TaskManagerLost", "TaskManagerRegistered")).toEqual([
      "TaskManagerLost tm-1",
      "TaskManagerRegistered tm-1",
    ]);
    expect(again.all("TaskStateChanged", { attempt: 1, to: "RUNNING" })).toHaveLength(3);
    expect(again.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

/** A counter that is stalled from 500 on; records come all the while. */
const stalled = (more: Partial<Small> = {}, ...faults: Record<string, unknown>[]): Story =>
  story(
    small({
      ...lane(1, apart),
      topics: { in: { records: 24, every: "50 ms" } },
      ...more,
      faults: [atTime(500, "stall", { target: "M[0]", for: "2 s" }), ...faults],
    }),
  );

describe("a stalled task", () => {
  test("it handles nothing until it is resumed, then goes on where it stood", () => {
    const result = stalled();
    const during = result.entries.filter(
      ({ clock, subtask, type }) => clock >= 500 && clock < 2500 && subtask === "M[0]" && type !== "FaultInjected",
    );
    expect(during).toEqual([]);
    expect(result.words("RecordProcessed", "record", { subtask: "M[0]" })).toEqual(
      Array.from({ length: 24 }, (_, i) => `in-0@${i}`),
    );
    expect(result.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("resume ends it early", () => {
    const result = stalled({}, atTime(900, "resume", { target: "M[0]" }));
    expect(result.all("RecordReceived", { subtask: "M[0]" }).find(({ clock }) => clock >= 500)?.clock).toBe(900);
  });

  test("what was left of the record in hand is still left", () => {
    const result = story(
      small({
        vertices: [source("S"), counter("M", { cost: 100 }), sink("K")],
        edges: ["S forward M", "M forward K"],
        topics: { in: { records: 1 } },
        faults: [atTime(100, "stall", { target: "M[0]", for: "1 s" })],
      }),
    );
    const { clock } = result.first("RecordReceived", { subtask: "M[0]" });
    expect(result.first("RecordProcessed", { subtask: "M[0]" }).clock).toBe(clock + 100 + 1000);
  });

  test("FR-080: it does not hear that it is cancelled, and the restart waits for it", () => {
    const result = stalled({}, atTime(700, "fail-task", { target: "S[0]" }));
    expect(result.first("TaskStopped", { subtask: "M[0]" })).toMatchObject({ ending: "CANCELED", clock: 2505 });
    // Confirmed at 2506; the delay of a second was over at 1701.
    expect(result.times("AttemptCreated", { attempt: 1 })).toEqual([2506, 2506, 2506]);
  });

  test("its asynchronous part goes on: that is another thread", () => {
    const result = story(
      small({
        ...lane(1, apart),
        timing: { "snapshot.async": 300 },
        faults: [
          ...triggersAfter("in-0@3"),
          after("SnapshotPersisted", { subtask: "S[0]" }, "stall", { target: "M[0]", for: "2 s" }),
        ],
      }),
    );
    expect(result.first("SnapshotPersisted", { subtask: "M[0]" }).clock).toBe(
      result.first("SnapshotTaken", { subtask: "M[0]" }).clock + 300,
    );
  });

  test("with its process gone it is stalled no more", () => {
    const result = stalled(
      { timing: { "heartbeat.detect": "100 ms" } },
      atTime(700, "restart-taskmanager", { target: "tm-1" }),
    );
    expect(result.report).toMatchObject({
      ended: "drained",
      verdict: { state: "exactly-once", endToEnd: "exactly-once" },
    });
    expect(result.first("TaskStopped", { subtask: "M[0]" })).toMatchObject({ ending: "LOST", clock: 700 });
  });

  test("stalled for ever it ends the run as stuck, and the report says who waits", () => {
    const result = story(
      small({
        ...lane(1, apart),
        checkpointing: { interval: null },
        faults: [before("RecordReceived", { subtask: "M[0]", record: "in-0@3" }, "stall", { target: "M[0]" })],
      }),
    );
    expect(result.report.ended).toBe("stuck");
    expect(result.report.notices).toContainEqual(
      expect.objectContaining({ code: "WAITING", message: "M[0] is stalled." }),
    );
  });
});
