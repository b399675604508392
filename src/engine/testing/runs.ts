/** Words that the engine's tests share: library scenarios with changes, and what a run tells, one short line an entry. */
import { at } from "../../base/assert.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { type TraceEntry, traceEntry } from "../../protocol/trace.ts";
import { library } from "../../scenario/library.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import type { RunResult } from "../run.ts";
import { completeEngine } from "../whole.ts";

completeEngine();

type Json = { [key: string]: unknown };

/** A library scenario, its source changed by `change` before it is parsed. */
export function libraryScenario(id: string, change: (source: Json) => void = () => {}): Scenario {
  const found = library.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no library scenario ${id}`);
  const source: Json = JSON.parse(found.text) as Json;
  change(source);
  const parsed = scenarioFrom(source);
  if (!parsed.ok)
    throw new Error(parsed.problems.map(({ path, value, message }) => `${path}: ${value}: ${message}`).join("\n"));
  return parsed.value;
}

/** A library scenario with these faults added to its own operations. */
export function withFaults(id: string, faults: readonly Json[], change: (source: Json) => void = () => {}): Scenario {
  return libraryScenario(id, (source) => {
    source["faults"] = [...((source["faults"] as Json[] | undefined) ?? []), ...faults];
    change(source);
  });
}

/** The delivery guarantee of every Kafka sink in the source. */
export function setDelivery(source: Json, delivery: string): void {
  for (const vertex of (source["job"] as { vertices: Json[] }).vertices)
    if (vertex["type"] === "kafka-sink") vertex["delivery"] = delivery;
}

export function entriesOf(graph: ExecutionGraph, log: EventLog): TraceEntry[] {
  return Array.from({ length: log.length }, (_, step) => traceEntry(graph, log, step));
}

/** Does a source take a snapshot before it takes in a split that was assigned to it before? An urgent trigger does that. */
export function overtakesSplit({ graph, log }: RunResult): boolean {
  const waiting = new Map<string, { readonly subtask: unknown; overtaken: boolean }>();
  for (const { type, subtask, ...entry } of entriesOf(graph, log)) {
    const split = entry["partition"] as string;
    if (type === "SplitAssigned") waiting.set(split, { subtask, overtaken: false });
    if (type === "SplitAdded" && waiting.get(split)?.overtaken === true) return true;
    if (type === "SplitAdded") waiting.delete(split);
    for (const [each, wait] of waiting) {
      if (wait.subtask !== subtask) continue;
      if (type === "TaskStopped") waiting.delete(each);
      if (type === "SnapshotTaken") wait.overtaken = true;
    }
  }
  return false;
}

/** `Type subject …`: the fields that tell entries apart, in a fixed order. */
export function told(entry: TraceEntry): string {
  const word = (field: string): string[] => {
    const value = entry[field];
    return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
  };
  const moved = [...word("from"), ...word("to")];
  return [
    entry.type,
    ...["subtask", "transaction", "checkpoint", "record"].flatMap(word),
    ...(moved.length === 2 ? [moved.join(">")] : []),
    ...["reason", "kind", "target", "ending", "taskManager"].flatMap(word),
  ].join(" ");
}

/** Checks that lines appear in this order, others between them; gives the first that is missing, or `null`. */
export function firstMissing(lines: readonly string[], wanted: readonly string[]): string | null {
  let from = 0;
  for (const line of wanted) {
    const found = lines.indexOf(line, from);
    if (found < 0) return `${line} (after ${from === 0 ? "the beginning" : at(lines, from - 1)})`;
    from = found + 1;
  }
  return null;
}

export function command(verb: Command["do"], target: string | null, more: Partial<Command> = {}): Command {
  return { do: verb, target, rpc: null, checkpoint: null, count: 1, for: null, ...more };
}
