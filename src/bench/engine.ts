/** The engine's benches: entries a second with and without log beside the simjs kernel, clone and fingerprint. */
import { Course } from "../engine/course.ts";
import { Simulation } from "../engine/simulation.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { orderTotals } from "../scenario/library/order-totals.ts";
import type { Bench } from "./measure.ts";

const NETWORK_MS = 50;

function parsed(change: (source: Record<string, unknown>) => void): Scenario {
  const source: Record<string, unknown> = structuredClone(orderTotals);
  change(source);
  const result = scenarioFrom(source);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

/** `order-totals` widened to 16 subtasks, with enough input to be timed. */
const wide = parsed((source) => {
  const job = source["job"] as { vertices: Record<string, unknown>[] };
  for (const [index, parallelism] of [6, 6, 4].entries()) Object.assign(job.vertices[index] as object, { parallelism });
  source["cluster"] = { taskManagers: 3, slots: 2 };
  source["topics"] = {
    orders: { partitions: 6, records: 12_000, every: `${NETWORK_MS} ms`, keys: 64 },
    totals: { partitions: 2 },
  };
});

function entriesPerSecond(withLog: boolean): number {
  const simulation = withLog ? Simulation.start(wide) : Simulation.start(wide, { log: null });
  const course = new Course(simulation);
  const started = performance.now();
  while (course.ended === null) course.advance();
  return simulation.world.step / ((performance.now() - started) / 1000);
}

/** The same number of subtasks as simjs entities, each of which does nothing but set its next timer. */
function simjsPerSecond(library: SimJs.Library): number {
  const EVENTS = 200_000;
  let events = 0;
  class Subtask extends library.Entity {
    start(): void {
      this.again();
    }
    again(): void {
      events++;
      this.setTimer(1).done(() => this.again(), this);
    }
  }
  const simulation = new library.Sim();
  for (let i = 0; i < 16; i++) simulation.addEntity(Subtask, `subtask ${i}`);
  const started = performance.now();
  simulation.simulate(EVENTS / 16);
  return events / ((performance.now() - started) / 1000);
}

async function simjs(): Promise<SimJs.Library> {
  const host = globalThis as { window?: unknown; Sim?: SimJs.Library };
  host.window = globalThis;
  await import("simjs");
  if (host.Sim === undefined) throw new Error("simjs did not load");
  return host.Sim;
}

/** A run of `order-totals` in the middle of its third checkpoint. */
function midway(): Simulation {
  const simulation = Simulation.start(
    parsed(() => {}),
    { log: null },
  );
  while (simulation.world.step < 1120) simulation.step();
  return simulation;
}

function microseconds(times: number, work: () => void): number {
  const started = performance.now();
  for (let i = 0; i < times; i++) work();
  return ((performance.now() - started) * 1000) / times;
}

export async function engineBenches(): Promise<Bench[]> {
  const library = await simjs();
  const peer = { name: "simjs 2.0.3, timers only", run: () => simjsPerSecond(library) };
  const rate = { unit: "entries/s", more: true, peer };
  return [
    {
      name: "engine, 16 subtasks, no log",
      ...rate,
      floor: 500_000,
      aim: 10_000_000,
      run: () => entriesPerSecond(false),
    },
    {
      name: "engine, 16 subtasks, with log",
      ...rate,
      floor: 300_000,
      aim: 5_000_000,
      run: () => entriesPerSecond(true),
    },
    ...worldBenches(),
  ];
}

/** What time travel and sweeps rest on. */
function worldBenches(): Bench[] {
  const { world } = midway();
  const room = world.clone();
  let sum = 0;
  const clones: readonly [name: string, work: () => void][] = [
    ["clone of order-totals", () => void (sum += world.clone().step)],
    ["clone of order-totals into a used world", () => room.copyFrom(world)],
    ["fingerprint of order-totals", () => void (sum += world.fingerprint(sum))],
  ];
  return clones.map(([name, work]) => ({
    name,
    unit: "µs",
    floor: 10,
    aim: 2,
    more: false,
    run: () => microseconds(20_000, work),
  }));
}
