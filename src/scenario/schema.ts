/**
 * The structure of a scenario file, declared once: what `parse` checks first, and what the JSON Schema is made from.
 * Values that need more than their type (durations, uids, Flink's options) are strings here and read afterwards.
 */
import * as v from "valibot";
import { deliveryGuarantees, shipStrategies } from "../protocol/job-graph.ts";
import { faultVerbs, rpcs } from "../protocol/reasons.ts";
import { brokenRules, flinkVersions } from "./scenario.ts";

const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const duration = v.pipe(v.union([v.string(), v.number()]), v.description('Flink duration, such as "500 ms" or "10 s"; a bare number is milliseconds'));
const whole = (least: number, most: number): v.GenericSchema<number, number> => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const word = v.pipe(v.string(), v.minLength(1), v.maxLength(100));
const title = v.strictObject({ en: v.pipe(v.string(), v.maxLength(200)), zh: v.optional(v.pipe(v.string(), v.maxLength(200))) });
const properties = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]));

export const limits = { characters: 2_000_000, vertices: 100, parallelism: 512, records: 1_000_000, partitions: 512, faults: 1000, taskManagers: 512 } as const;

const vertexBase = {
  uid: v.pipe(word, v.regex(/^[^[\]>@\s]+$/u, "no blanks, brackets, @ or >")),
  name: v.optional(v.pipe(v.string(), v.maxLength(200))),
  parallelism: v.optional(whole(1, limits.parallelism)),
  cost: v.optional(duration),
  chain: v.optional(v.boolean()),
  slotSharingGroup: v.optional(word),
  stateSize: v.optional(v.union([v.string(), v.number()])),
  generated: v.optional(v.boolean()),
};
const transform = <T extends string>(type: T) => v.strictObject({ ...vertexBase, type: v.literal(type) });

export const vertexSchema = v.variant("type", [
  v.strictObject({
    ...vertexBase, type: v.literal("kafka-source"), topic: word, startingOffsets: v.optional(v.union([v.string(), v.array(v.number())])),
    groupId: v.optional(word), isolationLevel: v.optional(v.picklist(["read_uncommitted", "read_committed"])),
    bounded: v.optional(v.boolean()), properties: v.optional(properties), outOfOrderness: v.optional(duration),
  }),
  v.strictObject({ ...vertexBase, type: v.literal("map"), counter: v.optional(v.boolean()) }),
  transform("filter"),
  v.strictObject({ ...vertexBase, type: v.literal("flat-map"), fanOut: v.optional(whole(1, 16)) }),
  transform("union"),
  transform("keyed-sum"),
  transform("keyed-count"),
  v.strictObject({
    ...vertexBase, type: v.literal("kafka-sink"), topic: word, delivery: v.optional(v.picklist(deliveryGuarantees)),
    transactionalIdPrefix: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(64_000))),
    transactionNaming: v.optional(v.picklist(["incrementing", "pooling"])), properties: v.optional(properties), globalCommitter: v.optional(v.boolean()),
  }),
]);

export const edgeSchema = v.strictObject({
  from: word, to: word, ship: v.picklist(shipStrategies), input: v.optional(whole(1, 2)), latency: v.optional(duration),
  capacity: v.optional(whole(1, 10_000)), exchange: v.optional(v.picklist(["PIPELINED", "PIPELINED_BOUNDED", "BLOCKING"])),
});

const literalRecord = v.strictObject({ key: v.pipe(v.string(), v.maxLength(200)), value: v.optional(whole(-1_000_000_000, 1_000_000_000)), eventTime: v.optional(v.number()) });
const count = v.union([whole(0, limits.records), v.literal("unbounded")]);
const partitionSchema = v.strictObject({ records: v.optional(count), every: v.optional(duration), values: v.optional(v.array(literalRecord)) });

export const topicSchema = v.strictObject({
  partitions: v.optional(v.union([whole(1, limits.partitions), v.pipe(v.array(partitionSchema), v.minLength(1), v.maxLength(limits.partitions))])),
  records: v.optional(count), every: v.optional(duration), keys: v.optional(whole(1, 100_000)), values: v.optional(v.array(literalRecord)),
  background: v.optional(v.strictObject({ every: duration })), "transaction.max.timeout.ms": v.optional(duration),
});

