/** A comparison over an entry's fields, as breakpoints have them: `duration > 20`, `failure = TASK_FAILURE`. */
import { at } from "../base/assert.ts";
import { type EventType, events, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { type FieldKind, lists } from "../protocol/field-kinds.ts";
import type { EventLog } from "../protocol/log.ts";
import { fieldValue, words } from "../protocol/field-values.ts";

export const operators = ["=", "≠", "<", "≤", ">", "≥"] as const;
export type Operator = (typeof operators)[number];

export interface Comparison {
  /** A field of the entry, by its name in the trace; or its `step` or `clock`. */
  readonly field: string;
  readonly operator: Operator;
  /** A number, a word or a name, as the trace has it; `none` where there is nothing. */
  readonly value: string;
}

const NOTHING = "none";

/** Fields that every entry has. */
const common: readonly (readonly [string, FieldKind])[] = [
  ["clock", "ms"],
  ["step", "int"],
];

const fieldsByType: readonly (readonly (readonly [string, FieldKind])[])[] = eventTypes.map((type) =>
  Object.entries(events[type].fields as Record<string, FieldKind>),
);

/** The fields that entries of some of these types can be compared by, each once, with what they hold. */
export function comparableFields(types: readonly EventType[]): ReadonlyMap<string, FieldKind> {
  const own = types.flatMap((type) => at(fieldsByType, eventTypes.indexOf(type)));
  return new Map([...own.filter(([, kind]) => !lists.has(kind)), ...common]);
}

const numbers: ReadonlySet<FieldKind> = new Set<FieldKind>(["int", "ms", "bytes", "checkpoint"]);

/** Are values of this kind more or less than one another? Others are only the same or not. */
export function isOrdered(kind: FieldKind): boolean {
  return numbers.has(kind);
}

/** What a field of this kind can hold where that is a short list of words; else `null`. */
export function valuesOf(graph: ExecutionGraph, kind: FieldKind): readonly string[] | null {
  switch (kind) {
    case "bool":
      return ["true", "false"];
    case "subtask":
      return [...graph.subtasks.map(({ name }) => name), NOTHING];
    case "taskManager":
      return [...graph.taskManagers, NOTHING];
    case "operator":
      return graph.operators.map(({ vertex }) => vertex.uid);
    case "channel":
      return graph.channels.map(({ name }) => name);
    case "input":
      return graph.inputs.map(({ name }) => name);
    case "output":
      return graph.outputs.map(({ name }) => name);
    default:
      return words[kind] ?? null;
  }
}

export type Compares = (graph: ExecutionGraph, log: EventLog, step: number) => boolean;

/** Reads a comparison once; what it returns is asked of many entries. An entry without the field does not meet it. */
export function compares({ field, operator, value }: Comparison): Compares {
  const holds = test(operator, value);
  if (field === "step") return (_, __, step) => holds(step);
  if (field === "clock") return (_, log, step) => holds(log.clock(step));
  const places = fieldsByType.map((fields) => fields.findIndex(([name, kind]) => name === field && !lists.has(kind)));
  return (graph, log, step) => {
    const type = log.type(step);
    const place = at(places, type);
    if (place < 0) return false;
    const [, kind] = at(at(fieldsByType, type), place);
    const said = fieldValue(graph, kind, log.field(step, place));
    return holds(typeof said === "number" ? said : said === null ? NOTHING : String(said));
  };
}

function test(operator: Operator, value: string): (said: number | string) => boolean {
  const number = Number(value);
  const wanted = (said: number | string): boolean => (typeof said === "number" ? said === number : said === value);
  switch (operator) {
    case "=":
      return wanted;
    case "≠":
      return (said) => !wanted(said);
    case "<":
      return (said) => typeof said === "number" && said < number;
    case "≤":
      return (said) => typeof said === "number" && said <= number;
    case ">":
      return (said) => typeof said === "number" && said > number;
    case "≥":
      return (said) => typeof said === "number" && said >= number;
  }
}
