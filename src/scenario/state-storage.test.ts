/** Where state lives and where snapshots go, as Flink reads its options (`checkpointing.md` 10.1). */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "./parse.ts";
import type { Scenario } from "./scenario.ts";

type Json = { readonly [key: string]: unknown };
const parsed = (config: Json, flink = "2.2", size?: unknown): ReturnType<typeof scenarioFrom> =>
  scenarioFrom({
    format: 1,
    flink,
    job: {
      vertices: [
        { uid: "S", type: "kafka-source", topic: "in" },
        { uid: "T", type: "keyed-sum", ...(size !== undefined && { stateSize: size }) },
        { uid: "K", type: "kafka-sink", topic: "out" },
      ],
      edges: [
        { from: "S", to: "T", ship: "hash" },
        { from: "T", to: "K" },
      ],
    },
    topics: { in: {}, out: {} },
    config: { "execution.checkpointing.interval": "1 s", ...config },
  });

function accepted(config: Json, flink?: string, size?: unknown): Scenario {
  const result = parsed(config, flink, size);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}
const refused = (config: Json): string[] => {
  const result = parsed(config);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
};
const told = (config: Json): string[] => accepted(config).notices.map(({ code, path }) => `${code} ${path}`);

describe("storage and backend", () => {
  test("CP-110: a directory chooses the file system; without one snapshots go to the JobManager; the backend is another matter", () => {
    const storage = (config: Json): string => {
      const { backend, storage: chosen } = accepted(config).config.state;
      return `${backend} ${chosen}`;
    };
    expect(storage({})).toBe("hashmap jobmanager");
    expect(storage({ "state.backend.type": "rocksdb" })).toBe("rocksdb jobmanager");
    expect(storage({ "execution.checkpointing.dir": "s3://b" })).toBe("hashmap filesystem");
    expect(storage({ "execution.checkpointing.dir": "s3://b", "execution.checkpointing.storage": "jobmanager" })).toBe(
      "hashmap jobmanager",
    );
  });

  test("CP-110: the older spellings are read", () => {
    const { state } = accepted(
      { "state.backend": "rocksdb", "state.checkpoints.dir": "s3://b", "state.backend.incremental": true },
      "1.18",
    ).config;
    expect(state).toMatchObject({ backend: "rocksdb", storage: "filesystem", dir: "s3://b", incremental: true });
  });

  test("CP-112: the file system without a directory is refused with Flink's reason", () => {
    expect(refused({ "execution.checkpointing.storage": "filesystem" })).toEqual([
      expect.stringContaining("The configuration does not specify the checkpoint directory"),
    ]);
  });

  test("CP-112: an inline threshold above 1 mb is ignored, as Flink does", () => {
    const key = "execution.checkpointing.data-inline-threshold";
    const threshold = (size: string): number => accepted({ [key]: size }).config.state.inlineThreshold;
    expect(["1 mb", "1025 kb", "4 kb", "0 b"].map(threshold)).toEqual([1_048_576, 20_480, 4096, 0]);
    expect(told({ [key]: "2 mb" })).toEqual([`VALUE_REPLACED config.${key}`]);
  });

  test("CP-113: hashmap has no incremental snapshots, and is said so", () => {
    const key = "execution.checkpointing.incremental";
    expect(accepted({ [key]: true }).config.state.incremental).toBe(false);
    expect(told({ [key]: true })).toEqual([`KEY_WITHOUT_EFFECT config.${key}`]);
    expect(accepted({ [key]: true, "state.backend.type": "rocksdb" }).config.state.incremental).toBe(true);
  });

  test("a backend that is not simulated is refused, and so is one that Flink does not know", () => {
    expect(refused({ "state.backend.type": "forst" })).toHaveLength(1);
    expect(refused({ "state.backend.type": "memory" })).toHaveLength(1);
  });

  test("stateSize is a memory size", () => {
    const size = (value: unknown): unknown => accepted({}, "2.2", value).job.vertices[1]?.stateSize;
    expect(["1 kb", "3 mb", "7", 12].map(size)).toEqual([1024, 3_145_728, 7, 12]);
    expect(parsed({}, "2.2", "2 gb").ok).toBe(false);
    expect(parsed({}, "2.2", "many").ok).toBe(false);
  });
});
