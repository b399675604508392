/**
 * When a fault acts, and when a run ends: the entries that are waited for, their fields checked against the log's events
 * and the names of the job.
 */
import { type EventType, events } from "../protocol/events.ts";
import type { FieldKind } from "../protocol/field-kinds.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { words } from "../protocol/field-values.ts";
import { type NameKind, nameKinds, traceName } from "./names.ts";
import { didYouMean, oneOfNames } from "./nearest.ts";
import type { Path, Problems } from "./problems.ts";
import type { Moment, Until } from "./scenario.ts";
import type { MomentSource, UntilSource } from "./schema-faults.ts";

/** `null`: the job itself is wrong. */
export type Graph = ExecutionGraph | null;
type Scalar = string | number | boolean | null;

export function momentOf(source: MomentSource, path: Path, graph: Graph, problems: Problems): Moment {
  if ("every" in source && source.event === "FaultInjected")
    problems.add([...path, "every"], true, "At every FaultInjected it would act at itself, without end.");
  if ("probability" in source && !("every" in source))
    problems.add([...path, "probability"], source.probability, 'Allowed only beside "every": true.');
  return "event" in source ? { ...source, match: matchOf(source.event, source.match, path, graph, problems) } : source;
}

export function untilOf(source: UntilSource | undefined, graph: Graph, problems: Problems): Until {
  if (source === undefined) return { kind: "drained" };
  return "event" in source
    ? { ...source, match: matchOf(source.event, source.match, ["until"], graph, problems) }
    : source;
}

/** The fields of an event type that a pattern may name, each with what its value stands for. */
function matchable(event: EventType): Record<string, FieldKind> {
  const fields = events[event].fields as Record<string, FieldKind>;
  const kinds = Object.values(fields);
  const known = Object.fromEntries(
    Object.entries(fields).filter(([, kind]) => kind !== "operator" && kind !== "subtasks"),
  );
  if (kinds.includes("operator")) known["vertex"] = "operator";
  else if (kinds.includes("subtask")) known["vertex"] = "subtask";
  return { ...known, submission: "int" };
}

function matchOf(
  event: EventType,
  match: { readonly [field: string]: Scalar },
  path: Path,
  graph: Graph,
  problems: Problems,
): Record<string, Scalar> {
  const known = matchable(event);
  const read: Record<string, Scalar> = {};
  for (const [field, value] of Object.entries(match)) {
    const kind = known[field];
    const place = [...path, field];
    if (kind === undefined) {
      const names = Object.keys(known);
      problems.add(
        place,
        value,
        `${event} has no field ${JSON.stringify(field)}.${didYouMean(field, names)} It has: ${names.join(", ")}.`,
      );
    } else
      read[field] = fieldOf(
        field === "vertex" ? (kind === "operator" ? "vertex" : "head") : kind,
        value,
        place,
        graph,
        problems,
      );
  }
  return read;
}

const numbers: readonly string[] = ["int", "ms", "bytes", "checkpoint"];

/** A field's value as the trace would show it. */
function fieldOf(kind: FieldKind | NameKind, value: Scalar, path: Path, graph: Graph, problems: Problems): Scalar {
  if (numbers.includes(kind)) {
    if (!Number.isInteger(value)) problems.add(path, value, "Must be a whole number.");
    return value;
  }
  if (kind === "bool") {
    if (typeof value !== "boolean") problems.add(path, value, "Must be true or false.");
    return value;
  }
  if (value === null) return value;
  if (typeof value !== "string") {
    problems.add(path, value, "Must be a text.");
    return value;
  }
  const name = nameKinds.find((known) => known === kind);
  if (name !== undefined) return nameOf(name, value, path, graph, problems);
  const allowed = words[kind as FieldKind] ?? [];
  if (!allowed.includes(value)) problems.add(path, value, `Not known here.${oneOfNames(value, allowed)}`);
  return value;
}

/** The trace's name; what nothing is called is a problem, and comes back as it is. */
export function nameOf(kind: NameKind, name: string, path: Path, graph: Graph, problems: Problems): string {
  if (graph === null) return name;
  const found = traceName(kind, name, graph);
  if (typeof found === "string") return found;
  problems.add(path, name, `${found.missing}${oneOfNames(name, found.names)}`);
  return name;
}
