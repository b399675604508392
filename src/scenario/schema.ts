/**
 * The structure of a scenario file (the contract's section 1), declared once: what is checked first, and what the JSON
 * Schema is made from. Durations come out in milliseconds. What needs more than its own place to be judged (names,
 * graphs, Flink's options) is looked at afterwards.
 */
import * as v from "valibot";
import { closed, duration, flag, list, notYet, oneOf, size, text, whole, wordMessage } from "./fields.ts";
import {
  deliveryGuarantees,
  exchanges,
  fileFormats,
  isolationLevels,
  shipStrategies,
  transactionNamings,
} from "../protocol/job-graph.ts";
import { input } from "./schema-input.ts";
import { brokenRules, flinkVersions } from "./scenario.ts";
import { limits } from "./limits.ts";
import { faultSchema, untilSchema } from "./schema-faults.ts";

/** Names become parts of `uid[0]`, `a[0]->b[1]`, `topic-0@7` and of file names. */
const uid = v.pipe(
  text(100),
  v.regex(/^[^[\]<>@"'\s]+$/, "A uid holds no blanks, quotes, brackets, < > or @."),
  v.check((name) => !["__proto__", "constructor", "prototype"].includes(name), "No key and no name may be called so."),
);
const topicName = v.pipe(
  text(249),
  v.regex(
    /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/,
    'Kafka refuses it: a topic\'s name is made of letters, digits, ".", "_" and "-".',
  ),
);

const vertexEntries = {
  uid,
  name: v.optional(text(200)),
  parallelism: v.optional(whole(1, limits.parallelism)),
  cost: v.optional(duration()),
  chain: v.optional(flag),
  slotSharingGroup: v.optional(text(100)),
  stateSize: v.optional(size()),
  generated: v.optional(flag),
};

function transform<const T extends string>(type: T) {
  return closed({ ...vertexEntries, type: v.literal(type) });
}

const startingWord = /^(?:earliest|latest|group(?::(?:none|earliest|latest))?|timestamp:\d{1,10})$/;
const startingMessage =
  'Must be "earliest", "latest", "group" (with what to do where the group has no offset: "group:earliest", "group:latest"; else the source fails), "timestamp:N" (milliseconds), or a list of offsets by partition.';
const startingOffsets = v.union(
  [v.pipe(v.string(), v.regex(startingWord, startingMessage)), list(whole(0, limits.records), limits.partitions)],
  startingMessage,
);

const kafkaSource = closed(
  {
    ...vertexEntries,
    type: v.literal("kafka-source"),
    topic: topicName,
    startingOffsets: v.optional(startingOffsets),
    groupId: v.optional(text(200)),
    isolationLevel: v.optional(oneOf(isolationLevels)),
    bounded: v.optional(flag),
    properties: v.optional(
      closed(
        {
          "commit.offsets.on.checkpoint": v.optional(flag),
          "enable.auto.commit": v.optional(flag),
          "auto.commit.interval.ms": v.optional(duration(1)),
          "partition.discovery.interval.ms": v.optional(duration()),
        },
        { "auto.offset.reset": "Flink's source overwrites it with what startingOffsets say (SK-010)." },
      ),
    ),
  },
  { outOfOrderness: "There are no watermarks yet." },
);

const fileSource = closed({
  ...vertexEntries,
  type: v.literal("file-source"),
  files: v.optional(whole(1, limits.partitions)),
  bounded: v.optional(flag),
  ...input,
});
const socketSource = closed({
  ...vertexEntries,
  type: v.literal("socket-source"),
  bounded: v.optional(flag),
  ...input,
});
const databaseSource = closed({
  ...vertexEntries,
  type: v.literal("database-source"),
  bounded: v.optional(flag),
  records: v.optional(whole(0, limits.records)),
  keys: input.keys,
  snapshotDuration: v.optional(duration()),
  incremental: v.optional(flag),
  changes: v.optional(whole(0, limits.records)),
  every: input.every,
});

const kafkaSink = closed({
  ...vertexEntries,
  type: v.literal("kafka-sink"),
  topic: topicName,
  delivery: v.optional(oneOf(deliveryGuarantees)),
  transactionalIdPrefix: v.optional(text(200)),
  transactionNaming: v.optional(oneOf(transactionNamings)),
  properties: v.optional(
    closed({
      "transaction.timeout.ms": v.optional(duration(1)),
      "linger.ms": v.optional(duration()),
      "delivery.timeout.ms": v.optional(duration(1)),
      "max.block.ms": v.optional(duration(1)),
    }),
  ),
  globalCommitter: v.optional(flag),
});

const twoPhaseCommitSink = closed({
  ...vertexEntries,
  type: v.literal("two-phase-commit-sink"),
  transactionTimeout: v.optional(duration(1)),
  ignoreFailuresAfterTransactionTimeout: v.optional(flag),
  databaseTimeout: v.optional(duration(1)),
});

const fileSink = closed({
  ...vertexEntries,
  type: v.literal("file-sink"),
  format: v.optional(oneOf(fileFormats)),
  maxPartSize: v.optional(size()),
  rolloverInterval: v.optional(duration(1)),
});

const tableSink = closed({
  ...vertexEntries,
  type: v.literal("table-sink"),
  remembers: v.optional(oneOf(["highest-checkpoint-id", "job-operator-checkpoint"])),
  guard: v.optional(oneOf(["when-restored", "always"])),
  topology: v.optional(oneOf(["sink", "operators"])),
  failsAfterRecommit: v.optional(flag),
});

const vertexTypes = [
  "kafka-source",
  "file-source",
  "socket-source",
  "database-source",
  "map",
  "filter",
  "flat-map",
  "union",
  "keyed-sum",
  "keyed-count",
  "dedup",
  "kafka-sink",
  "append-sink",
  "print-sink",
  "naive-sink",
  "upsert-sink",
  "two-phase-commit-sink",
  "file-sink",
  "write-ahead-log-sink",
  "table-sink",
] as const;
const laterTypes = notYet(["co-map", "window-count", "event-time-window"], "");

const vertexSchema = v.variant(
  "type",
  [
    kafkaSource,
    fileSource,
    socketSource,
    databaseSource,
    closed({ ...vertexEntries, type: v.literal("map"), counter: v.optional(flag) }),
    transform("filter"),
    closed({ ...vertexEntries, type: v.literal("flat-map"), fanOut: v.optional(whole(1, 16)) }),
    transform("union"),
    transform("keyed-sum"),
    transform("keyed-count"),
    closed({ ...vertexEntries, type: v.literal("dedup"), ids: v.optional(oneOf(["in-state", "outside"])) }),
    kafkaSink,
    transform("append-sink"),
    transform("print-sink"),
    transform("naive-sink"),
    transform("upsert-sink"),
    twoPhaseCommitSink,
    fileSink,
    transform("write-ahead-log-sink"),
    tableSink,
  ],
  ({ input, path }) => (path === undefined ? "Must be an object: { … }." : wordMessage(input, vertexTypes, laterTypes)),
);

const edgeSchema = closed(
  {
    from: text(100),
    to: text(100),
    ship: v.optional(oneOf(shipStrategies)),
    latency: v.optional(duration()),
    capacity: v.optional(whole(1, 10_000)),
    exchange: v.optional(oneOf(exchanges)),
  },
  { input: "No vertex has two inputs yet." },
);

export const jobSchema = closed({
  name: v.optional(text(200)),
  maxParallelism: v.optional(whole(1, 32_768)),
  vertices: v.pipe(list(vertexSchema, limits.vertices), v.minLength(1, "A job has at least one vertex.")),
  edges: v.optional(list(edgeSchema, limits.edges)),
});

/** Other producers' transactions: so many records each, committed so long behind the last of them. */
const transactions = closed({ records: whole(1, limits.records), open: duration() });

const topicSchema = closed({
  partitions: v.optional(
    v.lazy((given) => {
      const width = whole(1, limits.partitions);
      const each = v.pipe(
        list(closed(input), limits.partitions),
        v.minLength(1, "A topic has at least one partition."),
      );
      return given === undefined ? v.union([width, each]) : Array.isArray(given) ? each : width;
    }),
  ),
  ...input,
  transactions: v.optional(transactions),
  background: v.optional(closed({ every: duration(1) })),
  "transaction.max.timeout.ms": v.optional(duration(1)),
});

const parts = { "snapshot.sync": v.optional(duration()), "snapshot.async": v.optional(duration()) };
const otherDurations = {
  network: v.optional(duration()),
  rpc: v.optional(duration()),
  deploy: v.optional(duration()),
  cancel: v.optional(duration()),
  restore: v.optional(duration()),
  "restore.local": v.optional(duration()),
  commit: v.optional(duration()),
  initTransactions: v.optional(duration()),
  markers: v.optional(duration()),
  "heartbeat.detect": v.optional(duration()),
  "taskmanager.heartbeat.detect": v.optional(duration()),
  "jobmanager.takeover": v.optional(duration()),
};

const timingSchema = closed({
  ...parts,
  ...otherDurations,
  "upload.bytesPerSecond": v.optional(whole(1, 2_000_000_000)),
  overrides: v.optional(
    list(
      closed(
        {
          vertex: text(100),
          index: v.optional(whole(0, limits.parallelism - 1)),
          checkpoint: v.optional(whole(1, 65_535)),
          ...parts,
        },
        notYet(Object.keys(otherDurations), "Only snapshot.sync and snapshot.async can be overridden."),
      ),
      1000,
    ),
  ),
});

const scalar = v.union(
  [v.string(), v.number(), v.boolean()],
  "Must be a text, a number, or true or false; Flink's keys are written flat, with dots.",
);

const deviation = v.strictTuple([whole(0, 2 ** 31 - 1), whole(0, 9999)], "Must be [step, choice], two whole numbers.");
const ascending = v.check(
  (all: [number, number][]) => all.every(([step], i) => i === 0 || step >= (all[i - 1]?.[0] ?? 0)),
  "Steps must not go back.",
);

/** Every key of a scenario file. */
export const sections = {
  $schema: v.optional(v.string("Must be a text.")),
  format: v.literal(1, "Must be 1: the only format of scenario files there is."),
  id: v.optional(
    v.pipe(text(100), v.regex(/^[A-Za-z0-9._-]+$/, 'An id is made of letters, digits, ".", "_" and "-".')),
  ),
  title: v.optional(closed({ en: v.optional(text(200)), zh: v.optional(text(200)) })),
  flink: v.optional(oneOf(flinkVersions)),
  seed: v.optional(whole(0, 2 ** 32 - 1)),
  job: jobSchema,
  cluster: v.optional(
    closed({ taskManagers: v.optional(whole(1, limits.taskManagers)), slots: v.optional(whole(1, 10_000)) }),
  ),
  topics: v.optional(v.record(topicName, topicSchema, "Must be an object: a key a topic.")),
  config: v.optional(v.record(text(200), scalar, "Must be an object of Flink's keys and their values.")),
  timing: v.optional(timingSchema),
  broker: v.optional(
    closed({
      "transaction.max.timeout.ms": v.optional(duration(1)),
      "transaction.abort.timed.out.transaction.cleanup.interval.ms": v.optional(duration(1)),
      "transactional.id.expiration.ms": v.optional(duration(1)),
      "transaction.remove.expired.transaction.cleanup.interval.ms": v.optional(duration(1)),
    }),
  ),
  initialDelay: v.optional(duration()),
  faults: v.optional(list(faultSchema, limits.faults)),
  schedule: v.optional(v.pipe(list(deviation, limits.scheduled), ascending)),
  broken: v.optional(list(oneOf(brokenRules, { "non-fifo": "Channels keep their order." }), 100)),
  until: v.optional(untilSchema),
};

export const scenarioSchema = closed(sections);

/** Each key as its schema reads it. */
export type Sections = { readonly [K in keyof typeof sections]: v.InferOutput<(typeof sections)[K]> };
export type JobSource = Sections["job"];
export type VertexSource = JobSource["vertices"][number];
export type EdgeSource = NonNullable<JobSource["edges"]>[number];
export type TopicSource = v.InferOutput<typeof topicSchema>;
export type TimingSource = NonNullable<Sections["timing"]>;
