/** The fold and seeks in a run of a million entries (architecture, section 8). */
import type { Bench } from "../bench/measure.ts";
import { Simulation } from "../engine/simulation.ts";
import type { EventLog } from "../protocol/log.ts";
import { advance as drawn, below, stream } from "../base/prng.ts";
import { orderTotals } from "../scenario/library/order-totals.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import { advance, initialView } from "./fold.ts";
import { Views } from "./keyframes.ts";
import type { RunView } from "./views.ts";

const ENTRIES = 1_000_000;
const SEEKS = 200;

interface Run {
  readonly log: EventLog;
  readonly initial: () => RunView;
}

/** `order-totals` with 16 subtasks and input without end, for a million entries. */
function longRun(): Run {
  const source = structuredClone(orderTotals) as unknown as Record<string, unknown>;
  const job = source["job"] as { vertices: Record<string, unknown>[] };
  for (const [index, parallelism] of [6, 6, 4].entries()) Object.assign(job.vertices[index] as object, { parallelism });
  source["cluster"] = { taskManagers: 4, slots: 2 };
  source["topics"] = {
    orders: { partitions: 6, records: 150_000, every: "20 ms", keys: 16 },
    totals: { partitions: 2 },
  };
  const parsed = scenarioFrom(source);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const simulation = Simulation.start(parsed.value);
  for (let step = 0; step < ENTRIES && simulation.step(); step++);
  const { log } = simulation.kernel;
  if (log === null) throw new Error("the run has no log");
  return { log, initial: () => initialView(parsed.value, simulation.session.plan.graph) };
}

function foldRate({ log, initial }: Run): number {
  const view = initial();
  const started = performance.now();
  advance(view, log, log.length - 1);
  return log.length / ((performance.now() - started) / 1000);
}

/** The time, in milliseconds, that 19 of 20 seeks to drawn steps do not exceed. */
function seekTime(views: Views): number {
  const times: number[] = [];
  let state = stream(1, "seeks");
  for (let seek = 0; seek < SEEKS; seek++) {
    const step = below((state = drawn(state)), views.log.length);
    const started = performance.now();
    views.viewAt(step);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(SEEKS * 0.95)] ?? Number.NaN;
}

export function projectionBenches(): readonly Bench[] {
  let made: { readonly run: Run; readonly views: Views } | null = null;
  const ready = (): { readonly run: Run; readonly views: Views } => {
    if (made !== null) return made;
    const run = longRun();
    const views = new Views(run.log, run.initial());
    while (!views.prepare(4096));
    return (made = { run, views });
  };
  return [
    {
      name: "projection-fold",
      unit: "entries/s",
      floor: null,
      aim: 1_000_000,
      more: true,
      run: () => foldRate(ready().run),
    },
    { name: "projection-seek-p95", unit: "ms", floor: 16, aim: 2, more: false, run: () => seekTime(ready().views) },
  ];
}
