/** The job as its author wrote it: logical operators and edges (Flink's `StreamGraph`), every default filled in. */

export const shipStrategies = ["forward", "hash", "rebalance", "rescale", "broadcast", "global", "shuffle"] as const;
export type ShipStrategy = (typeof shipStrategies)[number];

export const deliveryGuarantees = ["none", "at-least-once", "exactly-once"] as const;
export type DeliveryGuarantee = (typeof deliveryGuarantees)[number];

interface VertexBase {
  readonly uid: string;
  readonly name: string;
  readonly parallelism: number;
  /** Simulated milliseconds of task time for each record. */
  readonly cost: number;
  /** May this operator chain with its neighbours? */
  readonly chain: boolean;
  readonly slotSharingGroup: string;
  /** Bytes of one piece of its state (a key's, a counter); left out: the model's. */
  readonly stateSize?: number;
  /** Is its identity in snapshots one that changes with the graph, as where no uid was set (CP-172)? */
  readonly generated?: true;
}

interface SourceBase extends VertexBase {
  /** What it reads: a topic of the log, or under its own uid what it alone is given. */
  readonly topic: string;
  /** Does it end behind the last record of what there is, or idle there? */
  readonly bounded: boolean;
}

/** What the consumer does where an offset is gone, or where none is known (`auto.offset.reset`). */
export const offsetResets = ["none", "earliest", "latest"] as const;
export type OffsetReset = (typeof offsetResets)[number];

/** Where a split is read from that no state has a position of (`OffsetsInitializer`; SK-006). */
export type StartingOffsets =
  | { readonly kind: "earliest" }
  | { readonly kind: "latest" }
  | { readonly kind: "group"; readonly reset: OffsetReset }
  | { readonly kind: "timestamp"; readonly time: number }
  /** By partition; one that is not named is read from the earliest. */
  | { readonly kind: "offsets"; readonly offsets: readonly number[] };

export const isolationLevels = ["read_uncommitted", "read_committed"] as const;

export interface KafkaSourceVertex extends SourceBase {
  readonly type: "kafka-source";
  /** `null`: no consumer group. */
  readonly groupId: string | null;
  /** Does it commit the offsets of completed checkpoints to its group (`commit.offsets.on.checkpoint`; SK-008)? */
  readonly commitsOffsets: boolean;
  /** Milliseconds between two commits by the consumer itself (`enable.auto.commit`; SK-009); `null`: it makes none. */
  readonly autoCommit: number | null;
  readonly startingOffsets: StartingOffsets;
  readonly isolation: (typeof isolationLevels)[number];
  /** Milliseconds between two looks for new partitions (`partition.discovery.interval.ms`; SK-007); 0: one look. */
  readonly discoveryInterval: number;
}

export interface TransformVertex extends VertexBase {
  readonly type: "map" | "filter" | "flat-map" | "union" | "keyed-sum" | "keyed-count";
  /** Outputs for each input of a `flat-map`; 1 for all others. */
  readonly fanOut: number;
  /** A `map` with `counter` keeps the number of records it has seen as operator state and emits it. */
  readonly counter: boolean;
}

/** Passes each record once, by a log of the ids it has seen (SK-034; Flink has none). */
export interface DedupVertex extends VertexBase {
  readonly type: "dedup";
  /** Are the ids in its snapshots, and go back with them; or in a store outside, which no restore touches? */
  readonly ids: "in-state" | "outside";
}

/** How an exactly-once sink names its transactions: by checkpoint, or from a pool (`TransactionNamingStrategy`). */
export const transactionNamings = ["incrementing", "pooling"] as const;
export type TransactionNaming = (typeof transactionNamings)[number];

export interface KafkaSinkVertex extends VertexBase {
  readonly type: "kafka-sink";
  readonly topic: string;
  readonly delivery: DeliveryGuarantee;
  readonly transactionalIdPrefix: string;
  /** Milliseconds the log lets one of its transactions stay open (`transaction.timeout.ms`). */
  readonly transactionTimeout: number;
  /** Milliseconds the producer client waits for a fuller batch before it sends (`linger.ms`). */
  readonly linger: number;
  /** Milliseconds after which its client gives a record up that the log has not acknowledged (`delivery.timeout.ms`). */
  readonly deliveryTimeout: number;
  /** Milliseconds that its client waits for the answer to a request of a transaction (`max.block.ms`). */
  readonly maxBlock: number;
  readonly transactionNaming: TransactionNaming;
  /** Does one task more take in what all its committers have committed of a checkpoint (SK-150)? */
  readonly globalCommitter: boolean;
}

const keyedTypes: ReadonlySet<JobVertex["type"]> = new Set(["keyed-sum", "keyed-count", "dedup"]);

/** Does an operator keep its state by key? */
export function isKeyed({ type }: JobVertex): boolean {
  return keyedTypes.has(type);
}

/** Files, each of them a split and a list of records (`FileSource`; SK-012). */
export interface FileSourceVertex extends SourceBase {
  readonly type: "file-source";
}

/** A connection that delivers each record once (`SocketTextStreamFunction`; SK-001, SK-002). */
export interface SocketSourceVertex extends SourceBase {
  readonly type: "socket-source";
}

