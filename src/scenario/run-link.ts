/**
 * A run as the fragment of a link: a library scenario by its id, or a whole scenario file, with faults added. What comes
 * out of a link is somebody's text: it is parsed like a file.
 */
import type { FaultText } from "./exploration.ts";
import { library } from "./library.ts";

/** More characters than this are no link that anybody made with this program. */
const LONGEST = 200_000;

/** `source` is the document as it was written. */
export function runLink(source: unknown, faults: readonly FaultText[]): string {
  const written = JSON.stringify(source);
  const known = library.find((entry) => JSON.stringify(entry.source) === written);
  const run = known === undefined ? { scenario: source, faults } : { library: known.id, faults };
  return `#run=${encodeURIComponent(JSON.stringify(run))}`;
}

/** The document that a fragment stands for; `null`: it is no such link. */
export function documentOfLink(fragment: string): unknown {
  if (!fragment.startsWith("#run=") || fragment.length > LONGEST) return null;
  try {
    return withFaults(JSON.parse(decodeURIComponent(fragment.slice("#run=".length))));
  } catch {
    return null;
  }
}

function withFaults(run: unknown): unknown {
  if (typeof run !== "object" || run === null) return null;
  const { library: id, scenario, faults } = run as { library?: unknown; scenario?: unknown; faults?: unknown };
  const document = library.find((entry) => entry.id === id)?.source ?? scenario;
  if (typeof document !== "object" || document === null) return null;
  const own = (document as { faults?: unknown }).faults;
  return { ...document, faults: [...list(own), ...list(faults)] };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