const durations = {
  network: v.optional(duration), rpc: v.optional(duration), "snapshot.sync": v.optional(duration), "snapshot.async": v.optional(duration),
  deploy: v.optional(duration), cancel: v.optional(duration), restore: v.optional(duration), commit: v.optional(duration),
  initTransactions: v.optional(duration), "heartbeat.detect": v.optional(duration), "jobmanager.takeover": v.optional(duration),
};
const override = v.strictObject({ vertex: word, index: v.optional(whole(0, limits.parallelism)), checkpoint: v.optional(whole(1, 65_535)), "snapshot.sync": v.optional(duration), "snapshot.async": v.optional(duration) });

const moment = v.record(v.string(), scalar);
export const faultSchema = v.strictObject({
  at: v.pipe(moment, v.description('{ "time": … }, { "step": … }, or { "before" | "after": EVENT, …fields it must have, "nth": 1 }')),
  do: v.picklist(faultVerbs),
  target: v.optional(v.pipe(v.string(), v.maxLength(300))),
  transaction: v.optional(v.string()),
  rpc: v.optional(v.picklist(rpcs)),
  checkpoint: v.optional(whole(1, 65_535)),
  count: v.optional(whole(1, 1_000_000)),
  for: v.optional(duration),
});

export const scenarioSchema = v.strictObject({
  $schema: v.optional(v.string()),
  format: v.literal(1),
  id: v.optional(v.pipe(v.string(), v.maxLength(100))),
  title: v.optional(title),
  tags: v.optional(v.array(v.string())),
  flink: v.optional(v.picklist(flinkVersions)),
  seed: v.optional(whole(0, 2_147_483_647)),
  job: v.strictObject({
    name: v.optional(v.pipe(v.string(), v.maxLength(200))), maxParallelism: v.optional(whole(1, 32_768)),
    vertices: v.pipe(v.array(vertexSchema), v.minLength(1), v.maxLength(limits.vertices)), edges: v.optional(v.pipe(v.array(edgeSchema), v.maxLength(1000))),
  }),
  cluster: v.optional(v.strictObject({ taskManagers: v.optional(whole(1, limits.taskManagers)), slots: v.optional(whole(1, 10_000)) })),
  topics: v.optional(v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), topicSchema)),
  config: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  timing: v.optional(v.strictObject({ ...durations, overrides: v.optional(v.array(override)) })),
  broker: v.optional(v.strictObject({ "transaction.max.timeout.ms": v.optional(duration), "transaction.abort.timed.out.transaction.cleanup.interval.ms": v.optional(duration) })),
  initialDelay: v.optional(duration),
  faults: v.optional(v.pipe(v.array(faultSchema), v.maxLength(limits.faults))),
  broken: v.optional(v.array(v.picklist(brokenRules))),
  until: v.optional(v.union([v.literal("drained"), moment])),
});

export type ScenarioSource = v.InferOutput<typeof scenarioSchema>;
export type VertexSource = v.InferOutput<typeof vertexSchema>;
export type TopicSource = v.InferOutput<typeof topicSchema>;
export type FaultSource = v.InferOutput<typeof faultSchema>;

/** What the contract names and a run of today does not simulate: refused in other words than what nobody knows. */
export const notSimulated = {
  types: ["file-source", "socket-source", "database-source", "co-map", "window-count", "event-time-window", "dedup", "two-phase-commit-sink", "write-ahead-log-sink", "upsert-sink", "append-sink", "file-sink", "print-sink", "table-sink", "naive-sink"],
  verbs: ["poison-record", "kill-jobmanager", "slow", "partition", "heal", "snapshot-failure", "storage-down", "storage-up", "storage-corrupt", "broker-down", "broker-up", "sink-write-error", "commit-error", "expire-upload", "expire-table-snapshots", "add-partition", "trigger-savepoint", "stop-with-savepoint", "cancel", "cancel-with-savepoint", "restore", "expire-records", "rescale", "set-rate"],
  rules: ["non-fifo"],
} as const;
