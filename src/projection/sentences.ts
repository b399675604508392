/**
 * What can be said about an entry: a key (`says`) and its arguments, not text. One key for each thing that a person should be able
 * to tell apart, named after the event catalogue's ids (`EV-ck.trigger` is `ck.trigger`). Names are as the trace has them;
 * numbers are milliseconds, bytes, offsets and counts, as their names say; `null`: there is none.
 */
import type {
  ClaimMode,
  CommitError,
  CutRefusal,
  RestoreRefusal,
  Decider,
  Ending,
  FailureCause,
  FaultVerb,
  Rpc,
  SavepointFormat,
  CheckpointFailureReason,
  acknowledgementFates,
  channelSides,
  checkpointKinds,
  commitAnswers,
  failoverScopes,
  operationAnswers,
} from "../protocol/reasons.ts";
import type { StoreKind } from "../protocol/sinks.ts";
import type { StateMove } from "./state-moves.ts";
import type { ExecutionState, JobStatus } from "./views.ts";

/** Who reads it: *headlines*, *protocol* (the default), or everything. */
export type Level = "headline" | "protocol" | "everything";

interface Checkpoint {
  readonly checkpoint: number;
}
interface OfKind {
  readonly kind: (typeof checkpointKinds)[number];
}
interface Task {
  readonly task: string;
}
interface OfTask extends Task, Checkpoint {}
interface OnChannel extends OfTask {
  readonly channel: string;
}
interface InFlight extends OnChannel {
  readonly records: number;
  readonly side: (typeof channelSides)[number];
}
interface Transaction extends Checkpoint {
  /** What keeps the sink's records, and decides its transactions. */
  readonly store: StoreKind;
  readonly transaction: string;
  /** The sink's subtask; `null`: nobody's any more. */
  readonly task: string | null;
}
/** A record by its name, its key, and for how many times it was read: 1, or more once a source went back. */
interface Rec extends Task {
  readonly record: string;
  readonly key: string;
  readonly pass: number;
}

type Said<K extends string, L extends Level, A = object> = Readonly<{ says: K; level: L }> & A;

