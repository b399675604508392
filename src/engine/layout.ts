/** What lies in a world: the fields of each kind of thing, the columns of each table. `times` are moments. */

export const Job = {
  status: 0,
  scheduler: 1,
  nextCheckpoint: 2,
  queuedManual: 3,
  queuedPeriodic: 4,
  pending: 5,
  completed: 6,
  failures: 7,
  backoffAttempt: 8,
  nextPlan: 9,
  consecutiveFailures: 10,
  recordsInChannels: 11,
  busyTasks: 12,
  initialDelayStream: 13,
  jitterStream: 14,
  lostRpcs: 15,
  lastCounted: 16,
  waitingForSlots: 17,
  routingStream: 18,
  failureTimes: 19,
  rounds: 20,
  roundKey: 21,
  idleCheckpoints: 22,
  files: 23,
  storageDown: 24,
  triggering: 25,
  lastSubsumed: 26,
  leader: 27,
  leaderless: 28,
  /** 1: a checkpoint is in the store whose writing nobody was told of (FI-25). */
  uncertain: 29,
  submission: 30,
  waitingSubmission: 31,
  suppress: 32,
  SIZE: 33,
} as const;

/** Is somebody in the lead; or not, and where there is high availability, is it the store that a standby waits for? */
export const Leaderless = { no: 0, yes: 1, waitsForStore: 2 } as const;

/** A subtask's current attempt: the JobManager's view first, then its thread on the TaskManager, which is `host`. */
export const Task = {
  state: 0,
  attempt: 1,
  plan: 2,
  restore: 3,
  restoreFrom: 4,
  life: 5,
  busy: 6,
  record: 7,
  value: 8,
  inChannel: 9,
  stalled: 10,
  cancelWaits: 11,
  current: 12,
  done: 13,
  aligned: 14,
  lastCheckpoint: 15,
  reported: 16,
  aborted: 17,
  flushing: 18,
  port: 19,
  local: 20,
  base: 21,
  flushed: 22,
  slow: 23,
  finish: 24,
  endOfData: 25,
  processed: 26,
  finalCheckpoint: 27,
  restoredAs: 28,
  endReported: 29,
  target: 30,
  alignment: 31,
  mode: 32,
  registered: 33,
  noMoreSplits: 34,
  syncSavepoint: 35,
  undrained: 36,
  /** How the commit request under way goes wrong: 1 and the number of the kind; 0: it does not. */
  commitError: 37,
  /** How often the commit at hand was tried again. */
  commitRetries: 38,
  host: 39,
  SIZE: 40,
} as const;

/** How far a task is with its end (CP-191, CP-192): its operators finish, it waits to end, its mailbox is closed. */
export const Finish = { none: 0, operators: 1, waiting: 2, closed: 3 } as const;
/** What a restored attempt is: an ordinary one, one that is finished on restore, or one whose subtask alone had finished. */
export const RestoredAs = { running: 0, finished: 1, withoutState: 2 } as const;

/** A thread's life. */
export const Life = { none: 0, initializing: 1, running: 2, closing: 3, ended: 4, recovering: 5 } as const;

/**
 * `barrier` and `announced`: the newest checkpoint whose barrier was taken, or announced; `ended`: its end of partition is
 * taken. `persisting`, `input`, `output`: the checkpoint that takes in what arrives, and the channel state so far on both
 * sides, as lists of record and value. `held`: the checkpoint whose timeoutable barrier has not left the sender.
 * `recovered`: records of a restored checkpoint. `result`: 1 and the list of records and values of a blocking exchange,
 * once all of it is there.
 */
export const Channel = {
  length: 0,
  records: 1,
  blocked: 2,
  slow: 3,
  barrier: 4,
  ended: 5,
  announced: 6,
  persisting: 7,
  input: 8,
  output: 9,
  held: 10,
  recovered: 11,
  result: 12,
  SIZE: 13,
} as const;

/** How a task takes part in a checkpoint (`CheckpointOptions`; CP-070). */
export const Alignment = { aligned: 0, timeoutable: 1, unaligned: 2 } as const;

/** States of the alternating handler, in the order of its machine (`Task.mode`). */
export const Mode = { alignedWaiting: 0, alignedCollecting: 1, unalignedWaiting: 2, unalignedCollecting: 3 } as const;

export const Element = { kind: 0, id: 1, value: 2, arrival: 3, step: 4, SIZE: 5 } as const;
export const ElementKind = {
  /** One with a number below 0 is a committable (`committables.ts`). */
  record: 0,
  barrier: 1,
  cancelMarker: 2,
  endOfData: 3,
  endOfPartition: 4,
  /** An aligned barrier that may turn unaligned, one that is, and the two where an exchange keeps them aligned (CP-037). */
  timeoutable: 5,
  unaligned: 6,
  forcedTimeoutable: 7,
  forcedUnaligned: 8,
} as const;

