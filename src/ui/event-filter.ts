/** Which entries a filter text lets through: every word must be in the entry's type, its names, or its sentence. */
import { at } from "../base/assert.ts";
import { eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import { sentenceOf } from "./narration.ts";
import type { Text } from "./text/en.ts";

/** `null`: all. */
export function matchingEntries(graph: ExecutionGraph, log: EventLog, length: number, filter: string, text: Text): readonly number[] | null {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const lowerTypes = eventTypes.map((type) => type.toLowerCase());
  const steps: number[] = [];
  for (let step = 0; step < length; step++) {
    const type = at(lowerTypes, log.type(step));
    const missing = words.filter((word) => !type.includes(word));
    if (missing.length === 0) {
      steps.push(step);
      continue;
    }
    const sentence = sentenceOf(graph, log, step, text).toLowerCase();
    if (missing.every((word) => sentence.includes(word))) steps.push(step);
  }
  return steps;
}
