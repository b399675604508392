/** Elements of a job that the event log can be filtered by, in groups as they are offered. */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { EntryElementKind } from "../../projection/entry-elements.ts";
import { elementName } from "../element-name.ts";
import type { Text } from "../text/en.ts";
import type { NamedElement } from "./filter.ts";

type GroupName = "tasks" | "machines" | "outside" | "channels";

export interface ElementGroup {
  readonly name: GroupName;
  readonly list: readonly NamedElement[];
}

export function elementGroups(graph: ExecutionGraph, text: Text): readonly ElementGroup[] {
  const named = (kind: EntryElementKind, count: number): NamedElement[] =>
    Array.from({ length: count }, (_, id) => ({ kind, id, name: elementName(graph, { kind, id }, text) }));
  return [
    { name: "tasks", list: named("subtask", graph.subtasks.length) },
    {
      name: "machines",
      list: [...named("jobManager", 1), ...named("storage", 1), ...named("taskManager", graph.taskManagers.length)],
    },
    { name: "outside", list: [...named("input", graph.inputs.length), ...named("output", graph.outputs.length)] },
    { name: "channels", list: named("channel", graph.channels.length) },
  ];
}
