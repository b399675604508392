/** A source vertex with every default filled in, and what Flink or Kafka would refuse of it. */
import {
  type JobGraph,
  type JobVertex,
  type SourceVertex,
  type StartingOffsets,
  offsetResets,
} from "../protocol/job-graph.ts";
import type { Problems } from "./problems.ts";
import type { VertexSource } from "./schema.ts";

/** Kafka's default of `auto.commit.interval.ms`, and Flink's of `partition.discovery.interval.ms`, in milliseconds. */
const AUTO_COMMIT = 5000;
const DISCOVERY = 300_000;

/** What every vertex has. */
export type Base = Pick<
  JobVertex,
  "uid" | "name" | "parallelism" | "cost" | "chain" | "slotSharingGroup" | "stateSize" | "generated"
>;

type Written = Extract<VertexSource, { type: SourceVertex["type"] }>;

export function sourceVertexOf(source: Written, base: Base): SourceVertex {
  switch (source.type) {
    case "kafka-source":
      return kafkaSourceOf(source, base);
    case "file-source":
      return { ...base, type: source.type, topic: source.uid, bounded: source.bounded ?? true };
    case "socket-source":
      return { ...base, type: source.type, topic: source.uid, bounded: source.bounded ?? false };
    case "database-source":
      return {
        ...base,
        type: source.type,
        topic: source.uid,
        bounded: source.bounded ?? false,
        rows: source.records ?? 0,
        snapshotDuration: source.snapshotDuration ?? 0,
        incremental: source.incremental ?? false,
      };
  }
}

function kafkaSourceOf(source: Extract<Written, { type: "kafka-source" }>, base: Base): SourceVertex {
  const { properties = {}, groupId = null, bounded = false } = source;
  return {
    ...base,
    type: source.type,
    topic: source.topic,
    groupId,
    commitsOffsets: groupId !== null && (properties["commit.offsets.on.checkpoint"] ?? true),
    autoCommit:
      properties["enable.auto.commit"] === true ? (properties["auto.commit.interval.ms"] ?? AUTO_COMMIT) : null,
    startingOffsets: startingOf(source.startingOffsets ?? "earliest"),
    isolation: source.isolationLevel ?? "read_uncommitted",
    discoveryInterval: bounded ? 0 : (properties["partition.discovery.interval.ms"] ?? DISCOVERY),
    bounded,
  };
}

function startingOf(written: string | readonly number[]): StartingOffsets {
  if (typeof written !== "string") return { kind: "offsets", offsets: written };
  const [word = "", more] = written.split(":");
  if (word === "timestamp") return { kind: "timestamp", time: Number(more) };
  if (word === "group") return { kind: "group", reset: offsetResets.find((reset) => reset === more) ?? "none" };
  return word === "latest" ? { kind: "latest" } : { kind: "earliest" };
}

/** `KafkaSourceBuilder.sanityCheck`, and what its initializer asks for. */
export function checkGroups({ vertices }: JobGraph, problems: Problems): void {
  vertices.forEach((vertex, index) => {
    if (vertex.type !== "kafka-source" || vertex.groupId !== null) return;
    const path = ["job", "vertices", index, "groupId"];
    if (vertex.startingOffsets.kind === "group")
      problems.add(path, undefined, "Kafka needs a group.id to start from a group's committed offsets (SK-006).");
    if (vertex.autoCommit !== null)
      problems.add(path, undefined, "Kafka needs a group.id where enable.auto.commit is true (SK-009).");
  });
}

/** `SocketTextStreamFunction` is not parallel, and one query is read by one subtask. */
export function checkParallelSources({ vertices }: JobGraph, problems: Problems): void {
  vertices.forEach(({ type, uid, parallelism }, index) => {
    if ((type !== "socket-source" && type !== "database-source") || parallelism === 1) return;
    problems.add(
      ["job", "vertices", index, "parallelism"],
      parallelism,
      `Flink refuses it: the parallelism of the non parallel operator ${uid} must be 1. Allowed: 1.`,
    );
  });
}
