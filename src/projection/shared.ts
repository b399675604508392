/**
 * What all views of one branch share: how the execution graph's numbers belong together, and what only grows along a log
 * (the cells of outputs, the records in operators' states). Growing data are a function of the log alone, so folding the
 * same entries again writes the same again; a view holds lengths and places in it.
 */
import { at } from "../base/assert.ts";
import { grown } from "../base/grown.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { isKeyed } from "../protocol/job-graph.ts";
import { pipelinedRegions } from "../protocol/regions.ts";
import { isSink } from "../protocol/sinks.ts";
import type { Command, InputRecord, Scenario } from "../scenario/scenario.ts";
import { overtakingEdges } from "../scenario/unaligned-edges.ts";
import { OutputCells } from "./output-cells.ts";
import type { RunView } from "./views.ts";

export interface Shared {
  /** Which of the run's jobs it is, from 0. */
  readonly submission: number;
  /** What it started from: the job that had the snapshot, its number, and when; `null`: nothing. */
  readonly origin: { readonly submission: number; readonly checkpoint: number; readonly clock: number } | null;
  readonly scenario: Scenario;
  readonly graph: ExecutionGraph;
  /** The session's commands: the scenario's faults, then what people do, as `FaultInjected.fault` counts them. */
  readonly commands: readonly Command[];
  /** By subtask: the input partitions it reads, the stateful operators and the sinks of its chain. */
  readonly splits: readonly (readonly number[])[];
  readonly stateful: readonly (readonly number[])[];
  readonly sinks: readonly (readonly number[])[];
  /** By subtask and split: its place in `RunView.inputs`. */
  readonly inputsOf: readonly (readonly number[])[];
  /** By subtask: its region; all are one where the strategy is `full` (FR-041, FR-045). */
  readonly regions: readonly number[];
  /** By edge: may an unaligned barrier overtake records there (CP-037)? */
  readonly overtakes: readonly boolean[];
  /** By subtask: milliseconds that its thread needs for a record. */
  readonly cost: readonly number[];
  /** By input partition: its records, and the keys of those by number. */
  readonly records: readonly (readonly InputRecord[])[];
  readonly keys: readonly Int32Array[];
  /** By output partition: what is at each offset. A view sees the first `OutputView.length` of them. */
  readonly cells: readonly OutputCells[];
  /** Records in operators' states. */
  readonly applied: Applied;
  /** By step of its `JobSubmitted`: what the views of the next job share. */
  readonly later: Map<number, Shared>;
}

/** Lists of records that share their older ends: two words a node, the record and the node before. */
export class Applied {
  private words: Int32Array;

  constructor(words: Int32Array = new Int32Array(256)) {
    this.words = words;
  }

  record(node: number): number {
    return this.words[node * 2] as number;
  }

  /** The node before; `-1`: none. */
  before(node: number): number {
    return this.words[node * 2 + 1] as number;
  }

  set(node: number, record: number, before: number): void {
    if (node * 2 + 2 > this.words.length) this.words = grown(this.words, node * 2 + 2);
    this.words[node * 2] = record;
    this.words[node * 2 + 1] = before;
  }

  /** A copy of the first `length` nodes. */
  first(length: number): Applied {
    return new Applied(this.words.slice(0, Math.max(256, length * 2)));
  }
}

export function shared(
  scenario: Scenario,
  graph: ExecutionGraph,
  commands: readonly Command[] = scenario.faults,
): Shared {
  const chain = (subtask: number): readonly number[] =>
    at(graph.vertices, at(graph.subtasks, subtask).taskVertex).operators;
  const members = (wanted: (operator: number) => boolean): number[][] =>
    graph.subtasks.map(({ index }) => chain(index).filter(wanted));
  const records = graph.inputs.map(
    ({ topic, partition }) => scenario.topics.find(({ name }) => name === topic)?.partitions[partition] ?? [],
  );
  const keyNumber = new Map(graph.keys.map((key, index) => [key, index]));
  const splits = graph.subtasks.map(({ index, number }) => splitsOf(graph, at(chain(index), 0), number));
  let inputs = 0;
  return {
    submission: 0,
    origin: null,
    scenario,
    graph,
    commands,
    splits,
    records,
    stateful: members((operator) => isStateful(graph, operator)),
    sinks: members((operator) => isSink(at(graph.operators, operator).vertex)),
    regions: scenario.config.failoverStrategy === "full" ? graph.subtasks.map(() => 0) : pipelinedRegions(graph),
    overtakes: overtakingEdges(graph, scenario.flink),
    inputsOf: splits.map((list) => list.map(() => inputs++)),
    cost: graph.subtasks.map(({ index }) =>
      chain(index).reduce((sum, operator) => sum + at(graph.operators, operator).vertex.cost, 0),
    ),
    keys: records.map((list) => Int32Array.from(list, ({ key }) => keyNumber.get(key) ?? -1)),
    cells: graph.outputs.map(() => new OutputCells()),
    applied: new Applied(),
    later: new Map(),
  };
}

/** What a branch shares that goes its own way from `view` on: the past is the parent's. */
export function branchOf(view: RunView): Shared {
  return {
    ...view.shared,
    cells: view.outputs.map(({ length }, output) => at(view.shared.cells, output).first(length)),
    applied: view.shared.applied.first(view.applied),
    later: new Map(),
  };
}

/** Partitions that a source operator's subtask reads, in their order (SK-003). */
function splitsOf(graph: ExecutionGraph, operator: number, number: number): number[] {
  const source = graph.sources.indexOf(operator);
  if (source < 0) return [];
  return at(graph.readers, source).flatMap((reader, partition) => (reader === number ? [partition] : []));
}

/** Does the operator keep state of its own that records go into? */
export function isStateful(graph: ExecutionGraph, operator: number): boolean {
  const { vertex } = at(graph.operators, operator);
  return isKeyed(vertex) || (vertex.type === "map" && vertex.counter);
}

/** The key of an input record, as its number in the execution graph. */
export function keyOfRecord(shared: Shared, record: number): number {
  const partitions = shared.graph.inputs.length;
  return shared.keys[record % partitions]?.[Math.floor(record / partitions)] ?? -1;
}
