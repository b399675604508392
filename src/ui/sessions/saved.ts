/** Runs that the browser keeps: the newest first, so many and no more. */
import { KEY } from "./has-runs.ts";
import type { RunDocument } from "../../scenario/run-document.ts";

export interface SavedRun {
  readonly id: string;
  readonly title: string;
  /** When it was last on screen, in milliseconds since 1970. */
  readonly seen: number;
  readonly document: RunDocument;
}

const MOST = 12;

interface Kept {
  /** The run that comes back; `null`: none. */
  readonly current: string | null;
  readonly runs: readonly SavedRun[];
}

const nothing: Kept = { current: null, runs: [] };

/** What is kept is read as somebody's text: the documents themselves are parsed when they are opened. */
export function kept(): Kept {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Kept> | null;
    const runs = Array.isArray(stored?.runs) ? (stored.runs as unknown[]).filter(isSaved) : [];
    return { current: typeof stored?.current === "string" ? stored.current : null, runs };
  } catch {
    return nothing;
  }
}

function isSaved(value: unknown): value is SavedRun {
  if (typeof value !== "object" || value === null) return false;
  const { id, title, seen, document } = value as { readonly [key: string]: unknown };
  return (
    typeof id === "string" && typeof title === "string" && typeof seen === "number" && typeof document === "object"
  );
}

/** `false`: the browser keeps nothing. Where there is no room the oldest make it. */
function keep(current: string | null, runs: readonly SavedRun[]): boolean {
  for (let count = Math.min(runs.length, MOST); count >= 0; count--) {
    try {
      localStorage.setItem(KEY, JSON.stringify({ current, runs: runs.slice(0, count) }));
      return true;
    } catch {
      // Storage is full, or not allowed at all: then not even an empty list is kept.
    }
  }
  return false;
}

export function saveRun(run: SavedRun): boolean {
  return keep(run.id, [run, ...kept().runs.filter(({ id }) => id !== run.id)]);
}

/** What is on screen now is nothing that has to come back. */
export function forgetCurrent(): void {
  const { current, runs } = kept();
  if (current !== null) keep(null, runs);
}

export function deleteRun(id: string): void {
  const { current, runs } = kept();
  keep(
    current === id ? null : current,
    runs.filter((run) => run.id !== id),
  );
}
