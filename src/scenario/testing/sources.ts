/** What tests of this room share: a small correct scenario to spoil, and problems as lines. */
import type { Problem } from "../../base/result.ts";
import { scenarioFrom } from "../parse.ts";
import type { Scenario } from "../scenario.ts";

export type Json = { [key: string]: unknown };

/** One source, one keyed sum, one exactly-once sink, each in a task of its own; `change` spoils or extends it. */
export function small(change: Json = {}): Json {
  return {
    format: 1,
    id: "small",
    job: {
      vertices: [
        { uid: "src", type: "kafka-source", topic: "in", parallelism: 2 },
        { uid: "sum", type: "keyed-sum", parallelism: 2 },
        {
          uid: "out",
          type: "kafka-sink",
          topic: "out",
          delivery: "exactly-once",
          properties: { "transaction.timeout.ms": "15 min" },
        },
      ],
      edges: [
        { from: "src", to: "sum", ship: "hash" },
        { from: "sum", to: "out", ship: "rebalance" },
      ],
    },
    topics: { in: { partitions: 2, records: 4, every: "10 ms" }, out: {} },
    ...change,
  };
}

/** The vertices of a source, to change one. */
export function vertexOf(source: Json, uid: string): Json {
  const found = (source["job"] as { vertices: Json[] }).vertices.find((vertex) => vertex["uid"] === uid);
  if (found === undefined) throw new Error(`no vertex ${uid}`);
  return found;
}

/** The scenario; problems are thrown, for they are a mistake of the test. */
export function parsed(source: unknown): Scenario {
  const result = scenarioFrom(source);
  if (!result.ok) throw new Error(result.problems.map(lineOf).join("\n"));
  return result.value;
}

/** `path: value: message`, a line a problem; empty where the scenario is accepted. */
export function problemsOf(source: unknown): string[] {
  const result = scenarioFrom(source);
  return result.ok ? [] : result.problems.map(lineOf);
}

function lineOf({ path, value, message }: Problem): string {
  return `${path}: ${value}: ${message}`;
}
