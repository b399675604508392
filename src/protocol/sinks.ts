/**
 * What each kind of sink promises, and who reads what it writes (SK-040, SK-100 to SK-184). Whoever judges a run, or draws
 * one, asks here and not what a sink is called.
 */
import type { DeliveryGuarantee, JobVertex, SinkVertex, TableSinkVertex } from "./job-graph.ts";

/** The contract's `reader`. */
export const readers = ["read_committed", "read_uncommitted", "finished-files", "all-files", "table"] as const;
export type Reader = (typeof readers)[number];

/**
 * Where the records of a sink are kept: in a topic of the log, as rows, by key, in part files, in data files that a table
 * lists, or as what a process has printed.
 */
export type StoreKind = "log" | "rows" | "table" | "files" | "lake" | "console";

/** What a committed reader has at rest where the source replays and state is exactly-once; `none`: all may happen. */
export type Guarantee = DeliveryGuarantee | "effectively-once";

export interface SinkTraits {
  /** Its readers, the one of committed data first. */
  readonly readers: readonly [committed: Reader, ...others: Reader[]];
  readonly guarantee: Guarantee;
  /** When its transactions are committed; `never`: it has none. */
  readonly commits: "never" | "at-the-barrier" | "when-complete";
  readonly store: StoreKind;
}

const both = ["read_committed", "read_uncommitted"] as const;

/** Who reads each kind of store, the reader of committed data first. */
export const readersOf: { readonly [S in StoreKind]: SinkTraits["readers"] } = {
  log: both,
  rows: both,
  console: both,
  table: ["table"],
  files: ["finished-files", "all-files"],
  // Who reads the table sees the files that it lists, and no others.
  lake: ["read_committed"],
};

const kafka: { readonly [D in DeliveryGuarantee]: SinkTraits } = {
  none: { readers: both, guarantee: "none", commits: "never", store: "log" },
  "at-least-once": { readers: both, guarantee: "at-least-once", commits: "never", store: "log" },
  "exactly-once": { readers: both, guarantee: "exactly-once", commits: "when-complete", store: "log" },
};

const others: { readonly [T in Exclude<SinkVertex["type"], "kafka-sink">]: SinkTraits } = {
  "append-sink": { readers: both, guarantee: "at-least-once", commits: "never", store: "rows" },
  "print-sink": { readers: both, guarantee: "at-least-once", commits: "never", store: "console" },
  "upsert-sink": { readers: readersOf.table, guarantee: "effectively-once", commits: "never", store: "table" },
  "file-sink": {
    readers: readersOf.files,
    guarantee: "exactly-once",
    commits: "when-complete",
    store: "files",
  },
  "two-phase-commit-sink": { readers: both, guarantee: "exactly-once", commits: "when-complete", store: "rows" },
  "write-ahead-log-sink": { readers: both, guarantee: "at-least-once", commits: "never", store: "rows" },
  "naive-sink": { readers: both, guarantee: "at-least-once", commits: "at-the-barrier", store: "rows" },
  "table-sink": { readers: readersOf.lake, guarantee: "exactly-once", commits: "when-complete", store: "lake" },
};

const sinkTypes = [
  "kafka-sink",
  "append-sink",
  "print-sink",
  "naive-sink",
  "upsert-sink",
  "two-phase-commit-sink",
  "file-sink",
  "write-ahead-log-sink",
  "table-sink",
] as const satisfies readonly SinkVertex["type"][];

export function isSinkType(type: string | null): boolean {
  return sinkTypes.some((known) => known === type);
}

export function isSink(vertex: JobVertex): vertex is SinkVertex {
  return isSinkType(vertex.type);
}

export function traitsOf(vertex: SinkVertex): SinkTraits {
  return vertex.type === "kafka-sink" ? kafka[vertex.delivery] : others[vertex.type];
}

/** Does the sink write in transactions? */
export function isTransactional(vertex: JobVertex): vertex is SinkVertex {
  return isSink(vertex) && traitsOf(vertex).commits !== "never";
}

/** What the names of a sink's transactions begin with; `null`: it has none. A Kafka sink has one whatever its delivery. */
export function prefixOf(vertex: JobVertex): string | null {
  if (vertex.type === "kafka-sink") return vertex.transactionalIdPrefix;
  return isTransactional(vertex) ? vertex.uid : null;
}

/** The store that is a sink's own; `null`: it writes to a topic. */
export function storeOf(vertex: JobVertex): { readonly name: string; readonly kind: StoreKind } | null {
  if (!isSink(vertex) || vertex.type === "kafka-sink") return null;
  return { name: vertex.uid, kind: traitsOf(vertex).store };
}

/** Does this reader see nothing but what is committed? */
export function isCommitted(reader: Reader): boolean {
  return reader !== "read_uncommitted" && reader !== "all-files";
}

/** Milliseconds after its first row until a database aborts a transaction that nobody decides, where nothing else is said. */
export const DATABASE_TIMEOUT = 900_000;

/** Milliseconds for which a sink's transaction may be open; 0: a file may be for ever. */
export function transactionTimeoutOf(vertex: SinkVertex): number {
  if (vertex.type === "kafka-sink") return vertex.transactionTimeout;
  if (vertex.type === "file-sink" || vertex.type === "table-sink") return 0;
  return vertex.type === "two-phase-commit-sink" ? vertex.databaseTimeout : DATABASE_TIMEOUT;
}

/** Milliseconds until a record that the sink was given is in its store. */
export function writeDelay(vertex: SinkVertex, network: number): number {
  if (vertex.type === "print-sink") return 0;
  return (vertex.type === "kafka-sink" ? vertex.linger : 0) + network;
}

/** Has a sink one task behind its committers (SK-150)? */
export function hasGlobalCommitter(vertex: JobVertex): boolean {
  return vertex.type === "kafka-sink" && vertex.globalCommitter;
}

/** Is the committer of a sink a task of its own, behind an exchange? Else it is in the task that writes. */
export function commitsApart(vertex: JobVertex): vertex is TableSinkVertex {
  return vertex.type === "table-sink";
}
