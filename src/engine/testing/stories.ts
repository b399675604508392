/**
 * Words for tests of single rules: small jobs written in a few lines, and a run as a test looks at it: its entries by
 * type and by the names of their fields.
 */
import type { EventType } from "../../protocol/events.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { EventLog } from "../../protocol/log.ts";
import { type TraceEntry, traceEntries, traceEntry } from "../../protocol/trace.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Decisions } from "../decisions.ts";
import type { Kernel } from "../kernel.ts";
import { type RunResult, runScenario } from "../run.ts";
import { Simulation } from "../simulation.ts";
import { entriesOf, told } from "./runs.ts";

type Json = { readonly [key: string]: unknown };

export const source = (uid: string, more: Json = {}): Json => ({
  uid,
  type: "kafka-source",
  topic: "in",
  chain: false,
  ...more,
});
export const counter = (uid: string, more: Json = {}): Json => ({
  uid,
  type: "map",
  counter: true,
  chain: false,
  ...more,
});
export const sink = (uid: string, more: Json = {}): Json => ({
  uid,
  type: "kafka-sink",
  topic: "out",
  delivery: "exactly-once",
  transactionalIdPrefix: "P",
  chain: false,
  properties: { "transaction.timeout.ms": "15 min" },
  ...more,
});

/** Lanes S -> M -> K without a shuffle: as many regions as `parallelism`. */
export function lane(parallelism: number, more: Json = {}): { vertices: Json[]; edges: string[] } {
  return {
    vertices: [
      source("S", { parallelism, ...more }),
      counter("M", { parallelism, ...more }),
      sink("K", { parallelism, ...more }),
    ],
    edges: ["S forward M", "M forward K"],
  };
}

/** S, M and K, one behind the other, each on a TaskManager of its own, and a fourth that is free. */
export function apart(): { vertices: Json[]; edges: string[]; cluster: { taskManagers: number; slots: number } } {
  return {
    vertices: [
      source("S", { slotSharingGroup: "s" }),
      counter("M", { slotSharingGroup: "m" }),
      sink("K", { slotSharingGroup: "k" }),
    ],
    edges: ["S forward M", "M forward K"],
    cluster: { taskManagers: 4, slots: 1 },
  };
}

export const fixedDelay = (attempts: number, delay: string): Json => ({
  type: "fixed-delay",
  "fixed-delay.attempts": attempts,
  "fixed-delay.delay": delay,
});

/** A fault that acts after an entry of this type and with these fields. */
export function after(event: EventType, match: Json, verb: string, more: Json = {}): Json {
  return { at: { after: event, ...match }, do: verb, ...more };
}
export function before(event: EventType, match: Json, verb: string, more: Json = {}): Json {
  return { at: { before: event, ...match }, do: verb, ...more };
}
export function atTime(time: number, verb: string, more: Json = {}): Json {
  return { at: { time }, do: verb, ...more };
}
/** Checkpoints that are triggered when these records leave their source. */
export const triggersAfter = (...records: readonly string[]): Json[] =>
  records.map((record) => after("RecordEmitted", { record }, "trigger-checkpoint"));

/** A job in a few lines: `edges` as "FROM ship TO" and more as "key=value", options without their common prefixes. */
export interface Small {
  readonly vertices: readonly Json[];
  readonly edges?: readonly string[];
  readonly topics?: Json;
  readonly cluster?: Json;
  /** Keys of `execution.checkpointing`; the interval `null`: checkpointing is off. */
  readonly checkpointing?: Json;
  /** Keys of `restart-strategy`. */
  readonly restart?: Json;
  readonly config?: Json;
  readonly timing?: Json;
  readonly broker?: Json;
  readonly initialDelay?: number | null;
  readonly seed?: number;
  readonly flink?: string;
  readonly faults?: readonly Json[];
  readonly until?: Json | "drained";
}

const prefixed = (prefix: string, keys: Json): [string, unknown][] =>
  Object.entries(keys).flatMap(([key, value]) =>
    value === null ? [] : [[`${prefix}.${key}`, value] as [string, unknown]],
  );

function edgeOf(line: string): Json {
  const [from, ship, to, ...more] = line.split(" ");
  return {
    from,
    ship,
    to,
    ...Object.fromEntries(
      more.map((word) => {
        const [key = "", value] = word.split("=");
        return [key, key === "exchange" ? value : Number(value)];
      }),
    ),
  };
}

/** Unless it says otherwise: twelve records, 100 ms apart; periodic checkpoints from 5 s on; three restarts, 1 s each. */
export function small(parts: Small): Scenario {
  const { initialDelay = 5000, edges = [] } = parts;
  const parsed = scenarioFrom({
    format: 1,
    id: "small",
    seed: parts.seed ?? 1,
    ...(parts.flink !== undefined && { flink: parts.flink }),
    job: { vertices: parts.vertices, edges: edges.map(edgeOf) },
    topics: { in: { partitions: 1, records: 12, every: "100 ms", keys: 12 }, out: { partitions: 1 }, ...parts.topics },
    ...(parts.cluster && { cluster: parts.cluster }),
    config: Object.fromEntries([
      ...prefixed("execution.checkpointing", { interval: "5 s", ...parts.checkpointing }),
      ...prefixed("restart-strategy", parts.restart ?? fixedDelay(3, "1 s")),
      ...Object.entries(parts.config ?? {}),
    ]),
    timing: parts.timing ?? {},
    broker: parts.broker ?? {},
    ...(initialDelay !== null && { initialDelay }),
    faults: parts.faults ?? [],
    until: parts.until ?? "drained",
  });
  if (!parsed.ok)
    throw new Error(parsed.problems.map(({ path, value, message }) => `${path}: ${value}: ${message}`).join("\n"));
  return parsed.value;
}

