/** What the inspector tells of each kind of thing, and the exceptions as Flink's dashboard lists them. */
import type { Exchange, JobVertex } from "../../protocol/job-graph.ts";
import type { Trigger } from "../../projection/triggers.ts";
import type { RestartStrategy } from "../../scenario/scenario.ts";
import { byteSize, duration } from "../format.ts";
import { plural } from "./plural.ts";

/** What an operator does, in the classes and the order in which Flink does it. */
const code: { readonly [T in JobVertex["type"]]: { readonly classes: string; readonly lines: readonly string[] } } = {
  "kafka-source": {
    classes: "KafkaSource, SourceOperator, KafkaSourceReader",
    lines: [
      "record = consumer.poll(partition, position)",
      "output.collect(record); position = record.offset() + 1",
      "snapshotState: return splits with their positions",
    ],
  },
  "file-source": {
    classes: "FileSource, SourceOperator, FileSourceReader",
    lines: [
      "record = reader.read(file, position)",
      "output.collect(record); position++",
      "snapshotState: return files with their positions",
    ],
  },
  "socket-source": {
    classes: "SocketTextStreamFunction, StreamSource",
    lines: [
      "line = reader.readLine() // the server sends it once",
      "synchronized (checkpointLock) { ctx.collect(line) }",
      "// nothing to snapshot, nothing to read again",
    ],
  },
  "database-source": {
    classes: "a change-data-capture source, SourceOperator",
    lines: [
      "rows = SELECT * FROM table // first all of it",
      "change = log.next(position); output.collect(change)",
      "snapshotState: return how far it is in rows and changes",
    ],
  },
  map: {
    classes: "MapFunction, StreamMap",
    lines: [
      "output.collect(function.map(record))",
      "// with a counter: count = count + 1",
      "snapshotState: counterState.update(count) // without one: nothing",
    ],
  },
  filter: {
    classes: "FilterFunction, StreamFilter",
    lines: [
      "if (function.filter(record)) output.collect(record)",
      "// else it is dropped: nothing goes on",
      "snapshotState: nothing, it has no state",
    ],
  },
  "flat-map": {
    classes: "FlatMapFunction, StreamFlatMap",
    lines: [
      "function.flatMap(record, output)",
      "// output.collect(…) so many times for one input",
      "snapshotState: nothing, it has no state",
    ],
  },
  union: {
    classes: "UnionTransformation",
    lines: [
      "output.collect(record) // whichever input it came from",
      "// within an input records keep their order, between inputs they do not",
      "snapshotState: nothing, it has no state",
    ],
  },
  "keyed-sum": {
    classes: "ReduceFunction, StreamGroupedReduceOperator",
    lines: [
      "sum = values.value() + record.value",
      "values.update(sum) // state of the current key",
      "output.collect(key, sum)",
    ],
  },
  "keyed-count": {
    classes: "KeyedProcessFunction, KeyedProcessOperator",
    lines: ["n = count.value() + 1", "count.update(n) // state of the current key", "output.collect(key, n)"],
  },
  dedup: {
    classes: "KeyedProcessFunction (Flink offers no such operator)",
    lines: ["if (!seen.contains(record.id)) {", "  seen.add(record.id); output.collect(record)", "}"],
  },
  "kafka-sink": {
    classes: "KafkaSink, SinkWriterOperator, CommitterOperator",
    lines: [
      "write: producer.send(record)",
      "prepareCommit: producer.flush(); return the transaction as committable",
      "notifyCheckpointComplete: producer.commitTransaction()",
    ],
  },
  "file-sink": {
    classes: "FileSink, FileWriter, FileCommitter",
    lines: [
      "write: bucket.write(record) // .inprogress",
      "prepareCommit: close the part files that are due // pending",
      "notifyCheckpointComplete: rename them // finished",
    ],
  },
  "two-phase-commit-sink": {
    classes: "TwoPhaseCommitSinkFunction",
    lines: [
      "invoke: INSERT in the open transaction",
      "snapshotState: preCommit(transaction); begin the next one",
      "notifyCheckpointComplete: commit(transaction)",
    ],
  },
  "write-ahead-log-sink": {
    classes: "GenericWriteAheadSink",
    lines: [
      "processElement: out.write(record) // into state, not outside",
      "snapshotState: keep the batch for this checkpoint",
      "notifyCheckpointComplete: sendValues(batch); committer.commitCheckpoint()",
    ],
  },
  "upsert-sink": {
    classes: "a sink with a primary key (JdbcSink upsert)",
    lines: [
      "write: INSERT … ON CONFLICT (key) DO UPDATE SET value = ?",
      "// written twice, the row is the same",
      "flush, before the barrier goes on: all that was written is there",
    ],
  },
  "table-sink": {
    classes: "a table format's sink (Iceberg, Paimon): writers and one committer",
    lines: [
      "write: file.write(record)",
      "prepareCommit: close the file; return it as committable",
      "committer, notifyCheckpointComplete: table.append(files of all writers).commit()",
    ],
  },
  committer: {
    classes: "CommitterOperator, GlobalCommitterOperator",
    lines: [
      "processElement: collect the committables of this checkpoint",
      "snapshotState: keep what is not committed yet",
      "notifyCheckpointComplete: committer.commit(committables)",
    ],
  },
  "append-sink": {
    classes: "SinkWriter without a committer",
    lines: [
      "write: INSERT INTO table VALUES (record)",
      "// written twice, there are two rows",
      "flush, before the barrier goes on: all that was written is there",
    ],
  },
  "print-sink": {
    classes: "PrintSink",
    lines: [
      "write: System.out.println(record)",
      "// printed twice, there are two lines",
      "flush: nothing, a line is out at once",
    ],
  },
  "naive-sink": {
    classes: "none of Flink's: it commits with the barrier",
    lines: [
      "write: INSERT in the open transaction",
      "prepareSnapshotPreBarrier: commit() // too early",
      "notifyCheckpointComplete: nothing is left to do",
    ],
  },
};

