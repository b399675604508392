/** For each seeded defect a recorded scenario, and a fact of it that the engine with this defect no longer tells as Flink. */
export const shown: Readonly<Record<string, readonly [scenario: string, fact: string]>> = {
  dropsBufferedRecords: ["aligned-timeout", "SNK read_committed"],
  noAlignment: ["aligned-late", "SNK transactions"],
  trackerDoesNotWait: ["at-least-once-late", "state"],
  inputNotPersisted: ["unaligned-two-gates", "SNK read_committed"],
  outputNotPersisted: ["unaligned-two-gates", "SNK read_committed"],
  secondGateNotPersisted: ["unaligned-two-gates", "SNK read_committed"],
  storedButNotOvertaken: ["unaligned-two-gates", "SNK read_committed"],
  barrierOvertakesRecords: ["sync-failure-tolerated", "checkpoints"],
  channelReorders: ["sync-failure-tolerated", "records out of order"],
  recordsBetweenBarrierAndSnapshot: ["busy-snapshot", "SNK transactions"],
  barrierOfAnOlderCheckpoint: ["sync-failure-tolerated", "checkpoints"],
  barrierTwice: ["sync-failure-tolerated", "checkpoints"],
  channelStaysBlocked: ["tm-restart-shuffle", "checkpoints"],
  keyGroupRangeOffByOne: ["tm-restart-shuffle", "SNK transactions"],
  offsetTakenAfterBarrier: ["sync-failure-tolerated", "SNK read_committed"],
  checkpointIdTwice: ["sync-failure-tolerated", "checkpoints"],
  lateAcknowledgementAccepted: ["sync-failure-tolerated", "checkpoints"],
  oneAcknowledgementMissing: ["ack-lost", "checkpoints"],
  checkpointsWithoutBound: ["pacing-concurrent", "pace"],
  olderCheckpointCompletesLast: ["expiry-tolerated", "checkpoints"],
  storeWithoutBound: ["retained", "retained"],
  abortSaysComplete: ["expiry-stalled", "order at SRC[0]"],
  oldNotificationDelivered: ["subsumed", "order at SRC[0]"],
  failureCountedTwice: ["expiry-stalled", "recoveries"],
  pendingWhileRestarting: ["sync-failure-tolerated", "checkpoints"],
  savepointGoesToStore: ["stop-drain", "retained"],
  savepointIsTold: ["savepoint", "order at SRC[0]"],
  attemptNumberSkipped: ["sync-failure-tolerated", "attempts"],
  regionForgetsConsumer: ["sync-failure-tolerated", "recoveries"],
  failuresNotCounted: ["fixed-delay-end", "status"],
  restoresAbortedCheckpoint: ["timeout", "checkpoints"],
  restoresOldestCheckpoint: ["retained", "recoveries"],
  newLeaderForgetsStore: ["fi-21", "recoveries"],
  newLeaderCountsAnew: ["fi-21", "checkpoints"],
  restoresNothing: ["sync-failure-tolerated", "checkpoints"],
  sourceForgetsOffset: ["sync-failure-tolerated", "checkpoints"],
  sourceSkipsRecord: ["sync-failure-tolerated", "SNK read_committed"],
  sourceReadsGroupOffset: ["sync-failure-tolerated", "SNK read_committed"],
  recoveredInputLast: ["unaligned-two-gates", "records out of order"],
  stateNotLoaded: ["sync-failure-tolerated", "SNK read_committed"],
  commitsAtBarrier: ["timeout", "SNK read_committed"],
  olderNotificationCommitsNewer: ["older-notification", "SNK read_committed"],
  abortsInsteadOfRecommit: ["fi-07", "SNK read_committed"],
  currentNotAbortedOnClose: ["no-restart", "SNK transactions"],
  leavesOldTransactions: ["lingering-end", "SNK transactions"],
  olderProducersNotFenced: ["sync-failure-tolerated", "SNK read_committed"],
  transactionNotHandedOver: ["sync-failure-tolerated", "checkpoints"],
  recordsArriveOutOfOrder: ["at-least-once-late", "SNK read_committed"],
  noMarkers: ["sync-failure-tolerated", "SNK read_committed"],
  notFlushedAtBarrier: ["sync-failure-tolerated", "checkpoints"],
  recordNotAppended: ["sync-failure-tolerated", "SNK read_committed"],
  stableOffsetGoesBack: ["fi-55", "SNK read_committed"],
  initialisingLeavesOngoing: ["two-failures", "checkpoints"],
  endsBeforeFinalCheckpoint: ["bounded-failure", "checkpoints"],
  finishedRunsAgain: ["finished-source", "order at SRCA[0]"],
};