export type Sentence =
  | Said<"job.state", "headline", { readonly from: JobStatus; readonly state: JobStatus }>
  /** The restart strategy refuses: the job fails. */
  | Said<"leader.lost", "headline", { readonly standby: boolean }>
  | Said<"leader.granted", "headline", { readonly checkpoint: number | null }>
  | Said<"leader.finds", "headline", { readonly checkpoint: number }>
  | Said<
      "job.submitted",
      "headline",
      {
        readonly submission: number;
        /** The snapshot that it starts from. */
        readonly checkpoint: number | null;
        readonly savepoint: boolean;
        /** `null`: it starts from a cut that somebody drew. */
        readonly claimMode: ClaimMode | null;
      }
    >
  | Said<"restore.dropped", "headline", { readonly vertex: string }>
  | Said<"restore.refused", "headline", { readonly refusal: RestoreRefusal; readonly vertex: string | null }>
  /** A job is not submitted while the one before it is there. */
  | Said<"job.rejected", "headline", { readonly state: JobStatus }>
  | Said<"restart.denied", "headline", { readonly restarts: number }>
  | Said<"attempt.new", "protocol", Task & { readonly attempt: number }>
  | Said<
      "task.state",
      "protocol",
      Task & { readonly attempt: number; readonly state: ExecutionState; readonly taskManager: string | null }
    >
  | Said<"task.end", "protocol", Task & { readonly attempt: number; readonly ending: Ending }>
  /** `ms`: from the end of the thread until the JobManager knows; `null` where it cannot be told. */
  | Said<"detect", "headline", Task & { readonly failure: FailureCause; readonly ms: number | null }>
  | Said<"detect.taskManager", "headline", { readonly taskManager: string; readonly ms: number | null }>
  | Said<"taskManager.back", "headline", { readonly taskManager: string }>
  | Said<
      "fault",
      "headline",
      {
        readonly fault: FaultVerb;
        readonly target: string | null;
        readonly rpc: Rpc | null;
        readonly ms: number | null;
      }
    >
  /** `tasks` of `of` must start again in `delay` milliseconds, for the `restarts`-th time. */
  | Said<
      "restart",
      "headline",
      {
        readonly tasks: number;
        readonly of: number;
        readonly delay: number;
        readonly restarts: number;
        readonly scope: (typeof failoverScopes)[number];
        readonly failure: FailureCause | null;
      }
    >
  | Said<"restore.state", "protocol", OfTask & { readonly attempt: number }>
  /** The first attempt of a job that was started from a snapshot. `what`: key groups or a partition; `from`: the old subtask. */
  | Said<
      "restore.given",
      "protocol",
      OfTask & {
        readonly savepoint: boolean;
        readonly pieces: readonly {
          readonly kind: StateMove["kind"];
          readonly what: string | null;
          readonly from: string;
        }[];
      }
    >
  /** The source goes back from `position` to `offset`; `again` records will be read once more. */
  | Said<
      "restore.seek",
      "protocol",
      Task & { readonly partition: string; readonly position: number; readonly offset: number; readonly again: number }
    >
  /** Its vertex had finished in the checkpoint: it runs no operator and ends again. */
  | Said<"restore.finished", "protocol", OfTask & { readonly attempt: number }>
  | Said<"reader.registers", "everything", Task>
  | Said<"split.assign", "protocol", Task & { readonly partition: string }>
  | Said<"split.add", "protocol", Task & { readonly partition: string; readonly offset: number }>
  | Said<"split.found", "headline", { readonly vertex: string; readonly partition: string }>
  /** Retention has passed the offset `position`: what lay between is lost. */
  | Said<
      "src.reset",
      "headline",
      Task & { readonly partition: string; readonly position: number; readonly offset: number }
    >
  | Said<"wal.logged", "protocol", Task & Checkpoint & { readonly records: number }>
  | Said<"wal.committed", "headline", Task & Checkpoint>
  | Said<"wal.known", "headline", Task & Checkpoint>
  /** `sent`: its records are out, and only the record of it failed. */
  | Said<"wal.kept", "headline", Task & Checkpoint & { readonly sent: boolean }>
  /** `offset`: behind the last record that was delivered over it. */
  | Said<
      "src.closed",
      "headline",
      Task & { readonly partition: string; readonly position: number; readonly offset: number }
    >
  | Said<"split.back", "protocol", Task & { readonly partition: string; readonly checkpoint: number }>
  /** The operator coordinator of the source `vertex`; `checkpoint` 0: it begins anew. */
  | Said<"coordinator.reset", "protocol", Checkpoint & { readonly vertex: string }>
  /** Its input is exhausted. */
  | Said<"end.operators", "headline", Task>
  | Said<"end.data.send", "protocol", Task & { readonly channel: string }>
  | Said<"end.data", "protocol", Task & { readonly channel: string }>
  | Said<"end.partition.send", "protocol", Task & { readonly channel: string }>
  | Said<"end.partition", "protocol", Task & { readonly channel: string }>
  | Said<"result.request", "protocol", Task & { readonly channel: string; readonly records: number }>
  | Said<"slot.none", "headline", Task>
  | Said<"fatal", "headline", Task & { readonly taskManager: string }>
  | Said<"src.emit", "everything", Rec & { readonly partition: string; readonly offset: number }>
  | Said<"rec.send", "everything", Rec & { readonly channel: string }>
  | Said<"rec.receive", "everything", Rec & { readonly channel: string }>
  | Said<"rec.known", "protocol", Rec>
  | Said<"cut.part", "protocol", Task & { readonly step: number; readonly records: number }>
  | Said<"cut.withheld", "protocol", Rec & { readonly store: StoreKind }>
  | Said<"cut.refused", "headline", Task & { readonly refusal: CutRefusal }>
  /** `stateful`: `value` is what the operator's state stands at for this key; else what it hands on. */
  | Said<
      "rec.process",
      "everything",
      Rec & { readonly operator: string; readonly value: number; readonly stateful: boolean }
    >
  | Said<
      "rec.replay",
      "protocol",
      Rec & { readonly operator: string; readonly value: number; readonly stateful: boolean }
    >
  /** `transaction` `null`: visible to every reader at once. */
  | Said<
      "rec.write",
      "everything",
      Rec & {
        readonly value: number;
        readonly partition: string;
        readonly store: StoreKind;
        readonly offset: number;
        readonly transaction: string | null;
      }
    >
  | Said<"ck.trigger", "headline", Checkpoint & OfKind & { readonly sources: number; readonly asked: boolean }>
  | Said<"ck.hold", "protocol", OfKind & { readonly pending: number }>
  | Said<"ck.reject", "protocol", OfKind & { readonly reason: CheckpointFailureReason }>
  | Said<"sp.located", "protocol", Checkpoint & { readonly path: string; readonly format: SavepointFormat }>
  /** `checkpoint` `null`: it never had a number. */
  | Said<
      "op.answered",
      "headline",
      {
        readonly fault: FaultVerb;
        readonly answer: (typeof operationAnswers)[number];
        readonly checkpoint: number | null;
      }
    >
  /** The source's barrier: what it has read is before it, the next offset of each of its partitions behind it. */
  | Said<
      "bar.inject",
      "protocol",
      OnChannel & { readonly offsets: readonly { readonly partition: string; readonly offset: number }[] }
    >
  /** `unaligned`: it may go ahead of what is in the sender's buffers. */
  | Said<"bar.forward", "protocol", OnChannel & { readonly unaligned: boolean }>
  /** `blocks`: what comes behind it must wait; at-least-once blocks nothing. */
  | Said<
      "bar.arrive",
      "protocol",
      OnChannel & { readonly arrived: number; readonly of: number; readonly blocks: boolean }
    >
  /** The barrier of a checkpoint that this task is done with. */
  | Said<"bar.late", "protocol", OnChannel>
  | Said<"bar.lock", "protocol", OnChannel & { readonly waiting: number }>
  | Said<"bar.unlock", "protocol", OnChannel>
  /** The last barrier is in: channels that waited go on, or their state is complete, or barriers were only counted. */
  | Said<
      "bar.aligned",
      "protocol",
      OfTask & { readonly ms: number; readonly of: number; readonly how: "aligned" | "unaligned" | "counted" }
    >
  | Said<"bar.abort", "protocol", OfTask & { readonly reason: CheckpointFailureReason }>
  | Said<"bar.announce", "protocol", OnChannel>
  /** `ms` since the trigger; `begun`: a barrier is in, so the snapshot is taken now. */
  | Said<"bar.timeout", "protocol", OfTask & { readonly ms: number; readonly begun: boolean }>
  | Said<"bar.cancel.send", "protocol", OnChannel>
  | Said<"bar.cancel", "protocol", OnChannel>
  | Said<"snap.sync", "protocol", OfTask & { readonly ms: number; readonly startDelay: number }>
  | Said<"snap.async", "everything", OfTask & { readonly ms: number; readonly bytes: number }>
  | Said<"snap.discard", "protocol", OfTask>
  | Said<
      "file.write",
      "everything",
      Checkpoint & { readonly task: string | null; readonly bytes: number; readonly shared: boolean }
    >
  | Said<"file.reuse", "everything", OfTask & { readonly bytes: number }>
  | Said<"file.delete", "everything", Checkpoint>
  | Said<"snap.fail", "headline", OfTask & { readonly reason: CheckpointFailureReason }>
  /** `waits`: it has inputs, whose other barriers are still to come. */
  | Said<"snap.unaligned", "protocol", OfTask & { readonly waits: boolean }>
  /** `timedOut`: the barrier was aligned, and has waited for too long in the sender's buffers. */
  | Said<"snap.inFlight", "protocol", InFlight & { readonly bytes: number; readonly timedOut: boolean }>
  | Said<"restore.inFlight", "protocol", InFlight>
  | Said<"ck.ack", "protocol", OfTask & { readonly acknowledged: number; readonly of: number }>
  | Said<"ck.ack.refused", "protocol", OfTask & { readonly fate: (typeof acknowledgementFates)[number] }>
  | Said<"ck.decline", "headline", OfTask & { readonly reason: CheckpointFailureReason }>
  | Said<"ck.metadata", "protocol", Checkpoint>
  /** The commit point; `ms` since the trigger. */
  | Said<"ck.durable", "headline", Checkpoint & OfKind & { readonly ms: number | null }>
  | Said<
      "ck.abort",
      "headline",
      Checkpoint & {
        readonly reason: CheckpointFailureReason;
        readonly counts: boolean;
        readonly failures: number;
        readonly tolerable: number;
      }
    >
  | Said<"ck.coord", "protocol", Checkpoint & { readonly vertex: string; readonly assigned: number }>
  | Said<"ck.subsume", "protocol", Checkpoint>
  | Said<"ck.notify", "protocol", OfTask>
  | Said<"ck.notify.aborted", "protocol", OfTask>
  | Said<"ck.notify.subsumed", "everything", OfTask>
  /** `checkpoint` `null`: the message is of none. */
  | Said<"rpc.lost", "headline", Task & { readonly checkpoint: number | null; readonly rpc: Rpc }>
  /** `byItself`: the consumer commits what it has fetched, and not what a checkpoint holds (SK-009). */
  | Said<
      "src.offsets",
      "everything",
      OfTask & { readonly partition: string; readonly position: number; readonly byItself: boolean }
    >
  /** Whoever used this id before is fenced: `epoch` 0 where nobody has. */
  | Said<"txn.fence", "protocol", Transaction & { readonly epoch: number }>
  | Said<"txn.begin", "protocol", Transaction & { readonly epoch: number }>
  /** `waits`: for its checkpoint. */
  | Said<"txn.pre", "protocol", Transaction & { readonly records: number; readonly waits: boolean }>
  | Said<"txn.recycle", "everything", Transaction>
  | Said<"txn.request", "protocol", Transaction & { readonly decider: Decider }>
  /** Not the first request for this transaction. */
  | Said<"txn.retry", "protocol", Transaction & { readonly decider: Decider; readonly request: number }>
  | Said<"txn.commit", "headline", Transaction & { readonly decider: Decider }>
  /** It had been committed; nothing changes. */
  | Said<"txn.again", "protocol", Transaction & { readonly decider: Decider }>
  | Said<"txn.abort", "protocol", Transaction & { readonly decider: Decider }>
  /** `ms`: what the sink lets a transaction stay open. */
  | Said<"txn.timeout", "headline", Transaction & { readonly ms: number }>
  /** Of the part file `records` are kept, and `dropped` cut off. */
  | Said<"file.resume", "protocol", Transaction & { readonly records: number; readonly dropped: number }>
  /** `ms`: how old it is. */
  | Said<"txn.ignored", "headline", Transaction & { readonly ms: number }>
  | Said<"txn.later", "protocol", Transaction & { readonly retries: number }>
  /** Decided, and to be told to each partition. */
  | Said<"txn.prepared", "protocol", Transaction & { readonly commit: boolean; readonly decider: Decider }>
  | Said<
      "txn.marker",
      "protocol",
      { readonly transaction: string; readonly commit: boolean; readonly partition: string }
    >
  | Said<"txn.deferred", "protocol", Transaction>
  /** Of `open` transactions on its topic `own` are left over of older attempts. */
  | Said<"txn.listed", "protocol", Task & { readonly open: number; readonly own: number }>
  | Said<"txn.expired", "headline", { readonly transaction: string }>
  | Said<"write.failed", "headline", Rec & { readonly error: CommitError }>
  | Said<"write.repeated", "protocol", Rec>
  /** A committable, or the word that there is none (`transaction` `null`), goes to the committer, or has come there. */
  | Said<"committable.send", "protocol", OfTask & { readonly transaction: string | null }>
  | Said<"committable.take", "protocol", OfTask & { readonly transaction: string | null }>
  | Said<"table.request", "protocol", OfTask & { readonly files: number; readonly decider: Decider }>
  | Said<"table.commit", "headline", Checkpoint & { readonly files: number; readonly decider: Decider }>
  | Said<"commit.global", "headline", Checkpoint & { readonly committables: number }>
  | Said<"table.skip", "headline", Transaction & { readonly highest: number }>
  | Said<"table.again", "headline", Transaction & { readonly records: number }>
  | Said<"write.background", "everything", { readonly partition: string; readonly offset: number }>
  | Said<"txn.refused", "headline", Transaction & { readonly answer: (typeof commitAnswers)[number] }>;

/** An option of the scenario that an entry is due to. */
export interface ConfigReason {
  /** Flink's, Kafka's or the model's name. */
  readonly option: string;
  readonly ms: number;
}

/** A sentence with what it rests on: the sentence of the entry that caused it, and the option that set its time. */
export interface Explanation {
  readonly step: number;
  readonly clock: number;
  readonly sentence: Sentence;
  readonly because: { readonly step: number; readonly sentence: Sentence } | null;
  readonly config: ConfigReason | null;
}
