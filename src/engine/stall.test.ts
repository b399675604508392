/** What stands still for a while: a TaskManager's process, and a channel. */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "../scenario/parse.ts";
import { type Small, type Story, apart, atTime, fixedDelay, sink, small, source, story } from "./testing/stories.ts";

const stalled = (faults: readonly object[], more: Partial<Small> = {}): Story =>
  story(
    small({
      ...apart(),
      checkpointing: { interval: 200 },
      restart: fixedDelay(3, "100 ms"),
      timing: { "heartbeat.detect": 600 },
      faults: faults as NonNullable<Small["faults"]>,
      ...more,
    }),
  );
const stall = (target: string, length?: number): object =>
  atTime(430, "stall", { target, ...(length !== undefined && { for: length }) });
const exactly = { state: "exactly-once", endToEnd: "exactly-once" };
const within = (from: number, to: number, entries: readonly { readonly clock: number }[]): number =>
  entries.filter(({ clock }) => clock > from && clock < to).length;

describe("a TaskManager whose process stands still", () => {
  test("shorter than the heartbeat's patience: nothing happens there meanwhile, and it goes on as if it had not been", () => {
    const run = stalled([stall("tm-2", 400)]);
    for (const type of ["RecordReceived", "BarrierReceived", "SnapshotPersisted", "NotificationDelivered"] as const)
      expect(within(430, 830, run.all(type, { subtask: "M[0]" })), type).toBe(0);
    expect(within(829, 900, run.all("RecordReceived", { subtask: "M[0]" }))).toBeGreaterThan(0);
    expect(run.report).toMatchObject({ ended: "drained", recoveries: [], verdict: exactly });
  });

  test("FR-024: longer, it is given up, its tasks run elsewhere, and it registers again when it wakes", () => {
    const run = stalled([stall("tm-2", 700)], { topics: { in: { records: 40, every: 50 }, out: {} } });
    expect(run.first("TaskManagerLost")).toMatchObject({ taskManager: "tm-2", clock: 1030 });
    expect(run.first("TaskManagerRegistered")).toMatchObject({ taskManager: "tm-2", clock: 1131 });
    expect(run.report).toMatchObject({ ended: "drained", recoveries: [{ granted: true }], verdict: exactly });
  });
});

test("CP-034: on a stalled channel nothing arrives, no barrier either; what was sent comes in order afterwards", () => {
  const channel = "S[0]->M[0]";
  const run = stalled([stall(channel, 500)]);
  for (const type of ["RecordReceived", "BarrierReceived"] as const)
    expect(within(432, 930, run.all(type, { channel })), type).toBe(0);
  expect(within(929, 940, run.all("RecordReceived", { channel }))).toBeGreaterThan(0);
  expect(run.report).toMatchObject({ ended: "drained", recoveries: [], verdict: exactly });
});

test.each(["M[0]", "tm-2", "S[0]->M[0]"])("resume lets %s go on", (target) => {
  const run = stalled([stall(target), atTime(700, "resume", { target })]);
  expect(within(440, 700, run.all("RecordReceived", { subtask: "M[0]" }))).toBe(0);
  expect(within(699, 720, run.all("RecordReceived", { subtask: "M[0]" }))).toBeGreaterThan(0);
  expect(run.report).toMatchObject({ ended: "drained", recoveries: [], verdict: exactly });
});

test("the target of a stall is checked", () => {
  const parsed = scenarioFrom({
    format: 1,
    job: { vertices: [source("S"), sink("K")], edges: [{ from: "S", to: "K" }] },
    topics: { in: {}, out: {} },
    faults: [{ at: { time: 0 }, do: "stall", target: "tm-9" }],
  });
  expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual(["faults[0].target"]);
});
