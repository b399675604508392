/**
 * The dimensions of the guarantee table (SK-040): kinds of sources, ways to checkpoint and restart, kinds of sinks with who
 * reads them, and the moments of a failure. A type of vertex has its place here before the program compiles. What a cell
 * comes to stands nowhere: it is what its runs come to (`explorer/guarantee.ts`).
 */
import type { JobVertex } from "../../protocol/job-graph.ts";
import type { Reader } from "../../protocol/sinks.ts";

type Fragment = { readonly [key: string]: unknown };
type SourceType = Extract<JobVertex["type"], `${string}-source`>;
type SinkType = Extract<JobVertex["type"], `${string}-sink`>;

export const modeIds = [
  "EXACTLY_ONCE",
  "AT_LEAST_ONCE, several channels",
  "AT_LEAST_ONCE, one channel",
  "off, no restart",
  "off, restart",
] as const;
export type ModeId = (typeof modeIds)[number];

/** What the source is to read, in the words of a scenario file. */
export interface Input {
  /** Subtasks that read at once, and the parts that they read. */
  readonly width: number;
  readonly records: number;
  readonly every: string;
  readonly keys: number;
}

export interface SourceKind {
  readonly id: string;
  readonly type: SourceType;
  /** What the vertex says beyond `uid`, `type` and `parallelism`. */
  readonly vertex: (input: Input) => Fragment;
  /** The topics that it needs. */
  readonly topics: (input: Input) => Fragment;
  /** Can several subtasks read at once? */
  readonly parallel: boolean;
  /** Where it is told apart from the others of its type. */
  readonly modes: readonly ModeId[];
}

type Source = Omit<SourceKind, "type">;

const kafkaSource = (id: string, more: Fragment, modesOf: readonly ModeId[]): Source => ({
  id,
  vertex: () => ({ topic: "in", ...more }),
  topics: ({ width, ...records }) => ({ in: { partitions: width, ...records } }),
  parallel: true,
  modes: modesOf,
});

/** A source that is given its records by itself. */
const given = (id: string, parallel: boolean, vertex: SourceKind["vertex"], modesOf: readonly ModeId[]): Source => ({
  id,
  vertex,
  topics: () => ({}),
  parallel,
  modes: modesOf,
});

/** Rows of a table of which so many are changed later. */
const CHANGES = 8;
const table =
  (incremental: boolean): SourceKind["vertex"] =>
  ({ records, every, keys }) => ({
    records: records - CHANGES,
    changes: Math.min(CHANGES, records),
    every,
    keys,
    snapshotDuration: "60 ms",
    incremental,
  });

const files =
  (bounded: boolean): SourceKind["vertex"] =>
  ({ width, ...records }) => ({ files: width, bounded, ...records });

const alone = modeIds.filter((mode) => mode !== "AT_LEAST_ONCE, several channels");

const autoCommit = { "enable.auto.commit": true, "auto.commit.interval.ms": "75 ms" };

const sources: { readonly [T in SourceType]: readonly Source[] } = {
  "kafka-source": [
    kafkaSource("kafka-source", {}, modeIds),
    // With a checkpoint it makes no difference where a source once began.
    kafkaSource("kafka-source latest", { startingOffsets: "latest" }, ["off, restart"]),
    kafkaSource(
      "kafka-source group",
      { startingOffsets: "group:earliest", groupId: "guarantee", properties: autoCommit },
      ["off, restart"],
    ),
  ],
  "file-source": [
    given("file-source", true, files(false), modeIds),
    given("file-source bounded", true, files(true), ["off, restart"]),
  ],
  // One connection, one thread that reads the table: there is nothing to align.
  "socket-source": [given("socket-source", false, ({ records, every, keys }) => ({ records, every, keys }), alone)],
  "database-source": [
    given("database-source", false, table(false), alone),
    given("database-source incremental", false, table(true), ["EXACTLY_ONCE"]),
  ],
};

export const sourceKinds: readonly SourceKind[] = kindsOf(sources);

export interface SinkKind {
  readonly id: string;
  readonly type: SinkType;
  readonly vertex: Fragment;
  readonly topics: Fragment;
  /** Whose view the table shows. */
  readonly readers: readonly Reader[];
}

const committed: readonly Reader[] = ["read_committed"];
const everybody: readonly Reader[] = ["read_committed", "read_uncommitted"];
const toTopic = { out: { partitions: 1 } };
const kafka = (delivery: string, readers: readonly Reader[], properties: Fragment): Omit<SinkKind, "type"> => ({
  id: `kafka-sink ${delivery}`,
  vertex: { topic: "out", delivery, transactionalIdPrefix: "P", properties },
  topics: toTopic,
  readers,
});

