/** The fold and seeks in a run of a million entries (architecture, section 8). */
import type { Bench } from "../bench/measure.ts";
import { Simulation } from "../engine/simulation.ts";
import type { EventLog } from "../protocol/log.ts";
import { advance as drawn, below, stream } from "../base/prng.ts";
import { orderTotals } from "../scenario/library/order-totals.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import { eventFamilies } from "./event-families.ts";
import { EventSearch } from "./event-search.ts";
import { RisingSteps } from "./rising-steps.ts";
import { advance, initialView } from "./fold.ts";
import { Views } from "./keyframes.ts";
import { Jobs } from "./submitted-job.ts";
import type { RunView } from "./views.ts";

const ENTRIES = 1_000_000;
const SEEKS = 200;

interface Run {
  readonly log: EventLog;
  readonly initial: () => RunView;
  readonly jobs: Jobs;
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
  const initial = (): RunView => initialView(parsed.value, simulation.session.plan.graph);
  const jobs = new Jobs(initial().shared);
  jobs.extend(log);
  return { log, initial, jobs };
}

function foldRate({ log, initial }: Run): number {
  const view = initial();
  const started = performance.now();
  advance(view, log, log.length - 1);
  return log.length / ((performance.now() - started) / 1000);
}

/** The time, in milliseconds, that this share of seeks to drawn steps does not exceed. */
function seekTime(views: Views, share: number): number {
  const times: number[] = [];
  let state = stream(1, "seeks");
  for (let seek = 0; seek < SEEKS; seek++) {
    const step = below((state = drawn(state)), views.log.length);
    const started = performance.now();
    views.viewAt(step);
    times.push(performance.now() - started);
  }
  return shareOf(times, share);
}

const shareOf = (times: number[], share: number): number =>
  times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

/** The same of steps back by one entry, from drawn steps. */
function backTime(views: Views, share: number): number {
  const times: number[] = [];
  let state = stream(2, "back");
  for (let seek = 0; seek < SEEKS; seek++) {
    const step = 1 + below((state = drawn(state)), views.log.length - 1);
    views.viewAt(step);
    const started = performance.now();
    views.viewAt(step - 1);
    times.push(performance.now() - started);
  }
  return shareOf(times, share);
}

/** What a search of the whole log takes, in milliseconds: checkpoints' entries of one subtask. */
function filterTime({ log, jobs }: Run): number {
  const found = new RisingSteps();
  const search = new EventSearch(
    {
      types: eventFamilies.checkpoints,
      elements: [() => ({ kind: "subtask", id: 7 })],
      checkpoints: [],
      causedBy: null,
      compares: null,
      words: [],
    },
    jobs,
    () => "",
    (step) => found.push(step),
  );
  const started = performance.now();
  search.advance(log, Infinity);
  return performance.now() - started;
}

/** The longest piece of that search, in milliseconds: for so long the page stands still. */
function filterPiece({ log, jobs }: Run): number {
  const whole = { types: [], elements: [], checkpoints: [], causedBy: 0, compares: null, words: [] };
  const found = new RisingSteps();
  const search = new EventSearch(
    whole,
    jobs,
    () => "",
    (step) => found.push(step),
  );
  let longest = 0;
  for (let done = false; !done;) {
    const started = performance.now();
    done = search.advance(log, 30_000);
    longest = Math.max(longest, performance.now() - started);
  }
  return longest;
}

/** What the log, its keyframes and its fold keep, in MB: of the heap and of typed arrays. */
function memory(): number {
  const used = (): number => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1e6;
  };
  const before = used();
  const run = longRun();
  const views = new Views(run.log, run.initial());
  while (!views.prepare(4096));
  views.viewAt(run.log.length - 1);
  const after = used();
  // They are there until now.
  return views.log.length > 0 ? after - before : Number.NaN;
}

const inMs = (name: string, floor: number | null = null, aim: number | null = null) => ({
  name,
  unit: "ms",
  floor,
  aim,
  more: false,
});

export function projectionBenches(): readonly Bench[] {
  // The same in every round, and dear: measured once.
  let kept: number | null = null;
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
    { ...inMs("projection-seek-p50"), run: () => seekTime(ready().views, 0.5) },
    { ...inMs("projection-seek-p95", 16, 2), run: () => seekTime(ready().views, 0.95) },
    { ...inMs("projection-seek-p99"), run: () => seekTime(ready().views, 0.99) },
    { ...inMs("step-back-p50"), run: () => backTime(ready().views, 0.5) },
    { ...inMs("step-back-p95", 16, 2), run: () => backTime(ready().views, 0.95) },
    { ...inMs("step-back-p99"), run: () => backTime(ready().views, 0.99) },
    { ...inMs("event-filter-million"), run: () => filterTime(ready().run) },
    { ...inMs("event-filter-piece", 16), run: () => filterPiece(ready().run) },
    { name: "million-entries-memory", unit: "MB", floor: 150, aim: 40, more: false, run: () => (kept ??= memory()) },
  ];
}
