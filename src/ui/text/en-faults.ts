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
    stall: { label: "Stall for 5 s", note: "Backpressure upstream; the next barrier waits with the records." },
    "lose-notify": {
      label: "Lose its next completion notification",
      note: "The commit comes with the next checkpoint, later but not lost.",
    },
    "lose-ack": { label: "Lose its next acknowledgement", note: "The checkpoint stays pending until it expires." },
    "lose-trigger": { label: "Lose its next trigger", note: "Its barriers never start; the checkpoint expires." },
    "expire-transaction": {
      label: "Time out its oldest transaction now",
      note: "The broker writes abort markers; a later commit is refused.",
    },
    "expire-this-transaction": {
      label: "Time out this transaction now",
      note: "The broker writes abort markers; a later commit is refused.",
      decided: "It is decided: nothing can change it any more.",
    },
    "fail-job": { label: "Fail the job as a whole", note: "Global failover: every task restarts." },
    "trigger-checkpoint": { label: "Trigger a checkpoint", note: "As if someone asked for one now; nothing fails." },
    "kill-jobmanager": { label: "Kill the JobManager", note: "Not yet: this arrives together with high availability." },
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
    "fail-job": (_target: string) => "fail the job",
    "lose-rpc": (rpc: string, target: string) => `lose ${rpc} of ${target}`,
    stall: (target: string) => `stall ${target}`,
    resume: (target: string) => `resume ${target}`,
    "expire-transaction": (target: string) => `time out ${target}`,
    "trigger-checkpoint": (_target: string) => "trigger checkpoint",
    "storage-down": (_target: string) => "storage down",
    "storage-up": (_target: string) => "storage up",
    "storage-corrupt": (_target: string) => "corrupt state",
    slow: (target: string) => `slow ${target}`,
    partition: (_target: string) => "cut the network",
    heal: (_target: string) => "heal the network",
    "snapshot-failure": (target: string) => `fail the snapshot of ${target}`,
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
