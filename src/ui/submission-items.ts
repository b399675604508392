/** Jobs that can be submitted anew: the menu's entries for another parallelism, and for what an ended job left behind. */
import { at } from "../base/assert.ts";
import type { ExecutionGraph, Subtask } from "../protocol/execution-graph.ts";
import { type Circumstances, type FaultItem, command } from "./fault-item.ts";
import type { Text } from "./text/en.ts";

/** Where a savepoint goes that is asked for here. */
export const SAVEPOINTS = "s3://demo/savepoints";

/** Stop with a savepoint, and start from it with the chain of this subtask one broader or narrower (CP-178). */
export function rescaleItems(
  graph: ExecutionGraph,
  subtask: Subtask,
  { scenario }: Circumstances,
  text: Text,
): FaultItem[] {
  const vertex = at(graph.vertices, subtask.taskVertex);
  const chain = new Set(vertex.operators.map((operator) => at(graph.operators, operator).vertex.uid));
  const item = text.faults.items.rescale;
  return [vertex.parallelism + 1, vertex.parallelism - 1].map((parallelism) => {
    const vertices = scenario.job.vertices.map((each) => (chain.has(each.uid) ? { ...each, parallelism } : each));
    const { flink, config } = scenario;
    const submission = { flink, config, job: { ...scenario.job, vertices } };
    const target = at([...chain], 0);
    const order = { from: "savepoint", parallelism, submission, path: SAVEPOINTS } as const;
    return {
      key: `rescale-${parallelism > vertex.parallelism ? "up" : "down"}`,
      label: item.label(target, parallelism),
      note: item.note,
      command: parallelism < 1 || parallelism > vertex.maxParallelism ? null : command("rescale", target, order),
      icon: "operation",
    };
  });
}

/** What a job that has ended can be started from. */
export function submissionItems({ stored }: Circumstances, { faults: { items } }: Text): FaultItem[] {
  return (["savepoint", "checkpoint", "none"] as const).map((from): FaultItem => {
    const { label, note } = items[`restore-${from}`];
    const there = from === "none" || stored(from === "savepoint");
    const start = command("restore", null, {
      from,
      jobId: "fresh",
      claimMode: "NO_CLAIM",
      allowNonRestoredState: false,
    });
    return {
      key: `restore-${from}`,
      label,
      note: there ? note : items["restore-none-there"][from],
      command: there ? start : null,
      icon: "operation",
    };
  });
}
