/** What the fields of log entries hold (`events.ts`). */

/**
 * What a field's number stands for. `subtasks` and `ints` are lists, and a type's last field; all others are one number,
 * `-1` where there is none.
 */
export type FieldKind =
  | "subtask"
  | "subtasks"
  | "ints"
  | "uid"
  | "claimMode"
  | "restoreRefusal"
  | "operator"
  | "channel"
  | "taskManager"
  | "record"
  | "input"
  | "output"
  | "transaction"
  | "checkpoint"
  | "int"
  | "ms"
  | "bytes"
  | "bool"
  | "jobStatus"
  | "executionState"
  | "ending"
  | "failure"
  | "faultVerb"
  | "failoverScope"
  | "reason"
  | "checkpointKind"
  | "notificationKind"
  | "rpc"
  | "decider"
  | "commitAnswer"
  | "acknowledgementFate"
  | "channelSide"
  | "savepointFormat"
  | "operationAnswer"
  | "commitError"
  | "cutRefusal";

/** Kinds of fields that hold a list. */
export const lists: ReadonlySet<FieldKind> = new Set(["subtasks", "ints"]);
