/** The keys of a scenario file, each read by its own schema, so that one that is wrong does not hide another. */
import * as v from "valibot";
import { closed } from "./fields.ts";
import { limits } from "./limits.ts";
import { type Problems, readBy } from "./problems.ts";
import { type Sections, sections } from "./schema.ts";

/** What was read; a key that is missing or wrong is `undefined`. Faults are not looked into yet. */
export interface Source extends Partial<Omit<Sections, "faults">> {
  readonly faults?: readonly unknown[];
  /** The job as it is written. */
  readonly raw: unknown;
}

const anything = Object.fromEntries(Object.keys(sections).map((key) => [key, v.optional(v.unknown())]));
const keys = closed(anything);
const faultList = v.optional(
  v.pipe(
    v.array(v.unknown(), "Must be a list: [ … ]."),
    v.maxLength(limits.faults, `At most ${limits.faults} are allowed here.`),
  ),
);

/** `null`: this is not even an object. */
export function readSections(json: unknown, problems: Problems): Source | null {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    problems.add([], json, 'A scenario is a JSON object: { "format": 1, "job": { … }, … }.');
    return null;
  }
  readBy(keys, json, [], problems);
  const given = json as { readonly [key: string]: unknown };
  const read: Record<string, unknown> = { raw: given["job"] };
  for (const [key, schema] of Object.entries(sections)) {
    if (key in given) read[key] = readBy(key === "faults" ? faultList : schema, given[key], [key], problems);
    else if (key === "format" || key === "job")
      problems.add([key], undefined, `${JSON.stringify(key)} is required here.`);
  }
  // Each section has been read by its own schema; the compiler cannot follow key by key.
  return read as unknown as Source;
}
