/** A run to put beside the one on screen: one that the browser keeps, or one of the library, computed anew. */
import { at } from "../../base/assert.ts";
import { commandText } from "../../scenario/command-text.ts";
import { library } from "../../scenario/library.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { type Fork, readRun } from "../../scenario/run-document.ts";
import { prettyJson } from "../pretty-json.ts";
import { readLibrary } from "../read-library.ts";
import { kept } from "../sessions/saved.ts";
import { currentId } from "../sessions/saver.ts";
import { type ComparedRun, otherRun } from "./runs.ts";

export interface Offered {
  readonly id: string;
  readonly title: string;
  readonly from: "saved" | "library";
}

const SAVED = "saved:";
const LIBRARY = "library:";

/** Saved runs, the newest first and without the one on screen; then the library. */
export function offeredRuns(): Offered[] {
  const saved = kept().runs.filter(({ id }) => id !== currentId());
  return [
    ...saved.map(({ id, title }): Offered => ({ id: `${SAVED}${id}`, title, from: "saved" })),
    ...library.map(({ id, title }): Offered => ({ id: `${LIBRARY}${id}`, title: title.en, from: "library" })),
  ];
}

/** `null`: it is not there any more. */
export function runOffered({ id, title }: Offered): ComparedRun | null {
  if (id.startsWith(LIBRARY)) {
    const { scenario, text } = readLibrary(id.slice(LIBRARY.length));
    return otherRun(id, title, text, { ok: true, value: scenario });
  }
  const saved = kept().runs.find((run) => `${SAVED}${run.id}` === id);
  return saved === undefined ? null : savedRun(id, title, saved.document);
}

/** The branch that was shown: what was decided on its way acts at the same entries. */
export function savedRun(id: string, title: string, document: unknown): ComparedRun {
  const read = readRun(document);
  if (!read.ok) return otherRun(id, title, "null", read);
  const { source, forks, branch } = read.value;
  const { faults = [] } = source as { readonly faults?: readonly unknown[] };
  const decided = wayTo(forks, branch).map(({ step, command }) => ({ ...commandText(command), at: { step } }));
  const text = prettyJson({ ...(source as object), faults: [...faults, ...decided] });
  return otherRun(id, title, text, parseScenario(text));
}

/** Forks on the way to a branch, the oldest first; the n-th opens branch n + 1. */
function wayTo(forks: readonly Fork[], branch: number): Fork[] {
  if (branch === 0) return [];
  const fork = at(forks, branch - 1);
  return [...wayTo(forks, fork.branch), fork];
}
