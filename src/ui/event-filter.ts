/** Which entries a filter text lets through: every word must be in the entry's type, its names, or its sentence. */
import { at } from "../base/assert.ts";
import { eventTypes } from "../protocol/events.ts";
import { sentenceOf } from "./narration.ts";
import type { Run } from "./run.ts";
import type { Text } from "./text/en.ts";

export function matchingEntries(run: Run, length: number, filter: string, text: Text): readonly number[] {
  const all = Array.from({ length }, (_, step) => step);
  const words = filter.toLowerCase().replaceAll("->", "→").split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  const types = eventTypes.map((type) => type.toLowerCase());
  return all.filter((step) => {
    const type = at(types, run.log.type(step));
    const missing = words.filter((word) => !type.includes(word));
    if (missing.length === 0) return true;
    const sentence = sentenceOf(run, step, text).toLowerCase();
    return missing.every((word) => sentence.includes(word));
  });
}
