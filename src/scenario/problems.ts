/** Collects what is wrong with a scenario, in words that name the place, the value and what is allowed. */
import * as v from "valibot";
import type { Problem } from "../base/result.ts";

export type Path = readonly (string | number)[];

/** As many problems are told; a hostile file could have a million. */
const MOST = 100;

export class Problems {
  readonly list: Problem[] = [];

  /** The same message at the same place is told once. */
  add(path: Path, value: unknown, message: string): void {
    this.tell(path, shown(value), message);
  }

  /** Adds one whose value is a text already. */
  tell(path: Path, value: string, message: string): void {
    if (this.list.length > MOST) return;
    if (this.list.length === MOST) {
      this.list.push({ path: "", value: `more than ${MOST} problems`, message: `These are the first ${MOST}.` });
      return;
    }
    const place = pathOf(path);
    if (this.list.some((known) => known.path === place && known.message === message)) return;
    this.list.push({ path: place, value, message });
  }

  /** Is anything wrong at this place or below it? */
  within(...path: Path): boolean {
    const place = pathOf(path);
    return this.list.some(
      ({ path: known }) => known === place || known.startsWith(`${place}.`) || known.startsWith(`${place}[`),
    );
  }
}

/** A value as a person would write it, cut where it is long. */
export function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

/** `job.vertices[1].parallelism`. A key may hold dots itself: `config.execution.checkpointing.interval`. */
export function pathOf(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

/** The value as its schema reads it; what the schema refuses is added to the problems, and `undefined` returned. */
export function readBy<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  path: Path,
  problems: Problems,
): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  for (const issue of result.issues) {
    const place = [...path, ...(issue.path ?? []).map(({ key }) => key as string | number)];
    problems.add(place, issue.input, messageOf(issue, place.at(-1) ?? ""));
  }
  return undefined;
}

/** A schema's own message; for a key that is missing the schema has none. */
function messageOf(issue: v.BaseIssue<unknown>, key: string | number): string {
  const missing = issue.kind === "schema" && issue.received === "undefined" && issue.expected === JSON.stringify(key);
  return missing ? `${JSON.stringify(key)} is required here.` : issue.message;
}

const DEEPEST = 20;
/** Keys that reach an object's prototype where a program is careless. */
const forbidden: readonly string[] = ["__proto__", "constructor", "prototype"];

/** Adds what no scenario may hold anywhere: a value that is no JSON, a key that reaches a prototype, endless nesting. */
export function refuseHostile(value: unknown, problems: Problems, path: Path = []): void {
  if (path.length > DEEPEST) problems.add(path.slice(0, 3), undefined, `Nested deeper than ${DEEPEST} levels.`);
  else if (Array.isArray(value))
    value.forEach((item: unknown, index) => refuseHostile(item, problems, [...path, index]));
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (forbidden.includes(key)) problems.add([...path, key], key, "No key and no name may be called so.");
      else refuseHostile(item, problems, [...path, key]);
    }
  } else if (value !== null && typeof value !== "string" && typeof value !== "boolean" && !Number.isFinite(value)) {
    problems.add(path, typeof value, "This is not a JSON value.");
  }
}