/** The producer side of a sink's subtask. `offset` 0: no transaction is begun. */
export const Writer = {
  offset: 0,
  epoch: 1,
  records: 2,
  inFlight: 3,
  probeSubtask: 4,
  probeOffset: 5,
  probeAborted: 6,
  probePrefix: 7,
  /** 1: a commit has failed whose exception is thrown once all are tried (SK-123). */
  failed: 8,
  /**
   * Of a write-ahead log: the open stream, as a list of record and value; batches left for the next notification. Of a Kafka
   * sink with a global committer: what it has committed of the batch in hand.
   */
  buffer: 9,
  cursor: 10,
  SIZE: 11,
} as const;

export const OutputPartition = { content: 0, next: 1, SIZE: 2 } as const;

/** `alive` is a `Process`; `registered`: the JobManager counts on its slots. */
export const TaskManager = { alive: 0, registered: 1, SIZE: 2 } as const;
/** A process that has started but not registered is another than the one the JobManager may still count on. */
export const Process = { gone: 0, running: 1, started: 2 } as const;

/**
 * A pending checkpoint; behind these words lies one word a subtask: `-1` until it has acknowledged, then the handle of
 * its state, or `-2 - handle` where it had finished (`checkpoint-plan.ts`). Then one word an operator coordinator: `-1`,
 * `-2 - handle` while its events are not confirmed, then the handle of its snapshot.
 */
export const Pending = { id: 0, acknowledged: 1, finalizing: 2, SIZE: 3 } as const;

/**
 * A savepoint from its request on (`savepoints.ts`). `checkpoint`: its number,
 * 0 while it waits; `kind`: its place in `checkpointKinds`; `command`: who asked for it, `-1`: nobody; `attempts`:
 * the handle of the executions that a stop with it waits for, `-1`: none. Behind these words lie those of a completed checkpoint: one a subtask, one an operator coordinator, `-1` until it stands.
 */
export const Savepoint = { checkpoint: 0, submission: 1, kind: 2, stage: 3, command: 4, attempts: 5, SIZE: 6 } as const;
/** `standing`: its files are in storage and it can be restored. */
export const SavepointStage = { queued: 0, pending: 1, standing: 2, failed: 3 } as const;

/** Times of the job, and of each task. `backoffEnd`: of the last granted backoff; before 1.19 when the last failure came. */
export const JobTime = { lastCompletion: 0, nextFire: 1, backoffEnd: 2, SIZE: 3 } as const;
export const TaskTime = {
  wake: 0,
  barrier: 1,
  alignment: 2,
  stalled: 3,
  started: 4,
  materialized: 5,
  /** Until when what its producer sends again is on its way. */
  resent: 6,
  SIZE: 7,
} as const;

/** Rows of the agenda. */
export const Due = { time: 0, order: 1, op: 2, actor: 3, a: 4, b: 5, c: 6, d: 7, cause: 8, SIZE: 9 } as const;
export const Mail = { task: 0, priority: 1, kind: 2, checkpoint: 3, more: 4, cause: 5, SIZE: 6 } as const;

/**
 * One transactional id in the log's transaction coordinator; `client` is the state of its latest transaction. `ending`: what
 * is to be said once all markers of its end are written, 0: none are on their way. `start`, `used`: times.
 */
export const Txn = {
  number: 0,
  epoch: 1,
  state: 2,
  client: 3,
  records: 4,
  checkpoint: 5,
  clientEpoch: 6,
  ending: 7,
  start: 8,
  used: 9,
  SIZE: 10,
} as const;

/** A partition's part of a transaction that is under way. */
export const Ongoing = { number: 0, partition: 1, first: 2, SIZE: 3 } as const;

export const LostRpc = { rpc: 0, task: 1, checkpoint: 2, left: 3, SIZE: 4 } as const;

/** What one attempt wrote for one checkpoint (`state-files.ts`). `home`: where a local copy is kept (FR-110); `-1`: nowhere. */
export const Manifest = { task: 0, attempt: 1, checkpoint: 2, stage: 3, objects: 4, home: 5, SIZE: 6 } as const;
export const Stage = { writing: 0, stored: 1, acknowledged: 2 } as const;

/**
 * A snapshot in storage that a new submission may start from: of which submission (a place in `Session.submissions`), its
 * id, a savepoint or a checkpoint, what it holds (`shelf.ts`), the number of its metadata file, and the command that
 * asked for it (`-1`: none).
 */
export const Shelf = { submission: 0, checkpoint: 1, savepoint: 2, content: 3, file: 4, command: 5, SIZE: 6 } as const;

/**
 * A file in checkpoint storage. `task` `-1`: the metadata; `lastUsed`: the newest checkpoint that uses it; `owner`: the
 * submission that may delete it, a place in `Session.submissions`.
 */
