import { describe, expect, test } from "vitest";
import { libraryScenario } from "../engine/testing/runs.ts";
import { sweepOf } from "../explorer/testing/sweeps.ts";
import type { SweepReply } from "./port.ts";
import { SweepPool } from "./sweep-pool.ts";
import { inProcessPool, inProcessThread } from "./testing/in-process.ts";

const linear = libraryScenario("linear");
const task = { scenario: linear, decisions: [], question: { failures: 2, pairs: 200 } } as const;

const nextOf = (pool: SweepPool, type: SweepReply["type"]): Promise<SweepReply> =>
  new Promise((resolve) => {
    const stop = pool.subscribe((reply) => {
      if (reply.type !== type) return;
      stop();
      resolve(reply);
    });
  });

describe("a sweep over a pool of threads", () => {
  test.each([1, 3])("comes to the same totals as in one thread: %i threads", async (threads) => {
    const end = await nextOf(new SweepPool(task, inProcessPool(threads)), "finished");
    expect(end).toMatchObject({ totals: sweepOf(linear, { pairs: 200 }) });
  });

  test("tells how far it is, waits while it is paused, and goes on", async () => {
    const pool = new SweepPool(task, inProcessPool(2));
    const first = await nextOf(pool, "progress");
    pool.pause();
    let told = 0;
    const stop = pool.subscribe(() => told++);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = told;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(told).toBe(before);
    stop();
    pool.resume();
    const end = await nextOf(pool, "finished");
    if (first.type !== "progress" || end.type !== "finished") throw new Error("these were asked for");
    expect(first.done).toBeLessThan(first.total);
    expect(first.totals.runs).toBeLessThan(end.totals.runs);
  });

  test("says nothing more when it is cancelled", async () => {
    const pool = new SweepPool(task, inProcessPool(2));
    await nextOf(pool, "progress");
    let told = 0;
    pool.subscribe(() => told++);
    pool.cancel();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(told).toBe(0);
  });

  test("fails with words when a thread dies or reports a mistake of ours", async () => {
    let die: (message: string) => void = () => {};
    const spawn = () => ({
      ...inProcessThread(),
      listen: (_: unknown, died: (message: string) => void) => (die = died),
    });
    const pool = new SweepPool(task, { threads: 1, spawn, now: () => 0 });
    const failed = nextOf(pool, "failed");
    die("out of memory");
    expect(await failed).toEqual({ type: "failed", message: "out of memory" });

    const [edge] = linear.job.edges;
    const wrong = {
      ...task,
      scenario: { ...linear, job: { ...linear.job, edges: [{ ...edge!, to: "no such vertex" }] } },
    };
    const reply = await nextOf(new SweepPool(wrong, inProcessPool()), "failed");
    expect(reply).toMatchObject({ message: expect.stringContaining("assertion failed") });
  });
});
