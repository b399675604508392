/** The configuration drawer: a sentence for each of Flink's options, by its newest spelling, and its own words. */
import { plural } from "./plural.ts";

export const optionHelp: { readonly [key: string]: string } = {
  "execution.checkpointing.interval": "Time between two scheduled triggers; without it nothing is checkpointed.",
  "execution.checkpointing.mode": "EXACTLY_ONCE aligns input channels before a snapshot, AT_LEAST_ONCE does not.",
  "execution.checkpointing.timeout":
    "A checkpoint that is not finished in this time is dropped and counts as a failure.",
  "execution.checkpointing.min-pause":
    "Least quiet time between the completion of a checkpoint and the next periodic trigger.",
  "execution.checkpointing.max-concurrent-checkpoints": "How many checkpoints may be in progress together.",
  "execution.checkpointing.tolerable-failed-checkpoints":
    "Counted failures in a row that are tolerated; one more fails the job over.",
  "execution.checkpointing.num-retained": "How many completed checkpoints are kept before the oldest is deleted.",
  "execution.checkpointing.externalized-checkpoint-retention":
    "Whether checkpoint files stay after the job fails or is cancelled.",
  "execution.checkpointing.unaligned.enabled":
    "Barriers may overtake queued data, which is then stored as channel state.",
  "execution.checkpointing.interval-during-backlog":
    "The interval while a source reports that it works through a backlog.",
  "execution.checkpointing.aligned-checkpoint-timeout":
    "Begin aligned and turn unaligned where a barrier is not through this long after the trigger; 0 is unaligned at once.",
  "execution.checkpointing.unaligned.forced":
    "Allow unaligned checkpoints for jobs that Flink would refuse them to, such as those with iterations.",
  "execution.checkpointing.unaligned.max-subtasks-per-channel-state-file":
    "How many subtasks of a TaskManager write their channel state into one file.",
  "execution.checkpointing.unaligned.interruptible-timers.enabled":
    "Let a barrier pass between the timers that one watermark fires.",
  "execution.checkpointing.during-recovery.enabled":
    "Allow checkpoints while channel state of the last one is still being read.",
  "execution.checkpointing.unaligned.recover-output-on-downstream.enabled":
    "Give output channel state to the task that reads the channel, not to the one that writes it.",
  "execution.checkpointing.checkpoints-after-tasks-finish":
    "Go on checkpointing when some tasks have already finished.",
  "execution.checkpointing.storage": "Keep snapshots in the JobManager's memory or in a filesystem.",
  "execution.checkpointing.dir": "Root folder for checkpoints; without it they live in the JobManager's memory.",
  "execution.checkpointing.create-subdir": "Put each job's checkpoints into a folder that is named by the job's id.",
  "execution.checkpointing.savepoint-dir": "Folder for savepoints that are asked for without a path.",
  "execution.checkpointing.incremental":
    "Store only what changed since the previous checkpoint, if the state backend can.",
  "execution.checkpointing.data-inline-threshold":
    "State smaller than this goes into the metadata file, not into a file of its own.",
  "execution.checkpointing.write-buffer-size":
    "Bytes that are collected before they are written to checkpoint storage.",
  "execution.checkpointing.local-backup.enabled": "Keep a second copy of each snapshot on the TaskManager's disk.",
  "execution.checkpointing.file-merging.enabled": "Write the small files of several checkpoints into shared ones.",
  "execution.checkpointing.snapshot-compression": "Compress full snapshots.",
  "execution.checkpointing.cleaner.parallel-mode": "Delete the files of a checkpoint in parallel.",
  "execution.state-recovery.path": "The snapshot that the job starts from.",
  "execution.state-recovery.without-channel-state.checkpoint-id":
    "The checkpoint whose channel state is left out when it is restored: what was in flight is lost.",
  "execution.state-recovery.claim-mode":
    "Who owns the files of the snapshot afterwards: Flink (CLAIM) or you (NO_CLAIM).",
  "execution.state-recovery.ignore-unclaimed-state":
    "Start even if the snapshot has state that no operator of the job wants.",
  "execution.state-recovery.from-local": "Restore from copies on the TaskManager's disk where they are still there.",
  "state.backend.type":
    "Where working state lives: on the heap or on local disk. It decides what is written when, and how large a snapshot is.",
  "state.changelog.enabled": "Write changes of state as they happen, so that a checkpoint has little left to do.",
  "state.changelog.periodic-materialize.interval":
    "How often the changelog is replaced by a full snapshot of the state.",
  "restart-strategy.type": "Decides whether and when a failed job is started again.",
  "restart-strategy.fixed-delay.attempts": "Restarts that are allowed in total.",
  "restart-strategy.fixed-delay.delay": "The wait before each restart.",
  "restart-strategy.failure-rate.max-failures-per-interval":
    "The job fails when more failures than this fall into the sliding interval.",
  "restart-strategy.failure-rate.failure-rate-interval": "The sliding interval in which failures are counted.",
  "restart-strategy.failure-rate.delay": "The wait before each restart.",
  "restart-strategy.exponential-delay.initial-backoff": "The first wait.",
  "restart-strategy.exponential-delay.max-backoff": "The longest wait: waits grow no further.",
  "restart-strategy.exponential-delay.backoff-multiplier": "By how much each wait is longer than the one before.",
  "restart-strategy.exponential-delay.reset-backoff-threshold": "After so long without a failure the waits begin anew.",
  "restart-strategy.exponential-delay.jitter-factor":
    "Share of the wait that is added or taken away at random, so that jobs do not restart together.",
  "restart-strategy.exponential-delay.attempts-before-reset-backoff":
    "Restarts that are allowed before the waits begin anew; one more fails the job.",
  "jobmanager.execution.failover-strategy": "Restart only the affected pipelined regions, or every task.",
  "jobmanager.scheduler":
    "Who places tasks in slots; the adaptive one follows the slots there are and restarts every task.",
  "slot.request.timeout": "How long a task waits for a slot before its job fails.",
  "heartbeat.timeout": "How long a silent process is trusted before it is given up.",
  "heartbeat.interval": "Time between two heartbeats.",
  "heartbeat.rpc-failure-threshold":
    "Heartbeats in a row that cannot be sent before the peer is given up; below 1 only silence counts.",
  "task.cancellation.interval": "Time between two attempts to interrupt a task that is being cancelled.",
  "task.cancellation.timeout": "A task that is not cancelled after this ends its whole TaskManager.",
  "taskmanager.numberOfTaskSlots": "Slots of each TaskManager: each takes one subtask of every operator chain.",
  "slot.idle.timeout": "How long a free slot is kept before it is given back.",
  "high-availability.type":
    "Keep pointers to completed checkpoints outside the JobManager, so that another can take over.",
  "high-availability.storageDir": "Where what another JobManager needs is kept.",
  "sink.committer.retries": "How often a retriable commit is tried again before its task fails.",
  "parallelism.default": "Subtasks of each operator that says nothing else.",
  "pipeline.max-parallelism": "Number of key groups, the upper limit of later rescaling.",
  "pipeline.operator-chaining.enabled": "Run operators that can be run in one thread as one task.",
  "execution.runtime-mode": "Run as a stream or as a batch.",
  "taskmanager.network.memory.buffers-per-channel": "Buffers that each channel has for itself.",
  "taskmanager.network.memory.floating-buffers-per-gate": "Buffers that the channels of a gate share.",
  "taskmanager.network.memory.max-buffers-per-channel": "Buffers that one channel may have in use at its sender.",
  "taskmanager.network.memory.buffer-debloat.enabled":
    "Shrink buffers until what is in flight takes about as long as is wanted.",
  "taskmanager.memory.segment-size": "Bytes of one network buffer.",
  "web.checkpoints.history": "Number of recent checkpoints that the history shows.",
};

