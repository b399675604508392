import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { transactionName } from "../protocol/ids.ts";
import { edgeName, type Stop } from "../view/stage/elements.ts";
import type { Text } from "./text/en.ts";

export function elementName(graph: ExecutionGraph, { kind, id }: Stop, text: Text): string {
  switch (kind) {
    case "vertex":
      return at(graph.vertices, id).name;
    case "edge":
      return edgeName(graph, id);
    case "subtask":
      return at(graph.subtasks, id).name;
    case "channel":
      return at(graph.channels, id).name;
    case "input":
      return at(graph.inputs, id).name;
    case "output":
      return at(graph.outputs, id).name;
    case "taskManager":
      return at(graph.taskManagers, id);
    case "transaction":
      return transactionName(graph, id);
    case "checkpoint":
      return `${text.panels.inspector.kinds.checkpoint} ${id}`;
    default:
      return text.panels.inspector.kinds[kind];
  }
}
