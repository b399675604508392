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

export interface KafkaSourceVertex extends VertexBase {
  readonly type: "kafka-source";
  readonly topic: string;
  /** `null`: no consumer group, so no offsets are committed to the log. */
  readonly groupId: string | null;
  readonly startingOffsets: "earliest" | "latest";
  /** Does it end behind the last record of what there is, or idle there? */
  readonly bounded: boolean;
}

export interface TransformVertex extends VertexBase {
  readonly type: "map" | "filter" | "flat-map" | "union" | "keyed-sum" | "keyed-count";
  /** Outputs for each input of a `flat-map`; 1 for all others. */
  readonly fanOut: number;
  /** A `map` with `counter` keeps the number of records it has seen as operator state and emits it. */
  readonly counter: boolean;
}

export interface KafkaSinkVertex extends VertexBase {
  readonly type: "kafka-sink";
  readonly topic: string;
  readonly delivery: DeliveryGuarantee;
  readonly transactionalIdPrefix: string;
  /** Milliseconds the log lets one of its transactions stay open (`transaction.timeout.ms`). */
  readonly transactionTimeout: number;
  /** Milliseconds the producer client waits for a fuller batch before it sends (`linger.ms`). */
  readonly linger: number;
}

/** Sinks whose external store is one of their own; it is called by their uid. */
export interface StoreSinkVertex extends VertexBase {
  readonly type: "append-sink" | "print-sink" | "naive-sink" | "upsert-sink";
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

export type SinkVertex = FileSinkVertex | KafkaSinkVertex | StoreSinkVertex | TwoPhaseCommitSinkVertex;
export type JobVertex = KafkaSourceVertex | TransformVertex | SinkVertex;

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
