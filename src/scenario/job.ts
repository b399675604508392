/** A scenario's `job` with every default filled in. */
import {
  type JobEdge,
  type JobGraph,
  type JobVertex,
  type KafkaSinkVertex,
  type SinkVertex,
  isSource,
} from "../protocol/job-graph.ts";
import { DATABASE_TIMEOUT, isTransactional, prefixOf } from "../protocol/sinks.ts";
import type { JobDefaults } from "./config.ts";
import { hasOldConnector } from "./connector.ts";
import { limits } from "./limits.ts";
import type { Problems } from "./problems.ts";
import type { Notice, Scenario } from "./scenario.ts";
import type { EdgeSource, JobSource, VertexSource } from "./schema.ts";
import { type Base, sourceVertexOf } from "./sources.ts";

/** Flink's default of the Kafka sink (SK-159); Kafka's own client would ask for a minute. */
const SINK_TIMEOUT = 3_600_000;
/** Flink's defaults of a part file (`DefaultRollingPolicy`): 128 MB, a minute. */
const PART_SIZE = 134_217_728;
const ROLLOVER = 60_000;
/** Kafka's defaults of a producer client. */
const DELIVERY_TIMEOUT = 120_000;
const MAX_BLOCK = 60_000;
/** Flink's name of a job that has none (`StreamGraphGenerator.DEFAULT_STREAMING_JOB_NAME`). */
const UNNAMED = "Flink Streaming Job";

export function jobOf(source: JobSource, defaults: JobDefaults): JobGraph {
  const vertices = source.vertices.map((vertex) => vertexOf(vertex, defaults));
  const parallelism = new Map(vertices.map((vertex) => [vertex.uid, vertex.parallelism]));
  return {
    name: source.name ?? UNNAMED,
    maxParallelism: source.maxParallelism ?? defaults.maxParallelism,
    vertices,
    edges: (source.edges ?? []).map((edge) => edgeOf(edge, parallelism)),
  };
}

/** Is a job as written executed as in BATCH mode, because a result of it is read only once all of it is there? */
export function hasBlocking(job: JobSource | undefined): boolean {
  return job?.edges?.some(({ exchange }) => exchange === "BLOCKING") === true;
}

/** What is read once all of it is there must come to an end (`StreamGraphGenerator.shouldExecuteInBatchMode`). */
export function checkBounded({ vertices, edges }: JobGraph, problems: Problems): void {
  if (!edges.some(({ exchange }) => exchange === "BLOCKING")) return;
  vertices.forEach((vertex, index) => {
    if (vertex.type === "kafka-source" && !vertex.bounded)
      problems.add(
        ["job", "vertices", index, "bounded"],
        false,
        "Flink: Detected an UNBOUNDED source with the 'execution.runtime-mode' set to 'BATCH'. A job with a BLOCKING exchange is executed so: its sources are bounded. Allowed: true.",
      );
  });
}

/** Without a ship Flink takes forward where the parallelism is the same, else rebalance (`StreamGraph.addEdgeInternal`). */
function edgeOf(
  { from, to, ship, latency, capacity, exchange = "PIPELINED_BOUNDED" }: EdgeSource,
  parallelism: ReadonlyMap<string, number>,
): JobEdge {
  const standard = parallelism.get(from) === parallelism.get(to) ? "forward" : "rebalance";
  return { from, to, ship: ship ?? standard, exchange, latency: latency ?? null, capacity: capacity ?? 8 };
}

function kafkaSinkOf(base: Base, source: Extract<VertexSource, { type: "kafka-sink" }>): KafkaSinkVertex {
  return {
    ...base,
    type: source.type,
    topic: source.topic,
    delivery: source.delivery ?? "none",
    transactionalIdPrefix: source.transactionalIdPrefix ?? source.uid,
    transactionTimeout: source.properties?.["transaction.timeout.ms"] ?? SINK_TIMEOUT,
    linger: source.properties?.["linger.ms"] ?? 0,
    deliveryTimeout: source.properties?.["delivery.timeout.ms"] ?? DELIVERY_TIMEOUT,
    transactionNaming: source.transactionNaming ?? "incrementing",
    maxBlock: source.properties?.["max.block.ms"] ?? MAX_BLOCK,
    globalCommitter: source.globalCommitter ?? false,
  };
}

function vertexOf(source: VertexSource, defaults: JobDefaults): JobVertex {
  const base: Base = {
    uid: source.uid,
    name: source.name ?? source.uid,
    parallelism: source.parallelism ?? defaults.parallelism,
    cost: source.cost ?? 1,
    chain: (source.chain ?? true) && defaults.chaining,
    slotSharingGroup: source.slotSharingGroup ?? "default",
    ...(source.stateSize !== undefined && { stateSize: source.stateSize }),
    ...(source.generated === true && { generated: true as const }),
  };
  switch (source.type) {
    case "kafka-source":
    case "file-source":
    case "socket-source":
    case "database-source":
      return sourceVertexOf(source, base);
    case "kafka-sink":
    case "append-sink":
    case "print-sink":
    case "naive-sink":
    case "upsert-sink":
    case "two-phase-commit-sink":
    case "file-sink":
    case "write-ahead-log-sink":
    case "table-sink":
      return sinkVertex(source, base);
    case "dedup":
      return { ...base, type: source.type, ids: source.ids ?? "in-state" };
    case "flat-map":
      return { ...base, type: source.type, fanOut: source.fanOut ?? 1, counter: false };
    case "map":
      return { ...base, type: source.type, fanOut: 1, counter: source.counter ?? false };
    case "filter":
    case "union":
    case "keyed-sum":
    case "keyed-count":
      return { ...base, type: source.type, fanOut: 1, counter: false };
  }
}

