/** What this tab shows, all of it, beside the address that names it: a reload goes on with more than a link can hold. */
import { isRunDocument, type RunDocument } from "../../scenario/run-document.ts";
import { MOMENT_KEY } from "./has-runs.ts";

export interface Moment {
  /** The fragment that stood in the address. */
  readonly address: string;
  /** Under which name the browser keeps the run; `null`: it does not. */
  readonly id: string | null;
  readonly document: RunDocument;
}

export function keepMoment(moment: Moment): void {
  try {
    sessionStorage.setItem(MOMENT_KEY, JSON.stringify(moment));
  } catch {
    // Storage is full or not allowed: the address has the way to what is on screen.
  }
}

/** What was on screen when that address stood there; `null`: something else, or nothing. */
export function momentOf(fragment: string): Moment | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(MOMENT_KEY) ?? "null");
    return isMoment(stored) && stored.address === fragment ? stored : null;
  } catch {
    return null;
  }
}

/** The document itself is parsed when it is opened. */
function isMoment(value: unknown): value is Moment {
  if (typeof value !== "object" || value === null) return false;
  const { address, id, document } = value as { readonly [key: string]: unknown };
  return typeof address === "string" && (id === null || typeof id === "string") && isRunDocument(document);
}