/** Fields that an entry must have; a function says more than equality can. */
export type Match = { readonly [field: string]: unknown };

export class Story {
  readonly result: RunResult;
  readonly entries: readonly TraceEntry[];

  constructor(result: RunResult, entries: readonly TraceEntry[] = [...traceEntries(result.graphs, result.log)]) {
    this.result = result;
    this.entries = entries;
  }

  get report(): RunResult["report"] {
    return this.result.report;
  }

  get lines(): string[] {
    return this.entries.map(told);
  }

  all(type: EventType, match: Match = {}): TraceEntry[] {
    return this.entries.filter(
      (entry) => entry.type === type && Object.entries(match).every(([field, value]) => entry[field] === value),
    );
  }

  /** The first such entry; a test that asks for one needs it. */
  first(type: EventType, match: Match = {}): TraceEntry {
    const [found] = this.all(type, match);
    if (found === undefined) throw new Error(`no ${type} ${JSON.stringify(match)} among\n${this.lines.join("\n")}`);
    return found;
  }

  last(type: EventType, match: Match = {}): TraceEntry {
    this.first(type, match);
    return this.all(type, match).at(-1) as TraceEntry;
  }

  times(type: EventType, match: Match = {}): number[] {
    return this.all(type, match).map(({ clock }) => clock);
  }

  /** One field of every such entry. */
  values(type: EventType, field: string, match: Match = {}): unknown[] {
    return this.all(type, match).map((entry) => entry[field]);
  }

  /** A field that holds names or words, of every such entry. */
  words(type: EventType, field: string, match: Match = {}): string[] {
    return this.values(type, field, match).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  }

  /** The same, sorted: where the order is of no concern. */
  sorted(type: EventType, field: string, match: Match = {}): string[] {
    return this.words(type, field, match).toSorted((a, b) => (a < b ? -1 : 1));
  }

  /** Lines of these types only. */
  told(...types: readonly EventType[]): string[] {
    return this.entries.filter(({ type }) => types.includes(type)).map(told);
  }

  /** What comes behind an entry. */
  since({ step }: TraceEntry): Story {
    return new Story(
      this.result,
      this.entries.filter((entry) => entry.step > step),
    );
  }

  /** What comes before an entry. */
  until({ step }: TraceEntry): Story {
    return new Story(
      this.result,
      this.entries.filter((entry) => entry.step < step),
    );
  }
}

/** Runs a scenario with every invariant watched; the first violation fails the test. */
export function story(scenario: Scenario, options: { defects?: Partial<Decisions>; violations?: boolean } = {}): Story {
  const result = runScenario(scenario, { checkInvariants: true, ...(options.defects && { defects: options.defects }) });
  const [violation] = result.violations;
  if (violation !== undefined && options.violations !== true)
    throw new Error(`${violation.invariant} at step ${violation.step}: ${violation.message}`);
  return new Story(result);
}

/** A simulation that a test takes along step by step, and to which it may send what no scenario can. */
export class Drive {
  readonly simulation: Simulation;
  readonly log = new EventLog();

  constructor(scenario: Scenario) {
    this.simulation = Simulation.start(scenario, { log: this.log });
  }

  get kernel(): Kernel {
    return this.simulation.kernel;
  }

  get graph(): ExecutionGraph {
    return this.simulation.session.plan.graph;
  }

  get entries(): TraceEntry[] {
    return entriesOf(this.graph, this.log);
  }

  /** Goes on until an entry of this type with these fields has come. */
  until(type: EventType, match: Match = {}): TraceEntry {
    for (let steps = 0; steps < 100_000 && this.simulation.nextDue < Infinity && this.simulation.step(); steps++) {
      const entry = traceEntry(this.graph, this.log, this.log.length - 1);
      if (entry.type === type && Object.entries(match).every(([field, value]) => entry[field] === value)) return entry;
    }
    throw new Error(`no ${type} ${JSON.stringify(match)} came`);
  }

  /** Goes on for so many milliseconds; gives the entries that came. */
  pass(milliseconds: number): TraceEntry[] {
    const { length } = this.log;
    const end = this.simulation.world.clock + milliseconds;
    while (this.simulation.nextDue <= end && this.simulation.step(() => this.simulation.nextDue > end));
    return this.entries.slice(length);
  }

  subtask(name: string): number {
    return this.graph.subtasks.findIndex((subtask) => subtask.name === name);
  }

  channel(name: string): number {
    return this.graph.channels.findIndex((channel) => channel.name === name);
  }
}