function sinkVertex(source: Extract<VertexSource, { type: SinkVertex["type"] }>, base: Base): SinkVertex {
  switch (source.type) {
    case "kafka-sink":
      return kafkaSinkOf(base, source);
    case "append-sink":
    case "print-sink":
    case "naive-sink":
    case "upsert-sink":
    case "write-ahead-log-sink":
      return { ...base, type: source.type };
    case "table-sink":
      return {
        ...base,
        type: source.type,
        remembers: source.remembers ?? "job-operator-checkpoint",
        guard: source.guard ?? "when-restored",
        topology: source.topology ?? "sink",
        failsAfterRecommit: source.failsAfterRecommit ?? false,
      };
    case "file-sink":
      return {
        ...base,
        type: source.type,
        format: source.format ?? "row",
        maxPartSize: source.maxPartSize ?? PART_SIZE,
        rolloverInterval: source.rolloverInterval ?? ROLLOVER,
      };
    case "two-phase-commit-sink":
      return {
        ...base,
        type: source.type,
        transactionTimeout: source.transactionTimeout ?? null,
        ignoreFailures: source.ignoreFailuresAfterTransactionTimeout ?? false,
        databaseTimeout: source.databaseTimeout ?? DATABASE_TIMEOUT,
      };
  }
}

/** Pooled transactional ids need the connector that has them (SK-153); a global committer, something that is committed. */
export function checkNaming({ vertices }: JobGraph, flink: Scenario["flink"], problems: Problems): void {
  vertices.forEach((vertex, index) => {
    if (vertex.type === "kafka-sink" && vertex.globalCommitter && vertex.delivery !== "exactly-once") {
      const message = `With delivery ${vertex.delivery} nothing is committed; a global committer needs "exactly-once".`;
      problems.add(["job", "vertices", index, "globalCommitter"], true, message);
    }
    if (vertex.type !== "kafka-sink" || vertex.transactionNaming !== "pooling" || !hasOldConnector({ flink })) return;
    problems.add(
      ["job", "vertices", index, "transactionNaming"],
      vertex.transactionNaming,
      `Flink ${flink} has a Kafka connector 3.x, which knows incrementing alone; pooling came with 4.0, for Flink 2.0 and later.`,
    );
  });
}

/** Accepted: two sinks with one prefix fence each other, or are found out as they start (SK-161). */
export function prefixNotices({ vertices }: JobGraph): Notice[] {
  const seen = new Set<string>();
  return vertices.flatMap((vertex, index) => {
    const prefix = isTransactional(vertex) ? prefixOf(vertex) : null;
    if (prefix === null) return [];
    const isFirst = !seen.has(prefix);
    seen.add(prefix);
    if (isFirst) return [];
    return [
      {
        code: "TRANSACTIONAL_ID_PREFIX_SHARED",
        path: `job.vertices[${index}].transactionalIdPrefix`,
        message: `Another sink has the prefix ${JSON.stringify(prefix)}, so both use the same transactional ids: who initialises one fences the other, and what that had open or pre-committed is lost or written again (SK-161).`,
      },
    ];
  });
}

/** Records that each operator takes in, by what its inputs hand on: fan-out and broadcast multiply them. */
export function checkFlow({ job, topics }: Pick<Scenario, "job" | "topics">, problems: Problems): void {
  const taken = new Map<string, number>();
  const into = (uid: string): number => {
    const known = taken.get(uid);
    if (known !== undefined) return known;
    const vertex = job.vertices.find((candidate) => candidate.uid === uid);
    const own =
      vertex !== undefined && isSource(vertex)
        ? (topics.find(({ name }) => name === vertex.topic)?.partitions ?? []).reduce(
            (sum, { length }) => sum + length,
            0,
          )
        : 0;
    const total = job.edges
      .filter(({ to }) => to === uid)
      .reduce(
        (sum, { from, ship }) =>
          sum + into(from) * fanOutOf(job, from) * (ship === "broadcast" ? (vertex?.parallelism ?? 1) : 1),
        own,
      );
    taken.set(uid, total);
    return total;
  };
  job.vertices.forEach(({ uid }, index) => {
    const count = into(uid);
    if (count > limits.flow)
      problems.add(
        ["job", "vertices", index],
        uid,
        `${count} records would come here; at most ${limits.flow} are simulated.`,
      );
  });
}

function fanOutOf({ vertices }: JobGraph, uid: string): number {
  const vertex = vertices.find((candidate) => candidate.uid === uid);
  return vertex !== undefined && "fanOut" in vertex ? vertex.fanOut : 1;
}

/** accepted, and the sink fails while INITIALIZING at every start (SK-159, KF-012). */
export function timeoutNotices({ job, topics, broker }: Pick<Scenario, "job" | "topics" | "broker">): Notice[] {
  return job.vertices.flatMap((vertex, index) => {
    if (vertex.type !== "kafka-sink" || vertex.delivery !== "exactly-once") return [];
    const limit =
      topics.find(({ name }) => name === vertex.topic)?.transactionMaxTimeout ?? broker.transactionMaxTimeout;
    if (vertex.transactionTimeout <= limit) return [];
    return [
      {
        code: "TRANSACTION_TIMEOUT_ABOVE_BROKER",
        path: `job.vertices[${index}].properties.transaction.timeout.ms`,
        message: `The broker allows at most ${limit} ms (transaction.max.timeout.ms), ${vertex.uid} asks for ${vertex.transactionTimeout} ms: its initTransactions fails at every start. Lower the one or raise the other (R-10).`,
      },
    ];
  });
}
