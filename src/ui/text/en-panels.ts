/** The rail and the panels below the stage. Flink's own column names are kept as its dashboard spells them. */
import type { NextTrigger } from "../../projection/next-trigger.ts";
import type { StateMove } from "../../projection/state-moves.ts";
import { clockTime, duration } from "../format.ts";
import { failuresWords } from "./failures-words.ts";
import { plural } from "./plural.ts";

/** Why the next checkpoint has not begun yet. */
function nextSentence(next: NextTrigger): string {
  switch (next.kind) {
    case "ended":
      return "none: the job is over";
    case "leaderless":
      return next.standby
        ? "none before a standby has taken over: there is no JobManager"
        : "none: there is no JobManager, and no standby without high availability";
    case "off":
      return "none by itself: no interval is set";
    case "stopped":
      return "none by itself: the job is to end with a savepoint";
    case "suspended":
      return `${next.restarting ? "suspended while the job restarts" : "not yet"}: ${next.running} of ${next.of} tasks are RUNNING`;
    case "queued":
      return `waits: ${next.pending.length} of ${next.most} pending, and no more may be at once (max-concurrent-checkpoints). ${plural(next.requests, "request waits", "requests wait")}.`;
    case "pause":
      return `at ${clockTime(next.at)}: the minimum pause of ${duration(next.pause)} since checkpoint ${next.after} is not over`;
    case "at":
      return `at ${clockTime(next.at)}: ${duration(next.every)} after the last one was due`;
    case "between":
      return `between ${clockTime(next.from)} and ${clockTime(next.to)}: the first delay is drawn at random`;
  }
}

