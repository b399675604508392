/**
 * What can be due: the operations of the agenda. An operation is data (a number, an actor, four words, a cause), so a
 * clone of a world has its whole future, and components hand over to each other by operation, not by call.
 */
const names = [
  // task thread
  "taskRun",
  "taskTurn",
  "recordDone",
  "process",
  "send",
  "taskFree",
  // barrier handler and snapshot
  "abortAlignment",
  "takeBarrier",
  "blockChannel",
  "aligned",
  "resumeChannel",
  "checkpointState",
  "preCommit",
  "emitBarriers",
  "emitBarrier",
  "emitCancelMarker",
  "syncPart",
  "snapshotTaken",
  "asyncDone",
  "discardSnapshot",
  "startAsync",
  // writer, committer, log
  "append",
  "beginTransaction",
  "initializeId",
  "commitNext",
  "brokerCommit",
  "commitReply",
  "abortCurrent",
  "timeOutTransaction",
  "probe",
  "producersReady",
  "commitOffsets",
  // start and end of an attempt on its TaskManager
  "taskStart",
  "loadState",
  "rewind",
  "openOperators",
  "taskRunning",
  "taskFail",
  "cancelTask",
  "taskStopped",
  "resumeTask",
  // checkpoint coordinator
  "periodicTrigger",
  "decide",
  "rejectQueued",
  "acknowledge",
  "submit",
  "decline",
  "finalize",
  "store",
  "subsume",
  "notifyComplete",
  "abortPending",
  "notifyAborted",
  "expire",
  "receiveTrigger",
  "receiveComplete",
  "receiveAborted",
  "messageLost",
  "fileWritten",
  "fileReused",
  "fileDeleted",
  // scheduler and failover
  "startJob",
  "setJobStatus",
  "setTaskState",
  "reportState",
  "failure",
  "restartSet",
  "cancelAttempt",
  "scheduleRestart",
  "restartDue",
  "createAttempt",
  "restoreState",
  "allocate",
  "deploy",
  "releaseSlot",
  "slotTimeout",
  "killTaskManager",
  "connectionLost",
  "taskManagerUnreachable",
  "taskManagerTimeout",
  "loseTaskManager",
  "taskManagerStarts",
  "registerTaskManager",
  "settleJob",
  "globalFailure",
  "slotFailed",
  // faults and operations
  "fault",
  "faultEffect",
  "storageUp",
  "slowEnds",
  "heartbeatTimeout",
  "heal",
] as const;

export type OpName = (typeof names)[number];

export const opNames: readonly OpName[] = names;

export const Op = Object.fromEntries(names.map((name, index) => [name, index])) as { readonly [N in OpName]: number };

/** Actors that are no task. An operation of a task falls with the task's thread; one of the wire arrives in any case. */
export const Actor = { jobManager: -1, broker: -2, wire: -3, world: -4 } as const;
