/** Hand-made logs for tests: a small job, and entries written with names for numbers. */
import { type EventType, EventNumber, type FieldsOf, events } from "../../protocol/events.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { Draft, EventLog } from "../../protocol/log.ts";
import { Machine, machines } from "../../protocol/machines/all.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { initialView } from "../fold.ts";
import { Views } from "../keyframes.ts";

/** `in` (one source subtask for each of two partitions), `sum` (keyed), `out` (exactly-once), nothing chained. */
export function smallScenario(change: (source: Record<string, unknown>) => void = () => {}): Scenario {
  const source: Record<string, unknown> = {
    format: 1,
    id: "small",
    title: { en: "Small", zh: "小" },
    flink: "2.2",
    seed: 1,
    job: {
      name: "small",
      vertices: [
        { uid: "in", name: "In", type: "kafka-source", parallelism: 2, topic: "in", chain: false },
        { uid: "sum", name: "Sum", type: "keyed-sum", parallelism: 1, cost: "5 ms", chain: false },
        {
          uid: "out",
          name: "Out",
          type: "kafka-sink",
          parallelism: 1,
          topic: "out",
          delivery: "exactly-once",
          chain: false,
          properties: { "transaction.timeout.ms": "15 min" },
        },
      ],
      edges: [
        { from: "in", to: "sum", ship: "hash" },
        { from: "sum", to: "out", ship: "forward" },
      ],
    },
    cluster: { taskManagers: 2, slots: 2 },
    topics: { in: { partitions: 2, records: 8, every: "10 ms", keys: 2 }, out: { partitions: 1 } },
    config: { "execution.checkpointing.interval": "1 s" },
    until: "drained",
  };
  change(source);
  const parsed = scenarioFrom(source);
  if (!parsed.ok)
    throw new Error(parsed.problems.map(({ path, value, message }) => `${path}: ${value}: ${message}`).join("\n"));
  return parsed.value;
}

type Fields<T extends EventType> = Partial<FieldsOf<T>>;
export type MoveNames = readonly [machine: keyof typeof Machine, instance: number, from: string, to: string];

/** A log in the making. Fields that are not given are `-1`; each entry's cause is the one before it, if none is given. */
export class LogBuilder {
  readonly scenario: Scenario;
  readonly graph: ExecutionGraph;
  readonly log = new EventLog();
  clock = 0;
  private readonly draft = new Draft();

  constructor(scenario: Scenario = smallScenario()) {
    this.scenario = scenario;
    this.graph = executionGraph(scenario);
  }

  subtask(name: string): number {
    return this.graph.subtasks.findIndex((subtask) => subtask.name === name);
  }

  channel(name: string): number {
    return this.graph.channels.findIndex((channel) => channel.name === name);
  }

  operator(uid: string): number {
    return this.graph.operators.findIndex(({ vertex }) => vertex.uid === uid);
  }

  /** Appends an entry and gives its step. */
  add<T extends EventType>(
    type: T,
    fields: Fields<T>,
    moves: readonly MoveNames[] = [],
    cause = this.log.length - 1,
  ): number {
    const { draft } = this;
    draft.type = EventNumber[type];
    draft.clock = this.clock;
    draft.cause = cause;
    draft.list = null;
    draft.fieldCount = 0;
    for (const [name, kind] of Object.entries(events[type].fields)) {
      const value = (fields as Record<string, number | readonly number[] | undefined>)[name] ?? -1;
      if (kind === "subtasks") draft.list = value as readonly number[];
      else draft.fields[draft.fieldCount++] = value as number;
    }
    draft.moveCount = 0;
    for (const [machine, instance, from, to] of moves) {
      const number = Machine[machine];
      const states = Object.keys(machines[number].states);
      draft.addMove(number, instance, states.indexOf(from), states.indexOf(to));
    }
    this.log.append(draft);
    return this.log.length - 1;
  }

  views(): Views {
    return new Views(this.log, initialView(this.scenario, this.graph));
  }
}
