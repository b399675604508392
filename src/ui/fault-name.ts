import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { FaultMark } from "../projection/timeline.ts";
import type { Command } from "../scenario/scenario.ts";
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

/** `fail total[1] at 3.02 s`; the root is called as what it is. */
export function branchName(given: Command | null, time: string, text: Text): string {
  return given === null ? text.faults.root : text.faults.at(commandName(given, text), time);
}

/** `fail total[1]`. */
export function commandName(given: Command, { faults }: Text): string {
  const target = given.target ?? "";
  return given.do === "lose-rpc"
    ? faults.branchNames["lose-rpc"](faults.rpcs[given.rpc ?? "ack"], target)
    : faults.branchNames[given.do](target);
}
