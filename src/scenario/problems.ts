/** Collects what is wrong with a scenario, in words that name the place, the value and what is allowed. */
import * as v from "valibot";
import type { Problem } from "../base/result.ts";
import { suggestion } from "./nearest.ts";
import { notSimulated, scenarioSchema } from "./schema.ts";

export class Problems {
  readonly list: Problem[] = [];

  add(path: string, value: unknown, message: string): void {
    this.list.push({ path, value: shown(value), message });
  }
}

/** A value as a person would write it, cut where it is long. */
export function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

/** `job.vertices[1].parallelism`. A key may hold dots itself: `config.execution.checkpointing.interval`. */
export function pathOf(keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => (typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`), "");
}

type Issue = v.BaseIssue<unknown>;

/** The structural issues that the schema found, in our words. */
export function structuralProblems(source: unknown, problems: Problems): v.InferOutput<typeof scenarioSchema> | null {
  const result = v.safeParse(scenarioSchema, source);
  if (result.success) return result.output;
  for (const issue of result.issues) describe(issue, problems);
  return null;
}

function describe(issue: Issue, problems: Problems): void {
  const keys = (issue.path ?? []).map(({ key }) => key as string | number);
  const path = pathOf(keys);
  const last = issue.path?.at(-1);
  const key = String(keys.at(-1) ?? "");
  if (issue.type === "strict_object" && issue.expected === "never") {
    const known = knownKeys(issue);
    problems.add(path, (last as { value?: unknown } | undefined)?.value, `Unknown key ${JSON.stringify(key)}.${suggestion(key, known)} Known here: ${known.join(", ")}.`);
  } else if (issue.type === "strict_object" && issue.received === "undefined") {
    problems.add(path, undefined, `${JSON.stringify(key)} is required here.`);
  } else {
    problems.add(path, issue.input === undefined ? undefined : valueAt(issue), expectation(issue, key));
  }
}

function valueAt(issue: Issue): unknown {
  const last = issue.path?.at(-1) as { value?: unknown } | undefined;
  return issue.type === "variant" || last === undefined ? (last?.value ?? issue.input) : issue.input;
}

function expectation(issue: Issue, key: string): string {
  const value = String(valueAt(issue));
  const allowed = [...(issue.expected ?? "").matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
  if (key === "type" && (notSimulated.types as readonly string[]).includes(value)) return `Vertex type ${value} is not simulated yet. Simulated: ${allowed.join(", ")}.`;
  if (key === "do" && (notSimulated.verbs as readonly string[]).includes(value)) return `${value} is not simulated yet. Simulated: ${allowed.join(", ")}.`;
  if ((notSimulated.rules as readonly string[]).includes(value)) return `${value} is not simulated yet. Simulated: ${allowed.join(", ")}.`;
  if (allowed.length > 1) return `Not allowed here.${suggestion(value, allowed)} Allowed: ${allowed.join(", ")}.`;
  if (issue.type === "min_value" || issue.type === "max_value") return `Must be ${issue.expected ?? ""}.`;
  if (issue.type === "integer") return "Must be a whole number.";
  if (issue.type === "min_length") return "Must not be empty.";
  if (issue.type === "max_length") return `Too long: ${issue.expected ?? ""}.`;
  if (issue.type === "regex") return `Not allowed: ${issue.message}.`;
  return `Must be ${typeNames[issue.expected ?? ""] ?? issue.expected ?? "something else"}.`;
}

const typeNames: Record<string, string> = {
  number: "a number", string: "a text", boolean: "true or false", Array: "a list", Object: "an object",
  "(string | number)": 'a text or a number, such as "10 s"', "(string | number | boolean)": "a text, a number, or true or false",
};

/** The keys of the object schema that refused a key: found again by walking the schema along the issue's path. */
function knownKeys(issue: Issue): string[] {
  let schema: unknown = scenarioSchema;
  for (const { key, input } of (issue.path ?? []).slice(0, -1) as { key: unknown; input: unknown }[]) schema = child(schema, key, input);
  const parent = (issue.path?.at(-1) as { input?: unknown } | undefined)?.input;
  return Object.keys(entriesOf(resolve(schema, parent)));
}

interface AnySchema {
  readonly type?: string;
  readonly entries?: Record<string, unknown>;
  readonly item?: unknown;
  readonly value?: unknown;
  readonly wrapped?: unknown;
  readonly options?: readonly unknown[];
  readonly key?: string;
}

function entriesOf(schema: unknown): Record<string, unknown> {
  return (schema as AnySchema | undefined)?.entries ?? {};
}

/** Looks through optional wrappers, and picks the option of a variant or union that fits the input. */
function resolve(schema: unknown, input: unknown): unknown {
  const given = schema as AnySchema | undefined;
  if (given?.wrapped !== undefined) return resolve(given.wrapped, input);
  if (given?.options === undefined) return given;
  if (given.type === "variant") {
    const type = (input as Record<string, unknown> | null)?.[given.key ?? ""];
    return given.options.find((option) => (entriesOf(option)[given.key ?? ""] as { literal?: unknown } | undefined)?.literal === type);
  }
  const wanted = Array.isArray(input) ? "array" : "strict_object";
  return given.options.map((option) => resolve(option, input)).find((option) => (option as AnySchema | undefined)?.type === wanted);
}

function child(schema: unknown, key: unknown, input: unknown): unknown {
  const inside = resolve(schema, input) as AnySchema | undefined;
  if (inside?.type === "array") return inside.item;
  if (inside?.type === "record") return inside.value;
  return inside?.entries?.[String(key)];
}
