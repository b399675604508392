/** Task-local recovery: how long a restore takes, and that nothing else is different (FR-110, CP-116). */
import { describe, expect, test } from "vitest";
import {
  type Small,
  type Story,
  apart,
  atTime,
  counter,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

const sum = (uid: string, more: object): Record<string, unknown> => ({ uid, type: "keyed-sum", chain: false, ...more });

/** S, a keyed sum and K, each on a TaskManager of its own; checkpoint 1 at record 3. Restoring takes 700 ms, from a local copy 30. */
function restored(fault: Record<string, unknown>, more: Partial<Small> = {}, local = true): Story {
  return story(
    small({
      ...apart(),
      vertices: [
        source("S", { slotSharingGroup: "s" }),
        sum("M", { slotSharingGroup: "m" }),
        sink("K", { slotSharingGroup: "k" }),
      ],
      edges: ["S hash M", "M rebalance K"],
      faults: [...triggersAfter("in-0@3"), fault],
      ...more,
      config: { "execution.state-recovery.from-local": local, ...more.config },
      timing: { restore: "700 ms", "restore.local": "30 ms", "heartbeat.detect": "1 s", ...more.timing },
    }),
  );
}

/** From the beginning of its thread to having state: the news of both take as long. */
function duration(run: Story, subtask: string): number {
  const begun = run.first("TaskStateChanged", { subtask, attempt: 1, to: "INITIALIZING" }).clock;
  return run.first("TaskStateChanged", { subtask, attempt: 1, to: "RUNNING" }).clock - begun;
}

const failed = atTime(900, "fail-task", { target: "M[0]" });
const exactly = { state: "exactly-once", endToEnd: "exactly-once" };

describe("FR-110: where a subtask is back on its TaskManager", () => {
  test("FR-110, CP-116: keyed state comes from the local copy, operator state from checkpoint storage; without the option all does", () => {
    const run = restored(failed);
    expect([duration(run, "M[0]"), duration(run, "S[0]")]).toEqual([30, 700]);
    expect(run.report.verdict).toEqual(exactly);
    const without = restored(failed, {}, false);
    expect([duration(without, "M[0]"), duration(without, "S[0]")]).toEqual([700, 700]);
  });

  test("FR-110: what is processed after it is the same, value by value", () => {
    const values = (run: Story): unknown[] =>
      run.values("RecordProcessed", "value", { subtask: "M[0]", record: "in-0@11" });
    expect(values(restored(failed))).toEqual(values(restored(failed, {}, false)));
    expect(values(restored(failed))).toHaveLength(1);
  });

  test("FR-110: a TaskManager that is lost has lost its copies, though it is back when the subtask is", () => {
    const gone = restored(atTime(900, "kill-taskmanager", { target: "tm-2" }));
    expect(gone.first("TaskStateChanged", { subtask: "M[0]", attempt: 1, to: "DEPLOYING" })).toMatchObject({
      taskManager: "tm-4",
    });
    expect(duration(gone, "M[0]")).toBe(700);
    const back = restored(atTime(900, "restart-taskmanager", { target: "tm-2" }), {
      cluster: { taskManagers: 3, slots: 1 },
    });
    expect(back.first("TaskStateChanged", { subtask: "M[0]", attempt: 1, to: "DEPLOYING" })).toMatchObject({
      taskManager: "tm-2",
    });
    expect(duration(back, "M[0]")).toBe(700);
  });

  test("FR-110: not for unaligned checkpoints, and not where there is no keyed state", () => {
    const unaligned = { checkpointing: { "unaligned.enabled": true } };
    expect(duration(restored(failed, unaligned), "M[0]")).toBe(700);
    const counted = restored(failed, {
      vertices: [
        source("S", { slotSharingGroup: "s" }),
        counter("M", { slotSharingGroup: "m" }),
        sink("K", { slotSharingGroup: "k" }),
      ],
      edges: ["S forward M", "M forward K"],
    });
    expect(duration(counted, "M[0]")).toBe(700);
  });

  test("FR-110: nothing is restored, nothing is faster", () => {
    expect(duration(restored(failed, { faults: [failed] }), "M[0]")).toBe(0);
  });
});
