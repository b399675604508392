/** One line whose sink, or source, is of another kind each time; run them as they are, then let something fail. */
import { config, twelve } from "./base.ts";
import { linear } from "./linear.ts";

type Json = { readonly [key: string]: unknown };

const alone = { chain: false };
const [readsTopic, counts] = linear.job.vertices;

/** The line with this sink, and these topics. */
function lineTo(id: string, title: { en: string; zh: string }, sink: Json, topics: Json = {}) {
  return {
    ...linear,
    id,
    title,
    job: {
      ...linear.job,
      name: id,
      vertices: [readsTopic, counts, { uid: "SNK", slotSharingGroup: "sink", ...alone, ...sink }],
    },
    topics: { in: linear.topics.in, ...topics },
  };
}

/** The line from this source, which brings its own input. */
function lineFrom(id: string, title: { en: string; zh: string }, source: Json, more: Json = {}) {
  const [, , sink] = linear.job.vertices;
  return {
    ...linear,
    id,
    title,
    job: {
      ...linear.job,
      name: id,
      vertices: [{ uid: "SRC", slotSharingGroup: "source", ...alone, ...source }, counts, sink],
    },
    topics: { out: {} },
    faults: [],
    ...more,
  };
}

const often = { config: { ...config, "execution.checkpointing.interval": "400 ms" }, initialDelay: "300 ms" };

/** Part files in progress, pending and finished: one is full after three records, an older one is closed by its age. */
export const fileSink = lineTo(
  "file-sink",
  { en: "Part files: in progress, pending, finished", zh: "文件 Sink：写入中、待提交、已完成" },
  { name: "Sink: files", type: "file-sink", maxPartSize: "96 b", rolloverInterval: "1 s" },
);

/** A classic two-phase commit: prepared at the barrier, committed with the notification; nobody waits behind it. */
export const database = lineTo(
  "database-commit",
  { en: "Two-phase commit to a database", zh: "对数据库的两阶段提交" },
  { name: "Sink: database", type: "two-phase-commit-sink" },
);

/** Records go into a log of the checkpoint storage first, and out when their checkpoint is complete. */
export const writeAhead = lineTo(
  "write-ahead-log",
  { en: "A write-ahead log before a plain store", zh: "普通存储前的预写日志" },
  { name: "Sink: write-ahead log", type: "write-ahead-log-sink" },
);

/** Six writes to each of two keys: after a failure a reader sees a value go back, and come again. */
export const upsert = lineTo(
  "upsert",
  { en: "Upserts by key, and their step back", zh: "按键 Upsert 与短暂回退" },
  { name: "Sink: table", type: "upsert-sink" },
  { in: { ...linear.topics.in, values: twelve(1, 1, ["a", "b"]) } },
);

/** Commits at the barrier: right as long as nothing fails. */
export const naive = lineTo(
  "commit-at-barrier",
  { en: "A home-made sink that commits at the barrier", zh: "在 Barrier 处提交的自制 Sink" },
  { name: "Sink: home-made", type: "naive-sink" },
);

/** Another producer writes plain records to the sink's topic: committed readers get them when the sink's transaction ends. */
export const beside = {
  ...linear,
  id: "blocked-reader",
  title: { en: "Another producer behind an open transaction", zh: "未结束事务之后的其他生产者" },
  topics: { in: linear.topics.in, out: { partitions: 1, background: { every: "150 ms" } } },
};

/** Two subtasks commit each their own part, and one task behind them the checkpoint as a whole. */
export const globalCommit = {
  ...linear,
  id: "global-committer",
  title: { en: "A global committer behind two committers", zh: "两个提交器之后的全局提交器" },
  job: {
    ...linear.job,
    name: "global-committer",
    vertices: linear.job.vertices.map((vertex) =>
      vertex.uid === "SNK" ? { ...vertex, parallelism: 2, globalCommitter: true } : vertex,
    ),
    edges: [linear.job.edges[0], { from: "MAP", to: "SNK", ship: "rebalance" }],
  },
};

/** Pooled names are free again once they are committed. Rescale the sink: each id has an owner still. */
export const pooledIds = {
  ...linear,
  id: "pooled-ids",
  title: { en: "Pooled transactional ids", zh: "池化的事务 ID" },
  job: {
    ...linear.job,
    name: "pooled-ids",
    vertices: linear.job.vertices.map((vertex) =>
      vertex.uid === "SNK" ? { ...vertex, parallelism: 2, transactionNaming: "pooling" } : vertex,
    ),
    edges: [linear.job.edges[0], { from: "MAP", to: "SNK", ship: "rebalance" }],
  },
  cluster: { taskManagers: 5, slots: 1 },
  config: { ...config, "execution.checkpointing.savepoint-dir": "s3://demo/savepoints" },
};

/** A table is read in full, which takes no barrier: the checkpoint waits. Then its changes come, and barriers with them. */
export const databaseSource = lineFrom(
  "database-source",
  { en: "A database table, read in full and then followed", zh: "先全量读取再跟踪变更的数据库表" },
  {
    name: "Source: table",
    type: "database-source",
    records: 6,
    snapshotDuration: "1500 ms",
    changes: 4,
    every: "200 ms",
    keys: 4,
  },
  often,
);

/** What a connection has delivered comes from nowhere again. */
export const socket = lineFrom(
  "socket",
  { en: "A socket cannot be read again", zh: "无法重读的 Socket" },
  { name: "Source: socket", type: "socket-source", records: 12, every: "100 ms", keys: 12 },
  often,
);

/** Files are read again from where a checkpoint says; the job ends with them. */
export const files = lineFrom(
  "file-source",
  { en: "Files, read to their end", zh: "读到结尾的文件" },
  { name: "Source: files", type: "file-source", records: 12, every: "100 ms", keys: 12 },
  often,
);
