/** A scenario's `faults` and `until`: names checked against the job as it is run, and rewritten to the heads of chains. */
import { type EventType, eventTypes, events } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { DURATION_HELP, parseDuration } from "./durations.ts";
import { suggestion } from "./nearest.ts";
import { type Problems, pathOf } from "./problems.ts";
import type { Fault, Moment, Until } from "./scenario.ts";
import type { FaultSource } from "./schema.ts";

type Path = readonly (string | number)[];
type MomentSource = Readonly<Record<string, string | number | boolean | null>>;

const numeric = new Set(["int", "ms", "bytes", "checkpoint"]);

export function faultOf(source: FaultSource, index: number, graph: ExecutionGraph, problems: Problems): Fault {
  const path = ["faults", index];
  const time = source.for === undefined ? null : parseDuration(source.for);
  if (source.for !== undefined && time === null) problems.add(pathOf([...path, "for"]), source.for, `Must be ${DURATION_HELP}.`);
  if (source.do === "lose-rpc" && source.rpc === undefined) problems.add(pathOf([...path, "rpc"]), undefined, "lose-rpc needs the kind of message that is lost.");
  return {
    at: momentOf(source.at, [...path, "at"], graph, problems), do: source.do, target: targetOf(source, path, graph, problems), rpc: source.rpc ?? null,
    checkpoint: source.checkpoint ?? null, count: source.count ?? 1, for: time,
  };
}

/** The name that a verb's target must be, among those there are; a chain member stands for its task. */
function targetOf(source: FaultSource, path: Path, graph: ExecutionGraph, problems: Problems): string | null {
  const place = pathOf([...path, "target"]);
  const { target } = source;
  const subtask = target === undefined ? undefined : headOf(graph, target);
  const oneOf = (names: readonly string[], found: string | undefined, required: boolean): string | null => {
    if (target === undefined && !required) return null;
    if (found === undefined) problems.add(place, target, `${source.do} needs a target.${suggestion(target ?? "", names)} There are: ${names.slice(0, 20).join(", ")}.`);
    return found ?? null;
  };
  const subtasks = graph.subtasks.map(({ name }) => name);
  switch (source.do) {
    case "fail-task":
    case "stall":
    case "resume": return oneOf(subtasks, subtask, true);
    case "lose-rpc": return oneOf(subtasks, subtask, false);
    case "fail-vertex": {
      const uids = graph.operators.map(({ vertex }) => vertex.uid);
      return oneOf(uids, uids.find((uid) => uid === target), true);
    }
    case "kill-taskmanager":
    case "restart-taskmanager": return oneOf(graph.taskManagers, graph.taskManagers.find((name) => name === target), true);
    case "expire-transaction": return source.transaction ?? oneOf(subtasks, subtask, true);
    case "fail-job":
    case "trigger-checkpoint": {
      if (target !== undefined) problems.add(place, target, `${source.do} has no target.`);
      return null;
    }
  }
}

/** `uid[index]` of any chain member as the name of the subtask that runs it. */
function headOf(graph: ExecutionGraph, name: string): string | undefined {
  const match = /^(.+)\[(\d+)\]$/.exec(name);
  const operator = graph.operators.find(({ vertex }) => vertex.uid === match?.[1]);
  const subtask = operator === undefined ? undefined : graph.vertices[operator.taskVertex]?.subtasks[Number(match?.[2])];
  return subtask === undefined ? undefined : graph.subtasks[subtask]?.name;
}

export function momentOf(source: MomentSource, path: Path, graph: ExecutionGraph, problems: Problems): Moment {
  const forms = (["time", "step", "before", "after"] as const).filter((form) => form in source);
  const [form] = forms;
  if (form === undefined || forms.length > 1) {
    problems.add(pathOf(path), source, 'Must have exactly one of "time", "step", "before", "after".');
    return { kind: "step", step: -1 };
  }
  if (form === "time" || form === "step") return plainMoment(form, source, path, problems);
  const event = source[form];
  if (!eventTypes.includes(event as EventType)) {
    problems.add(pathOf([...path, form]), event, `No event type has this name.${suggestion(String(event), eventTypes)}`);
    return { kind: "step", step: -1 };
  }
  const { nth = 1, [form]: _, ...match } = source;
  if (typeof nth !== "number" || !Number.isInteger(nth) || nth < 1) problems.add(pathOf([...path, "nth"]), nth, "Must be a whole number from 1 on.");
  return { kind: form, event: event as EventType, match: matchOf(event as EventType, match, path, graph, problems), nth: Number(nth) };
}

function plainMoment(form: "time" | "step", source: MomentSource, path: Path, problems: Problems): Moment {
  const value = source[form];
  for (const key of Object.keys(source)) if (key !== form) problems.add(pathOf([...path, key]), source[key], `Unknown key beside ${JSON.stringify(form)}.`);
  if (form === "step") {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0) problems.add(pathOf([...path, form]), value, "Must be a whole number from 0 on.");
    return { kind: "step", step: Number(value) };
  }
  const time = typeof value === "string" || typeof value === "number" ? parseDuration(value) : null;
  if (time === null) problems.add(pathOf([...path, form]), value, `Must be ${DURATION_HELP}.`);
  return { kind: "time", time: time ?? 0 };
}

function matchOf(event: EventType, match: MomentSource, path: Path, graph: ExecutionGraph, problems: Problems): Record<string, string | number | boolean | null> {
  const fields = events[event].fields as Record<string, string>;
  const kinds = Object.values(fields);
  const known = Object.keys(fields).filter((field) => fields[field] !== "operator" && fields[field] !== "subtasks");
  if (kinds.includes("subtask") || kinds.includes("operator")) known.push("vertex");
  known.push("submission");
  const read: Record<string, string | number | boolean | null> = {};
  for (const [field, value] of Object.entries(match)) {
    const place = pathOf([...path, field]);
    if (!known.includes(field)) problems.add(place, value, `${event} has no field ${JSON.stringify(field)}.${suggestion(field, known)} It has: ${known.join(", ")}.`);
    else if (fields[field] === "subtask" && typeof value === "string") {
      const head = headOf(graph, value);
      const names = graph.subtasks.map(({ name }) => name);
      if (head === undefined) problems.add(place, value, `No subtask has this name.${suggestion(value, names)} There are: ${names.slice(0, 20).join(", ")}.`);
      read[field] = head ?? value;
    } else if (numeric.has(fields[field] ?? "") && typeof value !== "number") problems.add(place, value, "Must be a number.");
    else read[field] = value;
  }
  return read;
}

export function untilOf(source: "drained" | MomentSource | undefined, graph: ExecutionGraph, problems: Problems): Until {
  if (source === undefined || source === "drained") return { kind: "drained" };
  const { steps } = source;
  if (steps !== undefined) {
    if (typeof steps !== "number" || !Number.isInteger(steps) || steps < 1) problems.add("until.steps", steps, "Must be a whole number from 1 on.");
    return { kind: "steps", steps: Number(steps) };
  }
  const moment = momentOf(source, ["until"], graph, problems);
  if (moment.kind === "step") {
    problems.add("until", source, 'Must be "drained", { "time": … }, { "steps": … } or { "after": EVENT, … }.');
    return { kind: "drained" };
  }
  return moment;
}
