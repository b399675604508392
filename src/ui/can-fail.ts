import type { Stop } from "../view/stage/elements.ts";

const breakable: ReadonlySet<Stop["kind"]> = new Set([
  "vertex",
  "subtask",
  "channel",
  "storage",
  "taskManager",
  "jobManager",
  "transaction",
  "input",
  "output",
] as const);

/** Is there something that can be made to go wrong here? */
export function canFail<T extends Stop>(stop: T | null): stop is T {
  return stop !== null && breakable.has(stop.kind);
}
