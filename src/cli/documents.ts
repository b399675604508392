/** Where a command's scenario comes from, and what is told of one that cannot be read. */
import type { Problem } from "../base/result.ts";
import { library } from "../scenario/library.ts";
import { readJson } from "../scenario/parse.ts";
import type { Io } from "./io.ts";

type Document = { readonly value: unknown } | { readonly problems: readonly Problem[] };

/** A library scenario by its id, else the file of that name. */
export function documentOf(name: string, io: Io): Document {
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
export function problemText(problems: readonly Problem[]): string {
  return problems
    .map(({ path, value, message }) => `${path === "" ? "" : `${path}: `}${value}\n  ${message}\n`)
    .join("");
}
