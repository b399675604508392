/** A planned fault while a person changes it: where it acts, when, how often. What it does stays. */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { Fault, Moment } from "../../scenario/scenario.ts";
import type { Stop } from "../../view/stage/elements.ts";
import type { InstantName } from "../text/en-plan.ts";
import { type Instant, instantsOf } from "./instants.ts";
import { againText } from "./plan.ts";
import { probabilityOf } from "./when.ts";

export type Json = { readonly [key: string]: unknown };

/** A named instant, a time, an event's number, or an event with conditions that have no name here. */
export type Form = InstantName | "time" | "step" | "written";

export interface Edited {
  /** `null`: the fault names nothing. */
  readonly target: string | null;
  readonly form: Form;
  /** Flink's duration, or an event's number, as typed. */
  readonly place: string;
  readonly nth: string;
  readonly every: boolean;
  readonly percent: string | null;
}

/** Where a fault's target could be instead: all of its kind. */
export function targetsLike(graph: ExecutionGraph, target: string | null): readonly string[] {
  const kinds = [graph.subtasks, graph.channels].map((all) => all.map(({ name }) => name));
  const vertices = graph.vertices.map(({ uid }) => uid);
  return [...kinds, graph.taskManagers, vertices].find((names) => target !== null && names.includes(target)) ?? [];
}

/** The element whose instants a fault can wait for. */
function stopOf(graph: ExecutionGraph, target: string | null): Stop {
  const subtask = graph.subtasks.find(({ name }) => name === target);
  if (subtask !== undefined) return { kind: "subtask", id: subtask.index };
  const vertex = graph.vertices.find(({ uid }) => uid === target);
  return vertex === undefined ? { kind: "jobManager", id: 0 } : { kind: "vertex", id: vertex.index };
}

export function instantsFor(graph: ExecutionGraph, target: string | null): readonly Instant[] {
  return instantsOf(graph, stopOf(graph, target));
}

export function editedOf(graph: ExecutionGraph, { at: moment, target }: Fault): Edited {
  const same = { target, place: "", nth: "1", every: false, percent: null };
  if (moment.kind === "time") return { ...same, form: "time", place: `${moment.time} ms` };
  if (moment.kind === "step") return { ...same, form: "step", place: String(moment.step) };
  const { nth, every = false, probability } = moment;
  const percent = probability === undefined ? null : String(Number((probability * 100).toPrecision(9)));
  const named = instantsFor(graph, target).find((instant) => isAt(instant, moment));
  return { ...same, form: named?.name ?? "written", nth: String(nth), every, percent };
}

function isAt({ kind, event, match }: Instant, moment: Extract<Moment, { event: unknown }>): boolean {
  const fields = Object.entries(match);
  return (
    kind === moment.kind &&
    event === moment.event &&
    fields.length === Object.keys(moment.match).length &&
    fields.every(([field, value]) => moment.match[field] === value)
  );
}

/** The fault as the scenario is to have it; what is typed wrong is left to the scenario's own reader. */
export function withEdits(graph: ExecutionGraph, written: Json, fault: Fault, edited: Edited): Json {
  const { target } = edited;
  const key = "vertex" in written && !("target" in written) ? "vertex" : "target";
  return {
    ...written,
    at: atOf(graph, written["at"] as Json, edited),
    ...(target !== null && target !== fault.target && { [key]: target }),
  };
}

function atOf(graph: ExecutionGraph, written: Json, edited: Edited): Json {
  const { form, place, target, every } = edited;
  if (form === "time") return { time: place };
  if (form === "step") return { step: numberOr(place) };
  const nth = numberOr(edited.nth);
  const again = { ...(nth !== 1 && { nth }), ...againText({ every, probability: probabilityOf(edited) }) };
  const instant = instantsFor(graph, target).find(({ name }) => name === form);
  if (instant !== undefined) return { [instant.kind]: instant.event, ...instant.match, ...again };
  const { nth: _, every: __, probability: ___, ...pattern } = written;
  return { ...pattern, ...again };
}

/** What is no number stays as it is, and is refused by its name. */
function numberOr(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}
