/**
 * Flink's options as far as this tool knows them (`CheckpointingOptions`, `RestartStrategyOptions`, `JobManagerOptions`
 * and others): key, older spellings, kind, default. `effect` false: known to Flink, but a run of today does not depend on
 * it. Defaults that differ by version are in `config.ts`.
 */
export type OptionKind = "duration" | "int" | "float" | "bool" | "size" | "text" | readonly string[];

export interface Option {
  readonly key: string;
  readonly older: readonly string[];
  readonly kind: OptionKind;
  /** As Flink's documentation writes it; `null`: none. */
  readonly standard: string | null;
  readonly effect: boolean;
}

const option = (key: string, kind: OptionKind, standard: string | null, effect: boolean, ...older: string[]): Option => ({ key, older, kind, standard, effect });

export const restartStrategyNames = ["none", "off", "disable", "fixed-delay", "fixeddelay", "failure-rate", "failurerate", "exponential-delay", "exponentialdelay"] as const;

const ck = "execution.checkpointing";
const rs = "restart-strategy";

export const options: readonly Option[] = [
  option(`${ck}.interval`, "duration", null, true),
  option(`${ck}.mode`, ["EXACTLY_ONCE", "AT_LEAST_ONCE"], "EXACTLY_ONCE", true),
  option(`${ck}.timeout`, "duration", "10 min", true),
  option(`${ck}.min-pause`, "duration", "0 ms", true),
  option(`${ck}.max-concurrent-checkpoints`, "int", "1", true),
  option(`${ck}.tolerable-failed-checkpoints`, "int", "0", true),
  option(`${ck}.num-retained`, "int", "1", true, "state.checkpoints.num-retained"),
  option(`${ck}.externalized-checkpoint-retention`, ["NO_EXTERNALIZED_CHECKPOINTS", "DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION"], "NO_EXTERNALIZED_CHECKPOINTS", false),
  option(`${ck}.unaligned.enabled`, "bool", "false", true, `${ck}.unaligned`),
  option(`${ck}.aligned-checkpoint-timeout`, "duration", "0 ms", false, `${ck}.alignment-timeout`),
  option(`${ck}.interval-during-backlog`, "duration", null, false),
  option(`${ck}.unaligned.forced`, "bool", "false", false),
  option(`${ck}.checkpoints-after-tasks-finish`, "bool", "true", false, `${ck}.checkpoints-after-tasks-finish.enabled`),
  option(`${ck}.storage`, "text", null, false, "state.checkpoint-storage"),
  option(`${ck}.dir`, "text", null, false, "state.checkpoints.dir"),
  option(`${ck}.savepoint-dir`, "text", null, false, "state.savepoints.dir"),
  option(`${ck}.incremental`, "bool", "false", false, "state.backend.incremental"),
  option(`${ck}.data-inline-threshold`, "size", "20 kb", false, "state.storage.fs.memory-threshold"),
  option("state.backend.type", "text", "hashmap", false, "state.backend"),
  option("execution.state-recovery.path", "text", null, false, "execution.savepoint.path"),
  option("execution.state-recovery.claim-mode", ["CLAIM", "NO_CLAIM", "LEGACY"], "NO_CLAIM", false, "execution.savepoint-restore-mode"),
  option("execution.state-recovery.from-local", "bool", "false", false, "state.backend.local-recovery"),
  option(`${rs}.type`, restartStrategyNames, null, true, rs),
  option(`${rs}.fixed-delay.attempts`, "int", "1", true),
  option(`${rs}.fixed-delay.delay`, "duration", "1 s", true),
  option(`${rs}.failure-rate.max-failures-per-interval`, "int", "1", true),
  option(`${rs}.failure-rate.failure-rate-interval`, "duration", "1 min", true),
  option(`${rs}.failure-rate.delay`, "duration", "1 s", true),
  option(`${rs}.exponential-delay.initial-backoff`, "duration", "1 s", true),
  option(`${rs}.exponential-delay.max-backoff`, "duration", null, true),
  option(`${rs}.exponential-delay.backoff-multiplier`, "float", null, true),
  option(`${rs}.exponential-delay.reset-backoff-threshold`, "duration", "1 h", true),
  option(`${rs}.exponential-delay.jitter-factor`, "float", "0.1", true),
  option(`${rs}.exponential-delay.attempts-before-reset-backoff`, "int", "2147483647", true),
  option("jobmanager.execution.failover-strategy", ["region", "full"], "region", true),
  option("slot.request.timeout", "duration", "5 min", true),
  option("heartbeat.interval", "duration", "10 s", false),
  option("heartbeat.timeout", "duration", "50 s", false),
  option("heartbeat.rpc-failure-threshold", "int", "2", false),
  option("task.cancellation.interval", "duration", "30 s", false),
  option("task.cancellation.timeout", "duration", "180 s", false),
  option("taskmanager.numberOfTaskSlots", "int", "1", false),
  option("slot.idle.timeout", "duration", "50 s", false),
  option("high-availability.type", "text", "NONE", false),
  option("high-availability.storageDir", "text", null, false),
  option("sink.committer.retries", "int", "10", false),
  option("pipeline.max-parallelism", "int", null, true),
  option("taskmanager.network.memory.buffers-per-channel", "int", "2", false),
  option("taskmanager.network.memory.floating-buffers-per-gate", "int", "8", false),
  option("taskmanager.memory.segment-size", "size", "32 kb", false),
  option("web.checkpoints.history", "int", "10", false),
];

export const optionKeys: readonly string[] = options.map(({ key }) => key);

/** The option that a key names, by its own or an older spelling. */
export function findOption(key: string): Option | undefined {
  return options.find((candidate) => candidate.key === key || candidate.older.includes(key));
}