/** A table that is read in full, and then its changes (SK-013). */
export interface DatabaseSourceVertex extends SourceBase {
  readonly type: "database-source";
  /** Rows of the table: the first records. */
  readonly rows: number;
  /** Milliseconds that reading them takes. */
  readonly snapshotDuration: number;
  /** Does it read them in parts, so that it takes barriers meanwhile? */
  readonly incremental: boolean;
}

export type SourceVertex = KafkaSourceVertex | FileSourceVertex | SocketSourceVertex | DatabaseSourceVertex;

/** By type: has it an enumerator in the JobManager (FLIP-27; a `SourceFunction` has none), and can it go back? */
const sourceTypes: {
  readonly [T in SourceVertex["type"]]: { readonly coordinated: boolean; readonly rewinds: boolean };
} = {
  "kafka-source": { coordinated: true, rewinds: true },
  "file-source": { coordinated: true, rewinds: true },
  "socket-source": { coordinated: false, rewinds: false },
  "database-source": { coordinated: false, rewinds: true },
};

export function isSource(vertex: JobVertex): vertex is SourceVertex {
  return vertex.type in sourceTypes;
}

/** Has a source an operator coordinator? */
export function isCoordinated(vertex: JobVertex): boolean {
  return isSource(vertex) && sourceTypes[vertex.type].coordinated;
}

/** Is a position of the source in checkpoints, and can it be read from again (SK-001)? */
export function canRewind(vertex: JobVertex): boolean {
  return isSource(vertex) && sourceTypes[vertex.type].rewinds;
}

/** Sinks whose external store is one of their own; it is called by their uid. */
export interface StoreSinkVertex extends VertexBase {
  readonly type: "append-sink" | "print-sink" | "naive-sink" | "upsert-sink" | "write-ahead-log-sink";
}

export interface TwoPhaseCommitSinkVertex extends VertexBase {
  readonly type: "two-phase-commit-sink";
  /** Milliseconds (`setTransactionTimeout`; SK-127); `null`: as long as may be. It does nothing by itself. */
  readonly transactionTimeout: number | null;
  /** Does a restore pass by a failed commit of a transaction that is older (`ignoreFailuresAfterTransactionTimeout`)? */
  readonly ignoreFailures: boolean;
  /** Milliseconds after its first row until the database aborts a transaction that nobody decides (SK-131). */
  readonly databaseTimeout: number;
}

export const fileFormats = ["row", "bulk"] as const;

export interface FileSinkVertex extends VertexBase {
  readonly type: "file-sink";
  /** A bulk format closes its part file at every barrier (`OnCheckpointRollingPolicy`). */
  readonly format: (typeof fileFormats)[number];
  /** Bytes at which a part file is closed, and milliseconds after its first record (`DefaultRollingPolicy`). */
  readonly maxPartSize: number;
  readonly rolloverInterval: number;
}

/** Writers in parallel, and behind them one committer that commits what all of them wrote, once a checkpoint. */
export interface TableSinkVertex extends VertexBase {
  readonly type: "table-sink";
  /** What the table keeps of the commits it has had: the highest checkpoint of all, or of each job and operator. */
  readonly remembers: "highest-checkpoint-id" | "job-operator-checkpoint";
  /** When its committer asks the table for them: of what a restored state gave it, or of everything. */
  readonly guard: "when-restored" | "always";
  /** Is its exchange one of a sink of Flink's, or of operators of one's own, which take part in unaligned checkpoints? */
  readonly topology: "sink" | "operators";
  /** Does its committer fail once, on purpose, when it has committed something on a restore (P-38)? */
  readonly failsAfterRecommit: boolean;
}

/**
 * The committer of a sink, where it is a task of its own behind an exchange (SK-140), or its global committer (SK-150).
 * Nobody writes it into a job: it is made of the sink, as in `SinkTransformationTranslator` (`sink-topology.ts`).
 */
export interface CommitterVertex extends VertexBase {
  readonly type: "committer";
  /** The uid of its sink. */
  readonly sink: string;
}

export type SinkVertex =
  | FileSinkVertex
  | KafkaSinkVertex
  | StoreSinkVertex
  | TableSinkVertex
  | TwoPhaseCommitSinkVertex;
export type JobVertex = SourceVertex | TransformVertex | DedupVertex | SinkVertex | CommitterVertex;

/** How a result is handed over (`ResultPartitionType`): while it is produced, or once all of it is there. */
export const exchanges = ["PIPELINED", "PIPELINED_BOUNDED", "BLOCKING"] as const;
export type Exchange = (typeof exchanges)[number];

export interface JobEdge {
  readonly from: string;
  readonly to: string;
  readonly ship: ShipStrategy;
  readonly exchange: Exchange;
  /** Milliseconds on the wire; `null`: `timing.network`. */
  readonly latency: number | null;
  /** Buffers of each channel, what is on the wire included (one record is one buffer). */
  readonly capacity: number;
}

export interface JobGraph {
  readonly name: string;
  /** Number of key groups; `null`: Flink's default for each vertex's parallelism (CP-178). */
  readonly maxParallelism: number | null;
  readonly vertices: readonly JobVertex[];
  readonly edges: readonly JobEdge[];
}
