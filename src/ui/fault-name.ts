import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { FaultMark } from "../projection/timeline.ts";
import type { Text } from "./text/en.ts";

/** `fail total[1]`: a fault that has fired. */
export function faultName(graph: ExecutionGraph, fault: FaultMark, { faults }: Text): string {
  const target =
    fault.subtask >= 0
      ? at(graph.subtasks, fault.subtask).name
      : fault.taskManager >= 0
        ? at(graph.taskManagers, fault.taskManager)
        : "";
  return fault.do === "lose-rpc"
    ? faults.branchNames["lose-rpc"](faults.message, target)
    : faults.branchNames[fault.do](target);
}