/** A sink whose store is its own. */
const ofItsOwn = (id: SinkType, readers: readonly Reader[], vertex: Fragment = {}): Omit<SinkKind, "type"> => ({
  id,
  vertex,
  topics: {},
  readers,
});

/** The brokers' limit: Flink's own default of an hour is above it (SK-159). */
const fifteenMinutes = { "transaction.timeout.ms": "15 min" };
const pooled = ({ id, vertex, ...kind }: Omit<SinkKind, "type">): Omit<SinkKind, "type"> => ({
  id: `${id}, pooled ids`,
  vertex: { ...vertex, transactionNaming: "pooling" },
  ...kind,
});

const sinks: { readonly [T in SinkType]: readonly Omit<SinkKind, "type">[] } = {
  "kafka-sink": [
    // Without `linger.ms` hardly anything is unsent when the process dies.
    kafka("none", committed, { "linger.ms": "45 ms" }),
    kafka("at-least-once", committed, {}),
    kafka("exactly-once", everybody, fifteenMinutes),
    pooled(kafka("exactly-once", committed, fifteenMinutes)),
  ],
  "append-sink": [ofItsOwn("append-sink", committed)],
  "print-sink": [ofItsOwn("print-sink", committed)],
  "naive-sink": [ofItsOwn("naive-sink", everybody)],
  "write-ahead-log-sink": [ofItsOwn("write-ahead-log-sink", committed)],
  "upsert-sink": [ofItsOwn("upsert-sink", ["table"])],
  // With Flink's minute between two part files a run takes as many checkpoints as fit into it.
  "file-sink": [ofItsOwn("file-sink", ["finished-files"], { rolloverInterval: "50 ms" })],
  "table-sink": [ofItsOwn("table-sink", committed)],
  // What a client that is gone has left open is aborted after a while, which ends the run.
  "two-phase-commit-sink": [ofItsOwn("two-phase-commit-sink", everybody, { databaseTimeout: "600 ms" })],
};

export const sinkKinds: readonly SinkKind[] = kindsOf(sinks);

/** The kinds of each type, in one list. */
function kindsOf<T extends string, K extends object>(table: { readonly [type in T]: readonly K[] }): readonly (K & {
  readonly type: T;
})[] {
  return (Object.keys(table) as T[]).flatMap((type) => table[type].map((kind) => ({ ...kind, type })));
}

export interface Mode {
  /** `execution.checkpointing.mode`; `null`: checkpointing is off. */
  readonly checkpointing: "EXACTLY_ONCE" | "AT_LEAST_ONCE" | null;
  /** Has some task several input channels, so that there is something to align? */
  readonly channels: "several" | "one";
  readonly restarts: boolean;
}

export const modes: { readonly [M in ModeId]: Mode } = {
  EXACTLY_ONCE: { checkpointing: "EXACTLY_ONCE", channels: "several", restarts: true },
  "AT_LEAST_ONCE, several channels": { checkpointing: "AT_LEAST_ONCE", channels: "several", restarts: true },
  "AT_LEAST_ONCE, one channel": { checkpointing: "AT_LEAST_ONCE", channels: "one", restarts: true },
  "off, no restart": { checkpointing: null, channels: "several", restarts: false },
  "off, restart": { checkpointing: null, channels: "several", restarts: true },
};

/**
 * When the process fails, by what the sink has done for the checkpoint under way (13.3): nothing has completed yet; its
 * barrier is on the way; it has pre-committed (or flushed); the checkpoint is complete; its sink has committed.
 */
export const momentIds = ["before", "barrier", "pre-committed", "completed", "after"] as const;
export type MomentId = (typeof momentIds)[number];

/** A cell, whatever the moment and the reader: one scenario, swept once. */
export interface Cell {
  readonly source: string;
  readonly mode: ModeId;
  readonly sink: string;
}

/** Every cell there is, row by row. */
export function cells(): readonly Cell[] {
  return sourceKinds.flatMap(({ id: source, modes: own }) =>
    own.flatMap((mode) => sinkKinds.map(({ id: sink }) => ({ source, mode, sink }))),
  );
}

export function nameOfCell({ source, mode, sink }: Cell): string {
  return `${source} · ${mode} · ${sink}`;
}
