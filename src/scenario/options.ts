/**
 * Flink's options as far as this program knows them (`CheckpointingOptions`, `RestartStrategyOptions`,
 * `StateRecoveryOptions`, `JobManagerOptions` and others; checkpointing.md section 18, recovery-and-sinks.md section 14):
 * spellings, kind, default. An option that a run of today does not depend on is known too, and a scenario that sets it is
 * told so.
 */
import type { Config, FlinkVersion } from "./scenario.ts";

export type OptionKind = "duration" | "int" | "double" | "boolean" | "size" | "string" | readonly string[];

export interface Option {
  /** The newest spelling. */
  readonly key: string;
  /** Spellings before it, newest first; Flink still reads them. */
  readonly older: readonly string[];
  /** The version that brought the newest spelling; before it the first of the older ones is the one to use. */
  readonly renamedIn: FlinkVersion | null;
  /** The first version that has the option. */
  readonly since: FlinkVersion;
  /** The first version that has it no more; it takes no notice of the key. */
  readonly goneIn: FlinkVersion | null;
  readonly kind: OptionKind;
  /** As Flink's documentation writes it; `null`: none. */
  readonly standard: string | null;
  /** Does a run of today depend on it? */
  readonly effect: boolean;
  /** The only values that are simulated, and what is said of others; `null`: all are. */
  readonly only: { readonly values: readonly string[]; readonly instead: string } | null;
}

type Details = Partial<Omit<Option, "key" | "kind" | "standard" | "effect">>;

function option(key: string, kind: OptionKind, standard: string | null, effect: boolean, details: Details): Option {
  return {
    older: [],
    renamedIn: null,
    since: "1.18",
    goneIn: null,
    only: null,
    ...details,
    key,
    kind,
    standard,
    effect,
  };
}

const followed = (key: string, kind: OptionKind, standard: string | null, details: Details = {}): Option =>
  option(key, kind, standard, true, details);
const known = (key: string, kind: OptionKind, standard: string | null, details: Details = {}): Option =>
  option(key, kind, standard, false, details);
/** Flink 1.20 brought the options of state, checkpoints and recovery under two prefixes (FLIP-406). */
const in120 = (...older: string[]): Details => ({ older, renamedIn: "1.20" });

const ck = "execution.checkpointing";
const rs = "restart-strategy";
const sr = "execution.state-recovery";
const network = "taskmanager.network.memory";

