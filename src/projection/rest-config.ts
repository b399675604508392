/** The checkpointing configuration as Flink's REST API reports it (`CheckpointConfigHandler`; CP-219), and where files are. */
import { parseDuration } from "../scenario/durations.ts";
import { optionInForce } from "../scenario/options.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** The id of the one job that there is, as with Flink's application mode. */
export const JOB_ID = "0".repeat(32);

export interface CheckpointConfigInfo {
  readonly mode: string;
  /** Milliseconds; `Long.MAX_VALUE` where there are no periodic checkpoints. */
  readonly interval: number | "Long.MAX_VALUE";
  readonly timeout: number;
  readonly min_pause: number;
  readonly max_concurrent: number;
  readonly externalization: { readonly enabled: boolean; readonly delete_on_cancellation: boolean };
  readonly state_backend: string;
  readonly checkpoint_storage: string;
  readonly unaligned_checkpoints: boolean;
  readonly tolerable_failed_checkpoints: number;
  readonly aligned_checkpoint_timeout: number;
  readonly checkpoints_after_tasks_finish: boolean;
  readonly state_changelog_enabled: boolean;
  readonly changelog_periodic_materialization_interval: number;
  readonly changelog_storage: string;
  readonly [name: string]: string | number | boolean | { readonly [name: string]: boolean };
}

const ck = (name: string): string => `execution.checkpointing.${name}`;
const backends = { hashmap: "HashMapStateBackend", rocksdb: "EmbeddedRocksDBStateBackend" } as const;
const storages = { jobmanager: "JobManagerCheckpointStorage", filesystem: "FileSystemCheckpointStorage" } as const;

export function checkpointConfig(scenario: Scenario): CheckpointConfigInfo {
  const { checkpointing, state } = scenario.config;
  const text = (key: string): string => optionInForce(scenario, key) ?? "";
  const milliseconds = (key: string): number => parseDuration(text(key)) ?? 0;
  const retention = text(ck("externalized-checkpoint-retention")).toUpperCase();
  return {
    mode: checkpointing.mode.toLowerCase(),
    interval: checkpointing.interval ?? "Long.MAX_VALUE",
    timeout: checkpointing.timeout,
    min_pause: checkpointing.minPause,
    max_concurrent: checkpointing.maxConcurrent,
    externalization: {
      enabled: retention !== "NO_EXTERNALIZED_CHECKPOINTS",
      delete_on_cancellation: retention !== "RETAIN_ON_CANCELLATION",
    },
    state_backend: backends[state.backend],
    checkpoint_storage: storages[state.storage],
    unaligned_checkpoints: text(ck("unaligned.enabled")) === "true",
    tolerable_failed_checkpoints: checkpointing.tolerableFailed,
    aligned_checkpoint_timeout: milliseconds(ck("aligned-checkpoint-timeout")),
    checkpoints_after_tasks_finish: text(ck("checkpoints-after-tasks-finish")) === "true",
    state_changelog_enabled: state.changelog,
    changelog_periodic_materialization_interval: milliseconds("state.changelog.periodic-materialize.interval"),
    // `state.changelog.storage` is no option of a scenario: the default.
    changelog_storage: "memory",
  };
}

/** Where a checkpoint lies, as Flink shows it. */
export function externalPath({ config: { state } }: Scenario, checkpoint: number): string {
  if (state.storage === "jobmanager" || state.dir === null) return "<checkpoint-not-externally-addressable>";
  const base = state.dir.replace(/\/$/, "");
  return `${base}${state.createSubdir ? `/${JOB_ID}` : ""}/chk-${checkpoint}`;
}