/** Why no recorded run of real Flink tells these apart from an engine without the defect. */
export const beyond: Readonly<Record<string, string>> = {
  batchNotRecorded: "No run of real Flink with a write-ahead log sink is recorded.",
  connectionRepeats: "No run of real Flink with a socket source is recorded.",
  olderSnapshotTaken:
    "A connection keeps the order of its messages: no trigger for an older checkpoint can come behind a newer one.",
  oldAttemptAcknowledges:
    "Checkpoints that are pending end before a task restarts, so an old attempt has nothing to acknowledge; with pendingWhileRestarting it is shown (defects.test.ts).",
  sharedFilesDeletedTooEarly: "Operators here keep their state on the heap: no file is shared between checkpoints.",
  secondTriggerPhase:
    "A trigger phase goes on in the coordinator alone; tasks are triggered for both checkpoints in the same order with and without it.",
  tasksBeforeCoordinators:
    "An event to a reader and the trigger behind it are microseconds apart in one process, and nothing here can hold the one and let the other go.",
  restartsBeforeCanceled:
    "The engine ends the old attempts with such a restart, so it differs from Flink in the time alone, which is not compared.",
  triggersGoOnInStop:
    "Not recorded yet: it needs a checkpoint that is pending when the job is stopped with a savepoint.",
  savepointSubsumed:
    "Not recorded yet: it needs a savepoint that is pending while a later checkpoint completes, and an end of the run before the savepoint expires.",
  tableNotAsked: "The recorded jobs write to a log; none commits to a table.",
  partFileNotCutBack: "The recorded jobs write to a log; none writes files.",
  movesWithoutEdge:
    "It takes away the engine's check of its own state machines; what runs is the same until another defect uses it.",
  readsBeforeRecovered:
    "What was recovered is read at once here, before anything new comes; Flink gives no place to hold it back.",
  givenUpTransactionCommitted:
    "The log has the marker of the abort already: a commit behind it changes nothing that a reader sees.",
  startsFromOldest: "Not recorded yet, as no recording submits a second job: it needs two retained checkpoints.",
  keyedStateStaysWithNumber: "Not recorded yet, as no recording submits a second job: it needs another parallelism.",
  listStateToAll: "Not recorded yet, as no recording submits a second job: it needs another parallelism.",
  committablesOfGoneSubtasksLost:
    "Not recorded yet, as no recording submits a second job: it needs a sink that shrinks.",
  movedSplitBeginsAnew: "Not recorded yet, as no recording submits a second job: it needs fewer readers.",
  recordsInFlightLeftBehind:
    "Not recorded yet, as no recording submits a second job: it needs a retained unaligned checkpoint with data in flight.",
  claimsWhatIsNot: "Not recorded yet, as no recording submits a second job: files of storage are compared in none.",
  olderSubtasksNotProbed: "Not recorded yet, as no recording submits a second job: it needs a sink that shrinks.",
  completeWithFirstMarker:
    "Kafka's own: its coordinator writes the markers, and no recording stops it between two of them.",
  repeatAppendedAgain: "Kafka's own: no recording loses the answer to a batch.",
  pooledNameInUse: "Not recorded yet: every recording names its transactions by checkpoint.",
};
