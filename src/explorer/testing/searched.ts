/** Small documents for the search: a few records, each checkpoint after a record. */
import { linear } from "../../scenario/library/linear.ts";
import type { Command } from "../../scenario/scenario.ts";
import type { Document } from "../schedule.ts";

const after = (record: string): Document => ({ at: { after: "RecordEmitted", record }, do: "trigger-checkpoint" });

/** `linear` with so many records, and a checkpoint right after each of those named. */
export function shortLine(records: number, checkpointsAfter: readonly string[]): Document {
  const values = linear.topics.in.values.slice(0, records);
  return {
    ...linear,
    topics: { ...linear.topics, in: { ...linear.topics.in, values } },
    faults: checkpointsAfter.map(after),
  };
}

/** Two sources into one counter into one sink: barriers come by two channels. */
export function join(first: number, second: number): Document {
  const vertex = { chain: false };
  const values = (count: number, from: number): { value: number; key: string }[] =>
    Array.from({ length: count }, (_, i) => ({ key: `k${i}`, value: from + i }));
  return {
    ...linear,
    id: "join",
    job: {
      name: "join",
      vertices: [
        { uid: "A", type: "kafka-source", topic: "a", ...vertex },
        { uid: "B", type: "kafka-source", topic: "b", ...vertex },
        { uid: "MAP", type: "map", counter: true, ...vertex },
        {
          uid: "SNK",
          type: "kafka-sink",
          topic: "out",
          delivery: "exactly-once",
          transactionalIdPrefix: "P",
          ...vertex,
        },
      ],
      edges: [
        { from: "A", to: "MAP", ship: "rebalance" },
        { from: "B", to: "MAP", ship: "rebalance" },
        { from: "MAP", to: "SNK", ship: "forward" },
      ],
    },
    cluster: { taskManagers: 1, slots: 4 },
    topics: { a: { values: values(first, 1) }, b: { values: values(second, 11) }, out: {} },
    faults: [after("a-0@0")],
  };
}

/** One source, two keyed counters, one sink. */
export function keyed(): Document {
  const vertex = { chain: false };
  return {
    ...join(1, 1),
    id: "keyed",
    job: {
      name: "keyed",
      maxParallelism: 128,
      vertices: [
        { uid: "SRC", type: "kafka-source", topic: "in", ...vertex },
        { uid: "SUM", type: "keyed-sum", parallelism: 2, ...vertex },
        {
          uid: "SNK",
          type: "kafka-sink",
          topic: "out",
          delivery: "exactly-once",
          transactionalIdPrefix: "P",
          ...vertex,
        },
      ],
      edges: [
        { from: "SRC", to: "SUM", ship: "hash" },
        { from: "SUM", to: "SNK", ship: "rebalance" },
      ],
    },
    topics: { in: { values: [{ key: "a", value: 1 }] }, out: {} },
    faults: [after("in-0@0")],
  };
}

/** A document with these options changed. */
export function withOptions(document: Document, options: { readonly [key: string]: unknown }): Document {
  return { ...document, config: { ...(document["config"] as Document), ...options } };
}

/** A failure as a person would command it. */
export function commandOf(verb: Command["do"], target: string | null): Command {
  return { do: verb, target, rpc: null, checkpoint: null, count: 1, for: null };
}