export const options: readonly Option[] = [
  followed(`${ck}.interval`, "duration", null),
  followed(`${ck}.mode`, ["EXACTLY_ONCE", "AT_LEAST_ONCE"], "EXACTLY_ONCE"),
  followed(`${ck}.timeout`, "duration", "10 min"),
  followed(`${ck}.min-pause`, "duration", "0 ms"),
  followed(`${ck}.max-concurrent-checkpoints`, "int", "1"),
  followed(`${ck}.tolerable-failed-checkpoints`, "int", "0"),
  followed(`${ck}.num-retained`, "int", "1", in120("state.checkpoints.num-retained")),
  followed(
    `${ck}.externalized-checkpoint-retention`,
    ["NO_EXTERNALIZED_CHECKPOINTS", "DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION"],
    "NO_EXTERNALIZED_CHECKPOINTS",
  ),
  followed(`${ck}.unaligned.enabled`, "boolean", "false", { older: [`${ck}.unaligned`] }),
  known(`${ck}.interval-during-backlog`, "duration", null, { since: "1.20" }),
  followed(`${ck}.aligned-checkpoint-timeout`, "duration", "0 ms", { older: [`${ck}.alignment-timeout`] }),
  known(`${ck}.unaligned.forced`, "boolean", "false"),
  known(`${ck}.unaligned.max-subtasks-per-channel-state-file`, "int", "5"),
  known(`${ck}.unaligned.interruptible-timers.enabled`, "boolean", "false", { since: "1.20" }),
  known(`${ck}.during-recovery.enabled`, "boolean", "false", { since: "2.3" }),
  known(`${ck}.unaligned.recover-output-on-downstream.enabled`, "boolean", "false", { since: "2.3" }),
  followed(
    `${ck}.checkpoints-after-tasks-finish`,
    "boolean",
    "true",
    in120(`${ck}.checkpoints-after-tasks-finish.enabled`),
  ),
  followed(`${ck}.storage`, ["jobmanager", "filesystem"], null, in120("state.checkpoint-storage")),
  followed(`${ck}.dir`, "string", null, in120("state.checkpoints.dir")),
  followed(`${ck}.create-subdir`, "boolean", "true", { ...in120("state.checkpoints.create-subdir"), since: "1.20" }),
  followed(`${ck}.savepoint-dir`, "string", null, in120("state.savepoints.dir")),
  followed(`${ck}.incremental`, "boolean", "false", in120("state.backend.incremental")),
  followed(`${ck}.data-inline-threshold`, "size", "20 kb", in120("state.storage.fs.memory-threshold")),
  known(`${ck}.write-buffer-size`, "int", "4096", in120("state.storage.fs.write-buffer-size")),
  known(`${ck}.local-backup.enabled`, "boolean", "false", { since: "1.20" }),
  known(`${ck}.file-merging.enabled`, "boolean", "false", { since: "1.20" }),
  known(`${ck}.snapshot-compression`, "boolean", "false"),
  known(`${ck}.cleaner.parallel-mode`, "boolean", "true", {
    ...in120("state.checkpoint.cleaner.parallel-mode"),
    since: "1.20",
  }),
  followed(`${sr}.path`, "string", null, {
    ...in120("execution.savepoint.path"),
    only: { values: [], instead: "Every run begins without state; leave the key out." },
  }),
  followed(
    `${sr}.without-channel-state.checkpoint-id`,
    "int",
    "-1",
    in120(`${ck}.recover-without-channel-state.checkpoint-id`),
  ),
  known(`${sr}.claim-mode`, ["CLAIM", "NO_CLAIM", "LEGACY"], "NO_CLAIM", in120("execution.savepoint-restore-mode")),
  known(`${sr}.ignore-unclaimed-state`, "boolean", "false", in120("execution.savepoint.ignore-unclaimed-state")),
  followed(`${sr}.from-local`, "boolean", "false", in120("state.backend.local-recovery")),
  followed("state.backend.type", ["hashmap", "rocksdb", "forst"], "hashmap", {
    older: ["state.backend"],
    only: { values: ["hashmap", "rocksdb"], instead: "State lives on the heap or on local disk." },
  }),
  followed("state.changelog.enabled", "boolean", "false", in120("state.backend.changelog.enabled")),
  followed(
    "state.changelog.periodic-materialize.interval",
    "duration",
    "10 min",
    in120("state.backend.changelog.periodic-materialize.interval"),
  ),
  followed(`${rs}.type`, "string", null, { older: [rs] }),
  followed(`${rs}.fixed-delay.attempts`, "int", "1"),
  followed(`${rs}.fixed-delay.delay`, "duration", "1 s"),
  followed(`${rs}.failure-rate.max-failures-per-interval`, "int", "1"),
  followed(`${rs}.failure-rate.failure-rate-interval`, "duration", "1 min"),
  followed(`${rs}.failure-rate.delay`, "duration", "1 s"),
  followed(`${rs}.exponential-delay.initial-backoff`, "duration", "1 s"),
  followed(`${rs}.exponential-delay.max-backoff`, "duration", "1 min"),
  followed(`${rs}.exponential-delay.backoff-multiplier`, "double", "1.5"),
  followed(`${rs}.exponential-delay.reset-backoff-threshold`, "duration", "1 h"),
  followed(`${rs}.exponential-delay.jitter-factor`, "double", "0.1"),
  followed(`${rs}.exponential-delay.attempts-before-reset-backoff`, "int", "2147483647", { since: "1.20" }),
  followed("jobmanager.execution.failover-strategy", ["region", "full"], "region"),
  known("jobmanager.scheduler", ["Default", "Adaptive", "AdaptiveBatch"], null, {
    only: { values: ["Default"], instead: "Slots and regions are those of the default scheduler." },
  }),
  followed("slot.request.timeout", "duration", "5 min"),
  followed("heartbeat.timeout", "duration", "50 s"),
  followed("heartbeat.interval", "duration", "10 s"),
  followed("heartbeat.rpc-failure-threshold", "int", "2"),
  known("task.cancellation.interval", "duration", "30 s"),
  followed("task.cancellation.timeout", "duration", "180 s"),
  followed("taskmanager.numberOfTaskSlots", "int", null),
  known("slot.idle.timeout", "duration", "50 s"),
  followed("high-availability.type", "string", "NONE", { older: ["high-availability"] }),
  known("high-availability.storageDir", "string", null),
  followed("sink.committer.retries", "int", "10", { since: "1.20" }),
  followed("parallelism.default", "int", "1"),
  followed("pipeline.max-parallelism", "int", null),
  followed("pipeline.operator-chaining.enabled", "boolean", "true", {
    older: ["pipeline.operator-chaining"],
  }),
  known("execution.runtime-mode", ["STREAMING", "BATCH", "AUTOMATIC"], "STREAMING", {
    only: { values: ["STREAMING"], instead: "Every job is a streaming job." },
  }),
  known(`${network}.buffers-per-channel`, "int", "2", { goneIn: "2.2" }),
  known(`${network}.floating-buffers-per-gate`, "int", "8", { goneIn: "2.2" }),
  known(`${network}.max-buffers-per-channel`, "int", "10", { goneIn: "2.2" }),
  known("taskmanager.network.memory.buffer-debloat.enabled", "boolean", "false"),
  known("taskmanager.memory.segment-size", "size", "32 kb"),
  followed("web.checkpoints.history", "int", "10"),
];

