/**
 * The job as it is run: operators chained into task vertices, parallel subtasks, the channels between them, and the
 * partitions outside (Flink's `ExecutionGraph`). Every list is dense: an element's `index` is its number in the log.
 */
import { type Exchange, type JobVertex, type ShipStrategy, isCoordinated } from "./job-graph.ts";
import type { StoreKind } from "./sinks.ts";

export interface Operator {
  readonly index: number;
  readonly vertex: JobVertex;
  /** The task vertex whose chain it is a member of. */
  readonly taskVertex: number;
  /** Operators of the same chain that it hands its output to. */
  readonly chained: readonly number[];
  /** Edges that carry its output to other tasks. */
  readonly outputs: readonly number[];
}

export interface TaskVertex {
  readonly index: number;
  /** The uid of the head of the chain; subtasks are named by it. */
  readonly uid: string;
  /** The names of the chain's operators, joined as Flink joins them. */
  readonly name: string;
  readonly parallelism: number;
  readonly maxParallelism: number;
  /** Head first. */
  readonly operators: readonly number[];
  readonly subtasks: readonly number[];
  readonly slotSharingGroup: string;
}

export interface Subtask {
  readonly index: number;
  /** `uid[index]`. */
  readonly name: string;
  readonly taskVertex: number;
  /** Its number within its vertex. */
  readonly number: number;
  /** Its slot before any failure: an index into `slots`. */
  readonly slot: number;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

export interface Edge {
  readonly index: number;
  readonly fromOperator: number;
  readonly toOperator: number;
  readonly from: number;
  readonly to: number;
  readonly ship: ShipStrategy;
  readonly exchange: Exchange;
  readonly latency: number;
  readonly capacity: number;
  readonly channels: readonly number[];
}

export interface Channel {
  readonly index: number;
  /** `a[0]->b[1]`. */
  readonly name: string;
  readonly edge: number;
  readonly from: number;
  readonly to: number;
}

/** A partition outside the job: of an input topic or of a sink's topic; a store that is a sink's own is one too. */
export interface Partition {
  readonly index: number;
  readonly topic: string;
  readonly partition: number;
  /** `topic-partition`; a sink's own store goes by the sink's uid. */
  readonly name: string;
  readonly store: StoreKind;
}

/** A slot of a sharing group, and the TaskManager that offers it at the start; `-1`: there are too few slots. */
export interface Slot {
  readonly index: number;
  readonly group: string;
  readonly number: number;
  readonly taskManager: number;
}

export interface ExecutionGraph {
  readonly operators: readonly Operator[];
  readonly vertices: readonly TaskVertex[];
  readonly subtasks: readonly Subtask[];
  readonly edges: readonly Edge[];
  readonly channels: readonly Channel[];
  readonly slots: readonly Slot[];
  /** `tm-1`, `tm-2`, … */
  readonly taskManagers: readonly string[];
  /** Partitions that sources read. A record's number is `offset * inputs.length + partition.index`. */
  readonly inputs: readonly Partition[];
  /** Which subtask reads an input partition: by source operator, then by partition; `-1`: not of its topic. */
  readonly readers: readonly (readonly number[])[];
  /** Partitions that sinks write. */
  readonly outputs: readonly Partition[];
  /** Operators that are sources, and those that are sinks. */
  readonly sources: readonly number[];
  readonly sinks: readonly number[];
  /**
   * Every uid and every prefix of transactional ids that the run's submissions have had so far: what is written outside a
   * job is numbered by them, so that it can be told whose it is when the job has changed (`operatorOfTransaction`).
   */
  readonly uids: readonly string[];
  readonly prefixes: readonly string[];
  /**
   * By operator: its number at the log, the same in all jobs of a run: the place of its uid, or that of the one sink of
   * its topic that it replaces.
   */
  readonly identities: readonly number[];
  readonly keys: readonly string[];
}

/** By place among sources: has this one an operator coordinator? */
export function coordinated({ operators, sources }: ExecutionGraph): readonly boolean[] {
  return sources.map((operator) => {
    const vertex = operators[operator]?.vertex;
    return vertex !== undefined && isCoordinated(vertex);
  });
}
