/** The sentence of an entry, and the chain of entries that led to it. */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { traceEntry } from "../protocol/trace.ts";
import type { Text } from "./text/en.ts";

export function sentenceOf(graph: ExecutionGraph, log: EventLog, step: number, text: Text): string {
  const entry = traceEntry(graph, log, step);
  // The dictionary has a function for each type, and the entry is of that type: TypeScript cannot see that they meet.
  const sentence = text.sentences[entry.type] as (entry: object) => string;
  return sentence(entry);
}

/** Entries that led to this one, nearest first, back to a fault or to what nothing caused. */
export function causesOf(log: EventLog, step: number): readonly number[] {
  const chain: number[] = [];
  for (let cause = log.cause(step); cause >= 0; cause = log.cause(cause)) {
    chain.push(cause);
    if (log.type(cause) === EventNumber.FaultInjected) break;
  }
  return chain;
}