const byKey = new Map(options.flatMap((entry) => [entry.key, ...entry.older].map((key) => [key, entry] as const)));

/** The option that a key names, by any of its spellings. */
export function findOption(key: string): Option | undefined {
  return byKey.get(key);
}

export const optionKeys: readonly string[] = [...byKey.keys()];

/** Exponential delay had other defaults before 1.19 (FR-065). */
const defaultsOf118: { readonly [key: string]: string } = {
  [`${rs}.exponential-delay.max-backoff`]: "5 min",
  [`${rs}.exponential-delay.backoff-multiplier`]: "2.0",
};

/** An option's default in a version, as Flink's documentation writes it. */
export function standardOf({ key, standard }: Option, version: FlinkVersion): string | null {
  return version === "1.18" ? (defaultsOf118[key] ?? standard) : standard;
}

/** How a version calls an option. */
export function spellingOf({ key, older, renamedIn }: Option, version: FlinkVersion): string {
  return renamedIn !== null && isBefore(version, renamedIn) ? (older[0] ?? key) : key;
}

/** The value of an option that is in force, by its newest spelling; `null`: it has none. */
export function optionInForce(
  { flink, config }: { readonly flink: FlinkVersion; readonly config: Pick<Config, "effective"> },
  key: string,
): string | null {
  const entry = options.find((candidate) => candidate.key === key);
  const spelling = entry === undefined ? key : spellingOf(entry, flink);
  return config.effective.find((effective) => effective.key === spelling)?.value ?? null;
}

/** Is it one of the version's options? */
export function isIn({ since, goneIn }: Option, version: FlinkVersion): boolean {
  return !isBefore(version, since) && (goneIn === null || isBefore(version, goneIn));
}

export function isBefore(a: FlinkVersion, b: FlinkVersion): boolean {
  return Number(a) < Number(b);
}