const exchanges: { readonly [E in Exchange]: string } = {
  PIPELINED: "pipelined: handed over as it is produced",
  PIPELINED_BOUNDED: "pipelined, bounded: as it is produced, with a limit on buffers",
  BLOCKING: "blocking: handed over once all of it is there",
};

function strategyWords(strategy: RestartStrategy): string {
  switch (strategy.type) {
    case "none":
      return "the first failure ends the job";
    case "fixed-delay":
      return `each restart ${duration(strategy.delay)} after its failure`;
    case "failure-rate":
      return `at most ${plural(strategy.maxFailures, "failure", "failures")} in ${duration(strategy.interval)}, each restart ${duration(strategy.delay)} after its failure`;
    case "exponential-delay":
      return `first ${duration(strategy.initialBackoff)}, then × ${strategy.multiplier} up to ${duration(strategy.maxBackoff)}, give or take ${Math.round(strategy.jitter * 100)} %; from the start again after ${duration(strategy.resetThreshold)} without a failure`;
  }
}

export const enInspector = {
  tabs: { state: "State", channels: "Channels", snapshot: "Snapshot", attempts: "Attempts", code: "Code" },
  tabsOf: (name: string) => `What is shown of ${name}`,
  fields: {
    vertex: "Operator chain",
    classes: "Flink's classes",
    steps: "What it does",
    cost: "Time for a record",
    parallelism: "Parallelism",
    keyGroups: "Maximum parallelism",
    slotSharing: "Slot sharing group",
    subtasks: "Subtasks",
    type: "Type",
    order: "Order",
    channels: "Channels",
    queued: "Queued",
    overtakes: "Unaligned barriers",
    startDelay: "Start delay",
    alignment: "Alignment",
    sync: "Sync",
    async: "Async",
    size: "Size",
    reused: "Refers to earlier files",
    channelState: "Channel state",
    acknowledged: "Acknowledged",
    holds: "Holds",
    held: "Held by",
    kind: "Type",
    path: "Path",
    told: "Told of its end",
    restored: "Restored",
    timeout: "Timeout",
    history: "History",
    mayEnd: "Who may still end it",
    commits: "Commit requests",
    rewinds: "Can be read again",
    around: "Around the position",
    leader: "Leader",
    strategy: "Restart strategy",
    token: "Fencing token",
    directory: "Directory",
    availability: "Available",
    total: "Bytes in all",
    counter: "Operator state",
    struck: "Struck through",
    files: "Files",
    barriersHere: "Barriers here",
    coordinator: "Coordinator",
  },
  barriersHere: {
    counted: "are counted and block nothing: the mode is AT_LEAST_ONCE",
    off: "align, because unaligned checkpoints are off: what comes behind one waits for the others",
    kept: "align, because this exchange is pointwise, broadcast, or beside one that is",
    unaligned: "overtake what is queued, because unaligned checkpoints are on",
    timeout: "align until the aligned-checkpoint timeout, and then overtake what is queued",
  },
  ghostNote: (gone: boolean) =>
    gone
      ? "what its failed attempt had. The next one begins from a checkpoint."
      : "what it had before the failure, until replay has brought it there again.",
  exchanges,
  fifo: "first in, first out",
  latencyOf: (latency: number) => duration(latency),
  overtakes: (can: boolean) =>
    can ? "may overtake what is queued here" : "stay aligned here: it is pointwise, broadcast, or beside one that is",
  code,
  channels: {
    credit: (credit: number) => (credit === 0 ? "no credit: its writer waits" : plural(credit, "credit", "credits")),
    barrier: (checkpoint: number, before: number) =>
      before === 0
        ? `barrier ${checkpoint} is next`
        : `barrier ${checkpoint} behind ${plural(before, "record", "records")}`,
    content: (list: string) => `Next first: ${list}.`,
    lab: "lab: a record stands for a buffer",
  },
  attempt: (attempt: number) => `#${attempt}`,
  noAttempt: "No attempt yet.",
  noCheckpoint: "It takes no part in a checkpoint yet.",
  kinds: { CHECKPOINT: "checkpoint", SAVEPOINT: "savepoint", SYNC_SAVEPOINT: "savepoint that stops the job" } as {
    readonly [kind: string]: string;
  },
  owners: {
    user: "you: Flink never deletes it",
    flink: "Flink, in the completed store",
    nobody: "nobody any more",
    pending: "nobody before it is complete",
  },
  contents: {
    positions: (list: string) => `operator list state: positions ${list}`,
    counter: (count: number) => `operator list state: counter ${count}`,
    keyed: (count: number, list: string) =>
      `keyed state: ${plural(count, "key", "keys")}${count === 0 ? "" : `: ${list}`}`,
    committables: (count: number) => `operator list state: ${plural(count, "committable", "committables")}`,
    logged: (count: number) => `operator list state: ${plural(count, "record", "records")} in the write-ahead log`,
    channel: (side: "input" | "output", count: number, list: string) =>
      `${side === "input" ? "input" : "output"} channel state: ${plural(count, "element", "elements")}: ${list}`,
    more: (count: number) => `and ${count} more`,
    nothing: "no state",
  },
  triggers: (trigger: Trigger) =>
    trigger.by === "command"
      ? `by command: ${trigger.verb}`
      : trigger.by === "interval"
        ? "by the interval"
        : "when another had ended, for which its request had waited",
  subsumedBy: "by checkpoint",
  noFiles: "none: not written yet, deleted, or kept in memory",
  told: (count: number, of: number) => `${count} of ${of} subtasks`,
  restores: (count: number) => plural(count, "attempt began from it", "attempts began from it"),
  timeoutIn: (left: number, timeout: number) => `in ${duration(left)}: ${duration(timeout)} after its first record`,
  timeoutOf: (timeout: number) => `${duration(timeout)} after its first record`,
  never: "none: a part file may stay open for ever",
  events: {
    begunAt: "begun",
    firstWriteAt: "first record in the log",
    preCommittedAt: "pre-committed",
    commitRequestedAt: "commit asked for",
    decidedAt: "decided",
  },
  /** By the state of a transaction. */
  mayEnd: {
    OPEN: "Its writer pre-commits it at the next barrier. A failure aborts it: the next producer of its id, or the timeout.",
    PRE_COMMITTED:
      "The committer commits it when it is told that its checkpoint is complete, or after a restore of a snapshot that holds it. The timeout aborts it.",
    other: "Nobody: it is decided.",
  },
  rewinds: { yes: "yes: its position is in checkpoints", no: "no: what was sent once is not sent again" },
  leader: (number: number, present: boolean, standby: boolean) =>
    `JobManager ${number}, ${present ? "in the lead" : "gone"}; ${standby ? "a standby could take over" : "no standby"}`,
  tokenNote: (elected: boolean) =>
    elected
      ? "Messages with another token are refused. Flink draws a random id for each leader; here its number stands for it."
      : "Without high availability nobody is elected: Flink's token is all zero.",
  filesOf: (job: number) => `Files of job ${job}`,
  /** What lies in a directory; without one nothing does. */
  files: (directory: { readonly files: number; readonly bytes: number; readonly whole: boolean } | undefined) =>
    directory === undefined
      ? "empty"
      : `${plural(directory.files, "file", "files")}, ${byteSize(directory.bytes)}${directory.whole ? ", with _metadata" : ""}`,
  strategy: strategyWords,
  coordinator: {
    idle: "idle: nothing is triggered by itself",
    pending: "waits for acknowledgements",
    waiting: "waits for the next trigger",
    suspended: "suspended: it triggers nothing now",
    gone: "none runs",
  },
  available: {
    up: "yes",
    down: "no: writes and reads of snapshots fail",
    turn: "Checkpoint storage is available",
    turnDown: "Switched off, it is gone from the cursor on, in a run beside this one.",
    turnUp: "Switched on, it is there again from the cursor on, in a run beside this one.",
  },
  seen: (seen: number, wanted: number) => `${seen} of ${wanted} expected`,
  readers: {
    read_committed: "read_committed sees",
    read_uncommitted: "read_uncommitted sees",
    "finished-files": "Finished files",
    "all-files": "All files",
    table: "The table",
  },
  lost: (count: number) => `${count} lost`,
  duplicated: (count: number) => `${count} more than once`,
  pending: (count: number) => `${count} on the way`,
  regressions: (count: number) => `${plural(count, "value", "values")} went back`,

  matrix: {
    title: "Channels, one cell each",
    summary: (name: string, blocked: number, waiting: number, receivers: number, fullest: string) =>
      `${name}: ${waiting} of ${receivers} receivers still wait for barriers, ${plural(blocked, "channel is", "channels are")} blocked. ${fullest}`,
    fullest: (sender: string, receiver: string, fill: number, of: number) =>
      `Fullest: ${sender} to ${receiver}, ${fill} of ${of} buffers.`,
    empty: "All channels are empty.",
    rows: "rows: senders",
    columns: "columns: receivers",
    legend: { fill: "fill", barrier: "barrier has come", blocked: "blocked" },
    next: "Next waiting receiver",
    none: "No receiver waits.",
    at: (sender: string, receiver: string, words: string) => `${sender} to ${receiver}: ${words}`,
    cell: (fill: number, of: number, barrier: boolean, blocked: boolean) =>
      [`${fill} of ${of}`, barrier ? "its barrier has come" : "", blocked ? "blocked" : ""]
        .filter((part) => part !== "")
        .join(", "),
    open: "Show the channel",
    help: "Arrow keys move from cell to cell, Enter shows the channel.",
  },

  exceptions: {
    root: "Root exception",
    history: "Exception history",
    none: "Nothing has failed up to here.",
    columns: {
      time: "Time",
      exception: "Exception",
      task: "Task name",
      location: "Location",
      attempt: "Attempt",
      fault: "Injected fault",
      decision: "Restart decision",
    },
    job: "(global failure)",
    unassigned: "(unassigned)",
    noFault: "none: the protocol alone",
    concurrent: "at the same time",
    restart: (delay: number, tasks: number) =>
      `${plural(tasks, "task restarts", "tasks restart")} after ${duration(delay)}`,
    denied: "no restart left: the job fails",
    undecided: "not decided yet",
    goTo: (time: string) => `Go to ${time}`,
  },
} as const;
