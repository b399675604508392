/** The fault menu: what can go wrong at each kind of element, and what an operator would see. */
export const enFaults = {
  title: (name: string) => `${name}: what should go wrong?`,
  /** Heads the menu of the JobManager, where not all entries are faults. */
  jobManager: "JobManager: what should happen?",
  items: {
    "fail-task": {
      label: "Throw exception",
      note: "The task is FAILED; its region restarts from the last completed checkpoint.",
    },
    "fail-unrecoverable": {
      label: "Throw an exception that no restart mends",
      note: "No restart strategy is asked: the job is FAILED.",
    },
    "poison-record": {
      label: (record: string) => `Poison ${record}`,
      note: "It fails its task each time that it is processed: restarts do not help.",
      none: "All there is has been read.",
    },
    "fail-vertex": {
      label: (uid: string) => `Throw exception in every subtask of ${uid}`,
      note: "All its tasks are FAILED: every region that one of them is in restarts.",
    },
    "kill-own-taskmanager": {
      label: (tm: string) => `Kill its TaskManager ${tm}`,
      note: "Nothing is closed. Tasks that read from it fail at once; else the heartbeat timeout tells.",
    },
    "kill-taskmanager": {
      label: "Kill process",
      note: "Nothing is closed. Tasks that read from it fail at once; else the heartbeat timeout tells.",
    },
    "restart-taskmanager": {
      label: "Start the process again",
      note: "It registers with the JobManager and offers its slots.",
    },
    slow: { label: "Slow down ×4 for 5 s", note: "Busy all the time; backpressure upstream, and barriers wait." },
    "slow-channel": { label: "Slow down ×10 for 5 s", note: "Everything is longer on the wire: start delays grow." },
    "snapshot-failure-async": {
      label: "Fail its next snapshot while it is written",
      note: "The task declines and goes on; the checkpoint fails, and that counts.",
    },
    "snapshot-failure-sync": {
      label: "Fail its next snapshot while it is frozen",
      note: "The exception fails the task; its region restarts.",
    },
    "storage-down": {
      label: "Storage not there for 3 s",
      note: "Snapshots cannot be written, nor metadata: checkpoints fail, and that counts.",
    },
    "storage-up": { label: "Storage there again", note: "Checkpoints can complete." },
    "storage-corrupt": {
      label: (checkpoint: number) => (checkpoint < 0 ? "Corrupt a checkpoint" : `Corrupt checkpoint ${checkpoint}`),
      note: "Nobody notices until a recovery reads its files.",
      none: "Nothing is completed yet.",
    },
    "ha-down": {
      label: "HA store not there for 3 s",
      note: "A checkpoint's pointer cannot be stored: it cannot complete.",
    },
    "partition-jobmanager": {
      label: "Cut it off from the JobManager for 60 s",
      note: "Both give up after the heartbeat timeout; until then its tasks go on.",
    },
    "partition-kafka": {
      label: "Cut it off from Kafka for 5 s",
      note: "Its sources read nothing, its sinks cannot write.",
    },
    heal: { label: "Heal the network", note: "Every cut ends." },
    "stall-taskmanager": {
      label: "Freeze for 5 s (a long garbage collection)",
      note: "Its tasks stand still and it answers no heartbeat; past the heartbeat's patience it is given up.",
    },
    "stall-channel": { label: "Stall for 5 s", note: "Nothing arrives: no record, no barrier." },
    stall: { label: "Stall for 5 s", note: "Backpressure upstream; the next barrier waits with the records." },
    "lose-notify": {
      label: "Lose its next completion notification",
      note: "The commit comes with the next checkpoint, later but not lost.",
    },
    "lose-ack": { label: "Lose its next acknowledgement", note: "The checkpoint stays pending until it expires." },
    "lose-trigger": { label: "Lose its next trigger", note: "Its barriers never start; the checkpoint expires." },
    "expire-upload": {
      label: "Let its oldest upload expire now",
      note: "The part file can be neither written on nor finished any more.",
    },
    "expire-table-snapshots": {
      label: "Expire the table's snapshots now",
      note: "Nobody finds in the table any more what was committed.",
    },
    "expire-transaction": {
      label: "Time out its oldest transaction now",
      note: "The broker writes abort markers; a later commit is refused.",
    },
    "commit-error-known": {
      label: "Its next commit is refused",
      note: "As of a fenced producer: the sink drops it, the job runs on, its records are lost.",
    },
    "commit-error-fatal": {
      label: "Its next commit fails",
      note: "For an unknown reason: the task fails, and the restore commits.",
    },
    "commit-error-reply-lost": {
      label: "Lose the answer to its next commit",
      note: "The commit has taken effect; the committer tries again, and is told so.",
    },
    "batch-reply-lost": {
      label: "Its next batch is sent, and not recorded",
      note: "The committer's store fails: the batch is kept and sent again, so its records come twice.",
    },
    "batch-fatal": {
      label: "Its next batch cannot be sent",
      note: "It is kept for the next notification; the job does not fail.",
    },
    "sink-write-error-retriable": {
      label: "Its next write is to be sent again",
      note: "The producer repeats it by itself; a flush at a barrier waits.",
    },
    "sink-write-error-fatal": {
      label: "Its next write fails",
      note: "The task fails; its region goes back to the last checkpoint.",
    },
    "broker-down": {
      label: "Kafka not there for 5 s",
      note: "Nothing is read, written or committed; clients wait and go on.",
    },
    "broker-away": {
      label: "Kafka not there for 150 s",
      note: "Longer than producers wait (delivery.timeout.ms, 2 min): what they hold fails their tasks.",
    },
    "broker-up": { label: "Kafka there again", note: "What waited arrives; decided transactions are ended." },
    "expire-this-transaction": {
      label: "Time out this transaction now",
      note: "The broker writes abort markers; a later commit is refused.",
      decided: "It is decided: nothing can change it any more.",
    },
    "fail-job": { label: "Fail the job as a whole", note: "Global failover: every task restarts." },
    "trigger-checkpoint": { label: "Trigger a checkpoint", note: "As if someone asked for one now; nothing fails." },
    "trigger-savepoint": {
      label: "Take a savepoint",
      note: "The user's own: no recovery uses it, and it commits nothing.",
    },
    "stop-with-savepoint": {
      label: "Stop with savepoint",
      note: "Sources stop, the savepoint commits, every task finishes.",
    },
    "restore-savepoint": {
      label: "Start from the newest savepoint…",
      note: "Sources go back to its offsets; the sink commits what it holds.",
    },
    "restore-checkpoint": {
      label: "Start from the newest retained checkpoint…",
      note: "What was processed behind it is read again.",
    },
    "restore-none": { label: "Start without state…", note: "Sources begin anew: records come again." },
    "restore-none-there": { savepoint: "None is there.", checkpoint: "None was kept: see the shelf.", none: "" },
    rescale: {
      label: (vertex: string, parallelism: number) => `Rescale ${vertex} to ${parallelism}…`,
      note: "Stops with a savepoint and starts from it; key groups move.",
    },
    cancel: { label: "Cancel the job", note: "At once: what is not committed is aborted." },
    "expire-records": {
      label: "Delete what is there now (retention)",
      note: "A reader that still needs it goes on where its reset policy says; the gap is lost.",
    },
    "rate-up": { label: "Producers four times as fast", note: "Lag grows where the job cannot follow." },
    "rate-down": { label: "Producers four times as slow", note: "The job waits for records." },
    "kill-jobmanager": {
      label: "Kill the JobManager",
      note: "With high availability a standby takes over; without it the job is gone.",
    },
  },
  /** At the end of each menu. */
  sweep: {
    label: "Everything, everywhere…",
    note: "A kill sweep: this run once for each thing that can fail, at each step.",
  },
  when: (time: string) => `Acts now, at ${time}. This run is kept as its own branch.`,
  /** Names of branches: what was done, and when. */
  branchNames: {
    "fail-task": (target: string) => `fail ${target}`,
    "fail-vertex": (target: string) => `fail all ${target}`,
    "kill-taskmanager": (target: string) => `kill ${target}`,
    "restart-taskmanager": (target: string) => `restart ${target}`,
    "kill-jobmanager": (_target: string) => "kill the JobManager",
    "poison-record": (target: string) => (target === "" ? "poison a record" : `poison a record for ${target}`),
    restore: (_target: string) => "submit anew",
    rescale: (target: string) => `rescale ${target}`,
    "add-partition": (_target: string) => "add a partition",
    "expire-records": (_target: string) => "expire records",
    "set-rate": (_target: string) => "another rate",
    "fail-job": (_target: string) => "fail the job",
    "lose-rpc": (rpc: string, target: string) => `lose ${rpc} of ${target}`,
    stall: (target: string) => `stall ${target}`,
    resume: (target: string) => `resume ${target}`,
    "expire-transaction": (target: string) => `time out ${target}`,
    "expire-upload": (target: string) => `expire an upload of ${target}`,
    "expire-table-snapshots": (target: string) => `expire snapshots of ${target}`,
    "trigger-checkpoint": (_target: string) => "trigger checkpoint",
    "trigger-savepoint": (_target: string) => "savepoint",
    "stop-with-savepoint": (_target: string) => "stop with savepoint",
    cancel: (_target: string) => "cancel",
    "cancel-with-savepoint": (_target: string) => "cancel with savepoint",
    "storage-down": (_target: string) => "storage down",
    "storage-up": (_target: string) => "storage up",
    "storage-corrupt": (_target: string) => "corrupt state",
    slow: (target: string) => `slow ${target}`,
    partition: (_target: string) => "cut the network",
    heal: (_target: string) => "heal the network",
    "snapshot-failure": (target: string) => `fail the snapshot of ${target}`,
    "commit-error": (target: string) => `commit error of ${target}`,
    "broker-down": (_target: string) => "Kafka down",
    "broker-up": (_target: string) => "Kafka up",
    "sink-write-error": (target: string) => `write error of ${target}`,
    suppress: (_target: string) => "what if not",
    "restore-cut": (_target: string) => "restore from a cut",
  },
  message: "a message",
  rpcs: {
    trigger: "trigger",
    ack: "acknowledgement",
    decline: "decline",
    "notify-complete": "notification",
    "notify-aborted": "abort notification",
    "notify-subsumed": "subsumed notification",
    "coordinator-event": "coordinator event",
  },
  root: "as the scenario says",
  at: (name: string, time: string) => `${name} at ${time}`,
} as const;