export const File = {
  number: 0,
  task: 1,
  checkpoint: 2,
  bytes: 3,
  shared: 4,
  lastUsed: 5,
  corrupt: 6,
  owner: 7,
  SIZE: 8,
} as const;
/** Two ends that do not hear of each other (`cutting.ts`). What waits for it has the columns of `Due`. */
export const Cut = { a: 0, b: 1, since: 2, SIZE: 3 } as const;

/**
 * A process of a drawn cut (`restore-cut.ts`), `-1`: the log. `left`: so many of its entries are still before its place;
 * `state`: what it had there, `-1`: not taken; `writes`: of its sinks, on their way then; `behind`: its last entry.
 */
export const CutPart = { task: 0, left: 1, state: 2, command: 3, writes: 4, behind: 5, SIZE: 6 } as const;
/** The records in transit over a channel, as far as they are known; the reader may still take `left` before its place. */
export const CutChannel = { channel: 0, records: 1, left: 2, SIZE: 3 } as const;

/** A part of a snapshot that is to fail when it begins next; `checkpoint` `-1`: whichever. */
export const Armed = { part: 0, task: 1, checkpoint: 2, SIZE: 3 } as const;
/** A granted restart that has not begun: due once its delay is over. `global`: operator coordinators go back too. */
export const RestartPlan = { id: 0, due: 1, global: 2, SIZE: 3 } as const;
/** A reader's gate is closed for a checkpoint that it has not taken yet (CP-016). */
export const Gate = { task: 0, checkpoint: 1, SIZE: 2 } as const;

/**
 * An event to a reader that its TaskManager has not confirmed: the splits it brings, as places in the reader's state;
 * `held`: the newest checkpoint that its gate was closed for, 0 once it has left.
 */
export const OperatorEvent = { task: 0, attempt: 1, splits: 2, noMore: 3, held: 4, SIZE: 5 } as const;

/**
 * With whom a split of a source is: nobody, as its enumerator has not found it yet; its enumerator, a reader that has it in every state that may be restored, or one to
 * which it was assigned since; `assigned` plus an id: before the coordinator's cut of that checkpoint, and after the last
 * one (`SplitAssignmentTracker`).
 */
export const Split = { undiscovered: -1, unassigned: 0, settled: 1, assigned: 2 } as const;

/** What source readers have in snapshots that are not yet complete (SK-008). */
export const ReaderOffsets = { task: 0, checkpoint: 1, snapshot: 2, SIZE: 3 } as const;

/** A checkpoint whose barriers a tracker counts (CP-061): `channels` is a sequence, `first` when its first barrier came. */
export const Tracked = {
  task: 0,
  checkpoint: 1,
  channels: 2,
  target: 3,
  aborted: 4,
  triggered: 5,
  first: 6,
  SIZE: 7,
} as const;

/** A snapshot whose channel state may not be complete: `written` once the asynchronous part has nothing else to do. */
export const Capture = { task: 0, checkpoint: 1, handle: 2, written: 3, closed: 4, began: 5, SIZE: 6 } as const;

/**
 * An input partition, whatever becomes of jobs: the end of what was ever read of it, by any attempt; where it begins
 * (retention); 1 while a fault has not added it; 1 and the first offset that a source was to read, 0: none was; of a
 * connection, how many records were delivered over those that are broken.
 */
export const Input = { furthest: 0, start: 1, missing: 2, begin: 3, delivered: 4, SIZE: 5 } as const;

/**
 * A fault that waits for an event: how many of those it fits have come, up to its `nth`; 1 once it has acted; and, of one
 * that acts before every such event, the hash of the one that it has acted before and that is still to come (0: none is).
 * Where chance decides each time, the state of the fault's own stream (0: it has not drawn).
 */
export const Fault = { matched: 0, acted: 1, served: 2, chance: 3, SIZE: 4 } as const;

/** From record `from` on, which comes at `time`, the records of a partition come every so many milliseconds. */
export const Rate = { partition: 0, from: 1, time: 2, every: 3, SIZE: 4 } as const;

/** A record of a partition that nobody is given, whoever reads it and how often. */
export const Omitted = { partition: 0, offset: 1, SIZE: 2 } as const;

/** What a consumer group has committed; `group` is the hash of its id. */
export const GroupOffset = { group: 0, partition: 1, offset: 2, SIZE: 3 } as const;

/** What the committer of a write-ahead log has recorded, in a store of its own: whose batch of which checkpoint. */
export const BatchRecord = { operator: 0, subtask: 1, checkpoint: 2, SIZE: 3 } as const;

/** A commit of a lake table: whose table (`ExecutionGraph.identities`), which job's, and up to which checkpoint. */
export const TableSnapshot = { table: 0, job: 1, checkpoint: 2, SIZE: 3 } as const;

/** Last of all: what no fingerprint sees. */
export const Header = { clock: 0, step: 1, order: 2, SIZE: 3 } as const;