export const enPanels = {
  tabs: {
    timeline: "Timeline",
    checkpoints: "Checkpoints",
    events: "Event log",
    ledger: "Ledger",
    branches: "Branches",
    exceptions: "Exceptions",
    sweep: "Kill sweep",
    outline: "Outline",
    stops: "Breakpoints",
    spaceTime: "Space–time",
    selected: "Selected",
  },
  dock: "Panels",
  rail: "What happens, and the selected element",

  narrator: {
    title: "Now",
    event: (step: number) => `event ${step}`,
    why: "Why?",
    empty: "Nothing has happened yet.",
  },

  guide: {
    title: "Try this",
    steps: [
      {
        title: "Follow a barrier",
        body: "Pause, then step by phase: trigger, alignment, snapshot, acknowledgement, commit.",
        keys: [">", "<"],
      },
      {
        title: "Break something",
        body: "Click a task, then Fail. The run you have is kept, and a second one begins there.",
        keys: ["F"],
      },
      {
        title: "Read what it cost",
        body: "The badge at the top right opens the ledger: every input record, and what readers see of it.",
        keys: ["4"],
      },
      {
        title: "Take the transactions away",
        body: "Set the sink's delivery to at-least-once and break the same task again.",
        keys: [],
      },
    ],
  },

  inspector: {
    title: "Selected",
    clear: "Clear selection",
    kinds: {
      subtask: "Subtask",
      channel: "Channel",
      checkpoint: "Checkpoint",
      transaction: "Transaction",
      input: "Source partition",
      output: "Sink partition",
      taskManager: "TaskManager",
      jobManager: "JobManager",
      storage: "Checkpoint storage",
      vertex: "Operator chain",
      edge: "Exchange",
    },
    pin: "Pin",
    unpin: "Unpin",
    fields: {
      state: "State",
      attempt: "Attempt",
      taskManager: "TaskManager",
      operators: "Operators",
      load: "Last second",
      barrier: "Barrier",
      snapshot: "Snapshot",
      given: "State it was given",
      keyed: "Keyed state",
      offsets: "Reading position",
      inputs: "Inputs",
      outputs: "Outputs",
      transactions: "Transactions",
      from: "From",
      to: "To",
      exchange: "Exchange",
      capacity: "Buffers",
      latency: "Latency",
      content: "In the channel, next first",
      blocked: "Blocked",
      kind: "Kind",
      status: "Status",
      triggered: "Triggered",
      ended: "Ended",
      duration: "End to end duration",
      acknowledged: "Acknowledged",
      failure: "Failure",
      size: "Size",
      parts: "Parts",
      producerEpoch: "Producer epoch",
      checkpoint: "Checkpoint",
      records: "Records",
      begun: "Begun",
      preCommitted: "Pre-committed",
      decided: "Decided",
      decidedBy: "Decided by",
      position: "Position",
      restoreTo: "Would rewind to",
      groupOffset: "Committed to the group",
      arrived: "Records in the log so far",
      logged: "Write-ahead log",
      fullRead: "First full read",
      logStart: "First record that is left",
      end: "Records in all",
      lastStable: "Last stable offset",
      highWatermark: "High watermark",
      committed: "read_committed sees",
      uncommitted: "read_uncommitted sees",
      job: "Job",
      pending: "Pending checkpoints",
      completed: "Completed checkpoints",
      restarts: "Restarts",
      next: "Next checkpoint",
      dropped: "Dropped requests, the last one because",
      failures: "Consecutive checkpoint failures",
      slots: "Tasks",
      registered: "Registered",
      stored: "Stored",
      process: "Process",
      newest: "Newest first",
      furthest: "Read before, up to",
      holding: "Held back by",
      restart: "Restart",
    },
    since: (time: string) => `since ${time}`,
    /** `what`: key groups, or a partition. */
    given: (what: string | null, owner: string, kind: StateMove["kind"]) =>
      what === null ? `what ${owner} held` : `${kind === "key-groups" ? "key groups " : ""}${what} from ${owner}`,
    givenNothing: "nothing: it started empty",
    restoredFrom: (checkpoint: number) => `restored from checkpoint ${checkpoint}`,
    restartIn: (delay: string, tasks: number) => `${plural(tasks, "task", "tasks")} after ${delay}`,
    /** Its thread has ended, and the JobManager has not been told. */
    unknownEnd: {
      FAILED: "Its thread has thrown an exception. The JobManager does not know yet.",
      CANCELED: "Its thread has stopped. The JobManager does not know yet.",
      LOST: "Its process is gone. The JobManager does not know yet.",
      FINISHED: "Its thread has come to its end. The JobManager does not know yet.",
    },
    nextOffset: (offset: number) => `next offset ${offset}`,
    fromOffset: (offset: number) => `from offset ${offset}`,
    listedAgain: (times: number) => `The table lists it ${times} times: its records are there as often.`,
    notYet: "Not there yet at this moment.",
    again: "again",
    onTheWay: "on the wire",
    markers: {
      "commit-marker": "commit marker of",
      "abort-marker": "abort marker of",
      truncation: "cut back:",
      background: "another producer's",
    },
    cellStates: { open: "not decided", aborted: "aborted" },
    elements: {
      committable: "committable",
      barrier: "barrier",
      "cancel-marker": "cancellation marker",
      "end-of-data": "end of data",
      "end-of-partition": "end of partition",
    },
    snapshotStates: {
      NONE: "not yet",
      RUNNING: "being written",
      COMPLETED: "stored",
      ACKNOWLEDGED: "acknowledged",
      DISCARDED: "discarded",
    },
    fullRead: (position: number, rows: number, incremental: boolean) => {
      if (position >= rows) return `all ${rows} rows are read; what follows are changes`;
      const barriers = incremental ? "barriers go between two rows" : "takes no barrier until it is through";
      return `${Math.max(0, position)} of ${rows} rows; ${barriers}`;
    },
    batch: (checkpoint: number, records: number) =>
      checkpoint < 0
        ? `open stream: ${records} records since the last barrier`
        : `checkpoint ${checkpoint}: ${records} records, sent once it is complete`,
    waitingFor: (checkpoint: number, arrived: number, of: number) =>
      `collecting barrier ${checkpoint}: ${arrived} of ${of} inputs`,
    collectingUnaligned: (checkpoint: number, arrived: number, of: number) =>
      `unaligned: barrier ${checkpoint} is in on ${arrived} of ${of} inputs; nothing waits`,
    counting: (checkpoint: number, arrived: number, of: number) =>
      `counting barrier ${checkpoint}: ${arrived} of ${of} inputs; nothing waits`,
    timedOut: "timed out: unaligned with the first barrier",
    load: (busy: number, backpressured: number, idle: number, level: string) =>
      `busy ${busy} % · backpressured ${backpressured} % (${level}) · idle ${idle} %`,
    holdsBack: (task: string) => `${task} is the slow one; it holds back`,
    heldBackBy: "Held back by",
    unaligned: "unaligned",
    converted: (time: string) => `aligned, unaligned since ${time}`,
    hadFinished: "had finished",
    inFlight: (records: number, stored: boolean) =>
      `${plural(records, "record", "records")} in flight ${stored ? "stored" : "being stored"}`,
    persisting: (checkpoint: number) => `Not blocked: what is taken from it goes into checkpoint ${checkpoint} too.`,
    waitsFor: (task: string) => `${task} still waits for the barriers of`,
    epoch: (checkpoint: number) => `before barrier ${checkpoint}`,
    captured: (checkpoint: number, side: "input" | "output", stored: boolean) =>
      `${stored ? "stored" : "being stored"} in ${checkpoint}, by its ${side === "input" ? "reader" : "sender"}`,
    restoredInFlight: (checkpoint: number) => `from the channel state of ${checkpoint}`,
    counts: failuresWords,
    countsNot: "It does not count as a failure.",
    subsumed: (time: string) =>
      `Subsumed at ${time}: newer ones are complete, and no more are kept. Its files are deleted.`,
    failuresOf: (count: number, tolerable: number) => `${count}, ${tolerable} tolerable`,
    next: nextSentence,
    waitsForCheckpoint: "It waits for checkpoint",
    notAligning: "not aligning",
    open: "open",
    blockedBy: (checkpoint: number) => `blocked behind barrier ${checkpoint}`,
    fill: (used: number, capacity: number) => `${used} of ${capacity}`,
    empty: "empty",
    barrierItem: (checkpoint: number) => `barrier ${checkpoint}`,
    running: "running",
    gone: "gone",
    yes: "yes",
    no: "no",
  },

  ledger: {
    summary: "Totals and readers",
    caption: "Input records and what became of each",
    columns: {
      record: "Input record",
      key: "Key",
      inState: "In state",
      committed: "read_committed",
      uncommitted: "read_uncommitted",
      fate: "Now",
    },
    expected: "Expected",
    seen: "Seen",
    lost: "Lost",
    duplicated: "Duplicated",
    pending: "Pending",
    unprocessed: "Not read yet",
    state: "State",
    reader: (sink: string, reader: string) => `${sink}, ${reader}`,
    times: (count: number) => `${count}×`,
    fates: {
      visible: "visible once",
      lost: "lost",
      duplicated: "visible more than once",
      pending: "on its way",
      unprocessed: "not read yet",
      doubledInState: "more than once in state",
    },
    filter: "Find a record",
    filterHint: "orders-0@12, key-1…",
    only: { all: "All", problems: "Lost or duplicated", pending: "Pending" },
    show: "Show",
    verdict: (state: string, endToEnd: string) => `Verdict of the run: state ${state}, end to end ${endToEnd}`,
    notEnded: "The run has not ended at this point: figures are those of this moment.",
    stuckOn: "The run ended without going on by itself.",
    names: "Record ids",
    noProblems: "No record is lost and none counts twice at this point.",
    perReader: "By reader",
    seenOf: "Seen / expected",
    stateOf: (operator: string) => `state of ${operator}`,
    more: (count: number) => `and ${count} more`,
    fewer: "fewer",
    none: "none",
    noMatch: "No record matches.",
    truncated: (shown: number, all: number) => `${shown} of ${all} shown`,
  },

  branches: {
    caption: "Branches: the run as it is, and what you changed",
    columns: { branch: "Branch", from: "Branches off", outcome: "Result", ended: "Ends", remove: "Delete" },
    switchTo: (name: string) => `Switch to ${name}`,
    current: "shown",
    computing: "computing…",
    paused: "stopped",
    from: (name: string, step: number) => `${name}, event ${step}`,
    hint: "Choose a fault at any element: the run you have stays, and a new branch begins at the cursor.",
    undo: "Undo: back to the parent",
    redo: "Redo what was undone",
    compare: "Compare…",
    label: "Branch",
    ends: (clock: string, steps: number) => `${clock}, ${plural(steps, "event", "events")}`,
  },

  timeline: {
    caption: "Timeline of the branch",
    shift: "With Shift: run to here",
    runTo: (what: string) => `Run to ${what}`,
    checkpoints: "Checkpoints",
    transactionsOf: (subtask: string) => `Txn ${subtask}`,
    transactionsOfAll: (vertex: string, subtasks: number, more: number) =>
      `Transactions of ${vertex}, ${plural(subtasks, "subtask", "subtasks")}${more > 0 ? `; ${more} more stand out` : ""}`,
    transactionGroup: (vertex: string, checkpoint: number, words: string, from: string) =>
      `Transactions of ${vertex} for checkpoint ${checkpoint}: ${words}; the first began at ${from}`,
    forCheckpoint: (checkpoint: number) => `for ${checkpoint}`,
    glyphs: { open: "○", "pre-committed": "P", committed: "✓", aborted: "✗", "timed out": "◷", recycled: "↺" },
    job: "Job",
    faults: "Faults and forks",
    crash: "Drag a crash",
    crashHint: "See what the run comes to if it fails here, or here",
    bySubtask: "Checkpoints by subtask",
    moreSubtasks: (more: number) => `${more} more: in the panel of checkpoints, by subtask`,
    partOf: (subtask: string, part: string, checkpoint: number, time: string) =>
      `${subtask}, checkpoint ${checkpoint}: ${part}, ${time}`,
    acknowledged: (subtask: string, checkpoint: number, time: string) =>
      `${subtask} acknowledges checkpoint ${checkpoint} at ${time}`,
    zoomIn: "Zoom the timeline in",
    zoomOut: "Zoom the timeline out",
    asTable: "As table",
    asPicture: "As picture",
    checkpoint: (id: number, status: string, from: string, to: string) =>
      `Checkpoint ${id}, ${status}, ${from} to ${to}`,
    transaction: (id: string, state: string, from: string, to: string) =>
      `Transaction ${id}, ${state}, ${from} to ${to}`,
    checkpointsOf: (first: number, many: number, status: string, from: string) =>
      `${many} checkpoints from ${first} on, all ${status}, the first at ${from}`,
    manyTransactions: (many: number, state: string, from: string) =>
      `${many} transactions, all ${state}, the first begun at ${from}`,
    jobSpan: (status: string, from: string, to: string) => `Job ${status}, ${from} to ${to}`,
    fault: (name: string, time: string) => `${name} at ${time}`,
    fork: (name: string, time: string) => `Branch “${name}” begins at ${time}`,
    columns: { what: "What", state: "State", from: "From", to: "To", run: "Run to" },
    running: "still running",
    cursor: "Cursor",
  },
} as const;
