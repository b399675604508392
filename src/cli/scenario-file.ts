/** From the command line's words to a scenario, or to words about what is wrong with it. */
import type { Problem } from "../base/result.ts";
import { library } from "../scenario/library.ts";
import { readJson, scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Arguments } from "./arguments.ts";
import { changed } from "./changes.ts";
import type { Io } from "./io.ts";

export type ReadScenario =
  | {
      readonly ok: true;
      readonly value: Scenario;
      /** As it was written, changes of the command line included. */
      readonly source: unknown;
    }
  | { readonly ok: false; readonly message: string };

/** Reads a library scenario or a file, with what the command line changes in it. */
export function readScenario(given: Arguments, io: Io): ReadScenario {
  const document = documentOf(given.scenario, io);
  if ("problems" in document) return { ok: false, message: problemText(document.problems) };
  const changes = changed(document.value, given);
  if (!changes.ok) return { ok: false, message: `${changes.message}\n` };
  const scenario = scenarioFrom(changes.value);
  if (!scenario.ok) return { ok: false, message: problemText(scenario.problems) };
  return { ok: true, value: scenario.value, source: changes.value };
}

type Document = { readonly value: unknown } | { readonly problems: readonly Problem[] };

/** A library scenario by its id, else the file of that name. */
function documentOf(name: string, io: Io): Document {
  const known = library.find(({ id }) => id === name);
  if (known !== undefined) return { value: known.source };
  let text: string | null;
  try {
    text = io.read(name);
  } catch (error) {
    return { problems: [{ path: "", value: name, message: `The file cannot be read: ${reason(error)}.` }] };
  }
  if (text === null) {
    const ids = library.map(({ id }) => id).join(", ");
    return {
      problems: [
        {
          path: "",
          value: name,
          message: `There is neither such a file nor such a library scenario. Library: ${ids}.`,
        },
      ],
    };
  }
  const parsed = readJson(text);
  return parsed.ok ? { value: parsed.value } : { problems: parsed.problems };
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Two lines a problem: where and what stands there, then what is wrong and what is allowed. */
function problemText(problems: readonly Problem[]): string {
  return problems
    .map(({ path, value, message }) => `${path === "" ? "" : `${path}: `}${value}\n  ${message}\n`)
    .join("");
}