/** Of what a job and its broker set at Kafka. */
export const kafkaHelp: { readonly [name: string]: string } = {
  delivery: "What the sink promises: nothing, each record at least once, or exactly once by transactions.",
  transactionalIdPrefix: "The name space of its transactions; default: the vertex's uid.",
  transactionNaming: "Whether each checkpoint's transaction gets a new name, or names are used again.",
  "transaction.timeout.ms": "How long the broker keeps an unfinished transaction.",
  isolationLevel:
    "Which records the source reads: also those of open and aborted transactions, or only committed ones.",
  "commit.offsets.on.checkpoint": "Report progress to Kafka when a checkpoint is complete.",
  "transaction.max.timeout.ms": "The longest timeout that a producer may ask for.",
  "transaction.abort.timed.out.transaction.cleanup.interval.ms":
    "How often the broker looks for transactions to time out.",
};

export const enConfiguration = {
  title: "Configuration",
  description: (version: string) =>
    `Flink's own keys, with the defaults of Flink ${version}. What you change acts as a job starts: in a new run, or from here in a branch. The run that you have stays.`,
  views: { form: "Form", yaml: "config.yaml", java: "Java", effective: "Effective" },
  viewsOf: "Ways to see the configuration",
  search: "Search keys",
  searchHint: "key, old name, word…",
  onlySet: "Only what is set",
  found: (count: number) => plural(count, "key", "keys"),
  none: (query: string) => `No key of this version matches “${query}”.`,
  sections: {
    checkpointing: "Checkpointing",
    unaligned: "Unaligned checkpoints",
    storage: "State and storage",
    recovery: "Starting from a snapshot",
    restart: "Restart strategy",
    cluster: "Processes and network",
    pipeline: "The job",
    kafka: "Kafka",
  },
  standard: (value: string | null) => (value === null ? "default: none" : `default ${value}`),
  lab: (value: string) => `lab ${value}`,
  useLab: (key: string, value: string) => `Set ${key} to the lab's ${value}`,
  where: (place: string) => place,
  showWhere: (key: string, place: string) => `Show where ${key} acts: ${place}`,
  places: {
    timeline: "timeline",
    channels: "channels",
    storage: "storage",
    subtasks: "tasks",
    taskManagers: "TaskManagers",
    jobManager: "JobManager",
    sinks: "sink topic",
    sources: "source topic",
    checkpoints: "checkpoints",
  },
  ofVertex: (uid: string) => `${uid}:`,
  ofBroker: "Broker:",
  useDefault: (value: string | null) => `default (${value ?? "none"})`,
  older: (names: readonly string[]) => `before: ${names.join(", ")}.`,
  noEffect: "Flink knows it; a run here does not depend on it",
  set: "set",
  changed: "changed",
  reset: (key: string) => `Default for ${key}`,
  resetShort: "Default",
  saysProblem: "Refused",
  saysNotice: "Note",
  changes: (count: number) => (count === 0 ? "Nothing is changed" : `${plural(count, "key", "keys")} changed`),
  appliesWhen: "applies at the next job start",
  run: "Run again from the beginning",
  fromHere: "or from here:",
  ways: {
    savepoint: "stop with a savepoint, start from it",
    checkpoint: "cancel, start from the latest checkpoint",
    latest: "start from the latest snapshot",
    none: "start without state",
  },
  wayNot: {
    running: "the job is not RUNNING",
    over: "the job is over",
    nothing: "nothing lies in storage",
    notRetained: "its checkpoints are deleted when it is cancelled",
    broker: "A broker's own settings stay as they are in a running job: run it again from the beginning.",
    refused: "Cannot be taken over from here: what has no default cannot be taken out of a running job.",
  },
  fork: "Fork and apply",
  forkHint: "The job starts again here, in a branch of this run; the run that you have stays.",
  discard: "Discard",
  undo: "Undo",
  elsewhere: "Elsewhere in the scenario",
  javaArea: "Configuration as Java",
  javaHint: (version: string) => `What is set, by the constants of Flink ${version}. Generated; … is yours to fill in.`,
  copy: "Copy",
  copied: "Copied",
  java: {
    cluster: "Read by the cluster as it starts: in its config.yaml, or here where the job brings its cluster along.",
    noConstant: (version: string) => `no public constant in ${version}`,
  },
  yamlArea: "Configuration as YAML",
  yamlHint: "Nested keys and dotted ones are the same.",
  yamlWrong: (count: number) => `${plural(count, "mistake", "mistakes")}: the form keeps what it had.`,
  line: (line: number) => `line ${line}`,
  unknown: "Other keys",
  columns: { key: "Key", value: "In force", origin: "Set by", standard: "Default" },
  origins: { scenario: "job", default: "default" },
  effectiveCaption: "Every option that is in force in the run that is open",
} as const;
