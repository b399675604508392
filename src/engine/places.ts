/** Where everything lies in the arrays of a world: the offsets that a plan's sizes give. */
import {
  Job,
  Task,
  TaskTime,
  JobTime,
  Pending,
  Channel,
  Writer,
  OutputPartition,
  TaskManager,
  Fault,
  Input,
  Header,
} from "./layout.ts";
import type { Plan } from "./plan.ts";

/** Where things lie in the arrays of a world: the same for all worlds of a plan. */
export interface Layout {
  readonly tasks: number;
  readonly task: number;
  readonly channel: number;
  readonly writer: number;
  readonly output: number;
  readonly taskManager: number;
  readonly slot: number;
  readonly roundRobin: number;
  readonly edges: number;
  readonly pending: number;
  readonly pendingSize: number;
  /** So many checkpoints and savepoints can be pending at once. */
  readonly pendingRows: number;
  readonly completed: number;
  readonly uncertain: number;
  readonly fault: number;
  readonly input: number;
  readonly split: number;
  readonly late: number;
  readonly inputs: number;
  /** Where what decides ends and the times begin; behind them lie causes (`causes.ts`), then the header. */
  readonly coreSize: number;
  readonly given: number;
  readonly flushed: number;
  readonly size: number;
}

/** A savepoint goes ahead of the bound on concurrent checkpoints (CP-012); so many can, at once. */
const FORCED_SAVEPOINTS = 4;

export function layoutOf(plan: Plan): Layout {
  const { graph, scenario } = plan;
  const tasks = graph.subtasks.length;
  const { maxConcurrent, retained } = scenario.config.checkpointing;
  const pendingSize = Pending.SIZE + tasks + graph.sources.length;
  const pendingRows = maxConcurrent + FORCED_SAVEPOINTS;
  let at: number = Job.SIZE;
  const take = (words: number): number => (at += words) - words;
  const place = {
    task: take(tasks * Task.SIZE),
    channel: take(graph.channels.length * Channel.SIZE),
    writer: take(plan.writers * Writer.SIZE),
    output: take(graph.outputs.length * OutputPartition.SIZE),
    taskManager: take(graph.taskManagers.length * TaskManager.SIZE),
    slot: take(graph.slots.length),
    roundRobin: take(graph.edges.length * tasks),
    pending: take(pendingSize * pendingRows),
    uncertain: take(pendingSize),
    completed: take(pendingSize * (retained + 1)),
    fault: take(scenario.faults.length * Fault.SIZE),
    input: take(graph.inputs.length * Input.SIZE),
    split: take(graph.sources.length * graph.inputs.length),
    late: take(graph.sources.length * graph.inputs.length),
  };
  const given = JobTime.SIZE + tasks * TaskTime.SIZE;
  const flushed = given + graph.sources.length * graph.inputs.length + 1;
  return {
    tasks,
    edges: graph.edges.length,
    inputs: graph.inputs.length,
    pendingSize,
    pendingRows,
    coreSize: at,
    given,
    flushed,
    size: at + flushed + tasks + Header.SIZE,
    ...place,
  };
}
