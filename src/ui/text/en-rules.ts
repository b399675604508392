/** What the configuration's rules say, and what their buttons are called. */
import { plural } from "./plural.ts";

export const enRules = {
  unalignedMode: {
    says: "Unaligned checkpoints need EXACTLY_ONCE, so they stay off.",
    switchMode: "Switch mode",
  },
  unalignedOff: "Turn unaligned off",
  unalignedConcurrent: {
    says: "Unaligned works with one checkpoint at a time.",
    one: "Set max-concurrent to 1",
  },
  alignedTimeout: {
    says: "This timeout only acts when unaligned is on.",
    on: "Turn unaligned on",
    clear: "Clear it",
  },
  pause: {
    says: (most: number) =>
      `The runtime accepts both: up to ${most} checkpoints may overlap, and the pause counts from the last completion only.`,
    keepPause: "Keep pause",
    keepConcurrency: "Keep concurrency",
  },
  noInterval: {
    sink: (uid: string) =>
      `Without checkpoints ${uid} commits nothing before the input ends: until then readers see nothing.`,
    restart: "Tasks will restart, their state will not come back: there are no checkpoints.",
    set: "Set an interval",
  },
  timeout: {
    says: (longest: number, timeout: number) =>
      `Checkpoints of this run take up to ${longest} ms; the timeout is ${timeout} ms. Those will expire.`,
    expired: (timeout: number) =>
      `No checkpoint of this run is complete, and one was not finished after ${timeout} ms. With this timeout the next will expire as well.`,
    raise: "Raise the timeout",
  },
  backlog: {
    says: (interval: string | null) => `Must be 0 (off) or at least the interval, ${interval}.`,
    set: "Set it to the interval",
    clear: "Clear it",
  },
  directory: {
    says: "Filesystem storage needs execution.checkpointing.dir.",
    set: "Set a directory",
  },
  onHeap: {
    says: "A new leader can read these checkpoints, but they live in the JobManager's heap, 5 MB per state at most.",
    use: "Use filesystem storage",
  },
  keyGroups: {
    says: (uid: string, groups: number, subtasks: number) =>
      `${uid} has ${plural(groups, "key group", "key groups")} and cannot run ${subtasks} subtasks.`,
    groups: (groups: number) => `Have ${groups} key groups`,
    subtasks: (subtasks: number) => `Run ${plural(subtasks, "subtask", "subtasks")}`,
  },
  restoredKeyGroups: {
    says: (groups: readonly number[], wanted: number) =>
      `Key groups are fixed by the snapshot (${groups.join(", ")}): started from one of this run, the job is refused with ${wanted}. Run again from the beginning, it has no snapshot.`,
    restore: (groups: number) => `Restore with ${groups}`,
    leave: "Leave it to the snapshot",
  },
  forward: {
    says: (from: string, a: number, to: string, b: number) =>
      `The job ships ${from} to ${to} by FORWARD, which needs equal parallelism (${a} ≠ ${b}).`,
    match: (parallelism: number) => `Match: ${parallelism}`,
  },
  dirtyReader: {
    says: (uid: string, topic: string) =>
      `${topic} is written in transactions: ${uid} also reads records that may be rolled back.`,
    use: "Use read_committed",
  },
  replayedValue: {
    says: (sink: string, operator: string) =>
      `With AT_LEAST_ONCE a replay may write a different value: ${operator} may count a record twice, and ${sink} keeps what came last.`,
  },
  adaptive: {
    says: "The adaptive scheduler restarts everything; region has no effect.",
    use: "Use the default scheduler",
  },
  aligned: (kept: number, all: number) =>
    `${kept} of ${all} connections stay aligned: pointwise, broadcast, or inside a sink.`,
  oldKey: {
    says: (old: string, current: string) => `${old} is now ${current}.`,
    rename: "Rename",
  },
  least: {
    says: (key: string, bound: string) => `${key} must be at least ${bound}.`,
    set: (bound: string) => `Set ${bound}`,
  },
  lifetime: {
    broker: (most: number) => `The broker allows at most ${most} ms; the sink fails at every start.`,
    topic: (most: number, topic: string) =>
      `The topic ${topic} allows at most ${most} ms; the sink fails at every start.`,
    lower: "Lower the client value",
    raiseBroker: "Raise the broker's",
    early:
      "A transaction that gets records early in the interval ends before the checkpoint that should commit it. Its records are lost.",
    above: (interval: number) => `Raise it above ${interval} ms`,
    short: (need: number, have: number, gap: number) =>
      `A transaction may live ${need} ms; Kafka gives it ${have} ms. After an outage longer than ${gap} ms its records are lost.`,
    raise: (need: number) => `Raise to ${need} ms`,
  },
  prefix: {
    says: "These sinks would fence each other.",
    own: "Give it its own prefix",
  },
} as const;
