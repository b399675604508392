/** The fields of an entry with names in the place of numbers. */
import { at } from "../base/assert.ts";
import { events, eventTypes } from "./events.ts";
import type { ExecutionGraph } from "./execution-graph.ts";
import { type FieldKind, lists } from "./field-kinds.ts";
import { type FieldValue, fieldValue } from "./field-values.ts";
import type { EventLog } from "./log.ts";

/** `vertex` comes with `subtask` or `operator`. */
export function namedFields(graph: ExecutionGraph, log: EventLog, step: number): Record<string, FieldValue> {
  const named: Record<string, FieldValue> = {};
  const declaration: { readonly [field: string]: FieldKind } = events[at(eventTypes, log.type(step))].fields;
  Object.entries(declaration).forEach(([field, kind], index) => {
    if (lists.has(kind)) {
      const items = log.list(step, index);
      named[field] = kind === "subtasks" ? items.map((subtask) => at(graph.subtasks, subtask).name) : items;
      return;
    }
    const value = log.field(step, index);
    if (kind === "operator") named["vertex"] = fieldValue(graph, kind, value);
    else named[field] = fieldValue(graph, kind, value);
    if (kind === "subtask" && named["vertex"] === undefined) {
      named["vertex"] = value < 0 ? null : at(graph.vertices, at(graph.subtasks, value).taskVertex).uid;
    }
  });
  return named;
}
