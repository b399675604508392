/** A scenario of the library as it is opened. */
import { library } from "../scenario/library.ts";
import { parseScenario } from "../scenario/parse.ts";
import type { OpenOptions } from "./link.ts";
import { prettyJson } from "./pretty-json.ts";

export function readLibrary(id: string): OpenOptions {
  const entry = library.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`assertion failed: the library has no scenario ${id}`);
  const text = prettyJson(entry.source);
  const parsed = parseScenario(text);
  if (!parsed.ok)
    throw new Error(
      `assertion failed: library scenario ${id}: ${parsed.problems.map(({ path, message }) => `${path}: ${message}`).join("; ")}`,
    );
  return { scenario: parsed.value, text, library: id };
}
