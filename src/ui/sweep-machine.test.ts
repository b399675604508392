import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createActor } from "xstate";
import { scenarios } from "../view/testing/graphs.ts";
import type { SweepTotals } from "../scenario/exploration.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { SweepPort, SweepReply, SweepRequest } from "../worker/port.ts";
import { type ConnectSweep, type SweepActor, sweepMachine } from "./sweep-machine.ts";

const scenario = Object.values(scenarios)[0] as Scenario;
const request: SweepRequest = { scenario, decisions: [], question: { failures: 1, pairs: 0 } };
const target = { scenario, branch: 0, name: "it" };

function totals(runs: number): SweepTotals {
  return { runs } as SweepTotals;
}

function progress(done: number): SweepReply {
  return { type: "progress", done, total: 10, totals: totals(done * 100) };
}

/** A pool that says what the test wants, and remembers what it was told. */
class FakePool implements SweepPort {
  readonly told: string[] = [];
  reply: (reply: SweepReply) => void = () => undefined;

  subscribe(listen: (reply: SweepReply) => void): () => void {
    this.reply = listen;
    return () => undefined;
  }
  pause(): void {
    this.told.push("pause");
  }
  resume(): void {
    this.told.push("resume");
  }
  cancel(): void {
    this.told.push("cancel");
  }
}

let pool: FakePool;

beforeEach(() => {
  vi.useFakeTimers();
  pool = new FakePool();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A sweep that has begun and whose port is there. */
async function begun(connect: ConnectSweep = async () => pool): Promise<SweepActor> {
  const actor = createActor(sweepMachine, { input: { connect } }).start();
  actor.send({ type: "start", target, request });
  await vi.advanceTimersByTimeAsync(0);
  return actor;
}

test("progress is told at once, then at most five times a second with the newest figures", async () => {
  const actor = await begun();
  const seen: unknown[] = [];
  actor.subscribe(({ context }) => seen.push(context.progress?.totals.runs));
  for (const done of [1, 2, 3]) pool.reply(progress(done));
  expect(seen).toEqual([100]);
  vi.advanceTimersByTime(199);
  expect(seen).toEqual([100]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([100, 300]);
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual([100, 300]);
});

test("a sweep pauses, goes on and ends; the time of the pause does not count", async () => {
  const actor = await begun();
  vi.advanceTimersByTime(2000);
  actor.send({ type: "pause" });
  vi.advanceTimersByTime(60_000);
  expect(actor.getSnapshot().value).toEqual({ running: "paused" });
  actor.send({ type: "resume" });
  vi.advanceTimersByTime(1000);
  pool.reply({ type: "finished", totals: totals(1000), seconds: 3 });
  const { value, context } = actor.getSnapshot();
  expect(value).toBe("done");
  expect(context.progress).toMatchObject({ done: 1, total: 1, totals: { runs: 1000 }, ran: 3000 });
  expect(pool.told.slice(0, 2)).toEqual(["pause", "resume"]);
});

test("what is stopped keeps its figures, and its workers are sent away; what comes late is not told", async () => {
  const actor = await begun();
  pool.reply(progress(4));
  actor.send({ type: "cancel" });
  pool.reply(progress(5));
  vi.advanceTimersByTime(1000);
  expect(actor.getSnapshot().value).toBe("stopped");
  expect(actor.getSnapshot().context.progress?.totals.runs).toBe(400);
  expect(pool.told).toEqual(["cancel"]);
});

test("a sweep of a session that is closed is cancelled and forgotten, also before its port is there", async () => {
  const actor = createActor(sweepMachine, { input: { connect: async () => pool } }).start();
  actor.send({ type: "start", target, request });
  actor.send({ type: "left" });
  await vi.advanceTimersByTimeAsync(0);
  expect(actor.getSnapshot()).toMatchObject({ value: "idle", context: { target: null, progress: null } });
  expect(pool.told).toEqual(["cancel"]);
});

test("a pause before the port is there holds the port as soon as it is", async () => {
  const actor = createActor(sweepMachine, { input: { connect: async () => pool } }).start();
  actor.send({ type: "start", target, request });
  actor.send({ type: "pause" });
  await vi.advanceTimersByTimeAsync(0);
  expect(pool.told).toEqual(["pause"]);
});

test("a pool that cannot be made or that fails gives its message, and it can be tried again", async () => {
  const connect = vi.fn<ConnectSweep>(async () => pool).mockRejectedValueOnce(new Error("no worker"));
  const actor = await begun(connect);
  expect(actor.getSnapshot()).toMatchObject({ value: "failed", context: { message: "Error: no worker" } });
  actor.send({ type: "start", target, request });
  await vi.advanceTimersByTimeAsync(0);
  pool.reply({ type: "failed", message: "a worker died" });
  expect(actor.getSnapshot()).toMatchObject({ value: "failed", context: { message: "a worker died" } });
});

test("what another run came to is kept to compare with; sweeping the same run again keeps what was before it", async () => {
  const actor = await begun();
  pool.reply({ type: "finished", totals: totals(1), seconds: 1 });
  for (const [branch, runs] of [
    [1, 2],
    [1, 3],
  ] as const) {
    actor.send({ type: "start", target: { ...target, branch }, request });
    await vi.advanceTimersByTimeAsync(0);
    pool.reply({ type: "finished", totals: totals(runs), seconds: 1 });
    expect(actor.getSnapshot().context).toMatchObject({
      before: { target: { branch: 0 }, totals: { runs: 1 } },
      progress: { totals: { runs } },
    });
  }
});
