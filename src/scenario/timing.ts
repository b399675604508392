/** The durations of the model (the contract's `timing`), with their defaults, in milliseconds. */
import { at } from "../base/assert.ts";
import type { Heartbeat } from "./config.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { JobGraph } from "../protocol/job-graph.ts";
import { oneOfNames } from "./nearest.ts";
import type { Problems } from "./problems.ts";
import type { Timing, TimingOverride } from "./scenario.ts";
import type { TimingSource } from "./schema.ts";

/** `heartbeat` comes of Flink's options; `heartbeat.detect` wins over it. */
export function timingOf(source: TimingSource, job: JobGraph, heartbeat: Heartbeat, problems: Problems): Timing {
  const detect = source["heartbeat.detect"];
  const heartbeatDetect = detect ?? heartbeat.timeout;
  return {
    network: source.network ?? 2,
    rpc: source.rpc ?? 1,
    snapshotSync: source["snapshot.sync"] ?? 1,
    snapshotAsync: source["snapshot.async"] ?? 20,
    uploadBytesPerSecond: source["upload.bytesPerSecond"] ?? 0,
    deploy: source.deploy ?? 50,
    cancel: source.cancel ?? 5,
    restore: source.restore ?? 10,
    localRestore: Math.min(source["restore.local"] ?? 1, source.restore ?? 10),
    commit: source.commit ?? 2,
    initTransactions: source.initTransactions ?? 5,
    markers: source.markers ?? 0,
    heartbeatDetect,
    unreachableDetect: detect ?? heartbeat.unreachable,
    leaderDetect: source["taskmanager.heartbeat.detect"] ?? heartbeatDetect,
    takeover: source["jobmanager.takeover"] ?? 5000,
    overrides: (source.overrides ?? []).map((override, index) => overrideOf(override, index, job, problems)),
  };
}

type OverrideSource = NonNullable<TimingSource["overrides"]>[number];

/** The parts of a checkpoint are a task's, so a member of a chain stands for the chain's head. */
export function byHeads(timing: Timing, graph: ExecutionGraph): Timing {
  const heads = new Map(
    graph.operators.map(({ vertex, taskVertex }) => [vertex.uid, at(graph.vertices, taskVertex).uid]),
  );
  return {
    ...timing,
    overrides: timing.overrides.map((override) => ({
      ...override,
      vertex: heads.get(override.vertex) ?? override.vertex,
    })),
  };
}

function overrideOf(source: OverrideSource, index: number, { vertices }: JobGraph, problems: Problems): TimingOverride {
  const path = ["timing", "overrides", index];
  const vertex = vertices.find(({ uid }) => uid === source.vertex);
  if (vertex === undefined)
    problems.add(
      [...path, "vertex"],
      source.vertex,
      `No vertex has this uid.${oneOfNames(
        source.vertex,
        vertices.map(({ uid }) => uid),
      )}`,
    );
  else if (source.index !== undefined && source.index >= vertex.parallelism)
    problems.add([...path, "index"], source.index, `${vertex.uid} has subtasks 0 to ${vertex.parallelism - 1}.`);
  return {
    vertex: source.vertex,
    index: source.index ?? null,
    checkpoint: source.checkpoint ?? null,
    snapshotSync: source["snapshot.sync"] ?? null,
    snapshotAsync: source["snapshot.async"] ?? null,
  };
}
