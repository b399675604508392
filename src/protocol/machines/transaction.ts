import { defineMachine } from "../machine.ts";

/**
 * One transaction of a KafkaSink writer, from `beginTransaction` to its end in the log's transaction coordinator (SK-141
 * to SK-157, KF-011), or of a database (SK-131). RECYCLED: nothing was written, so there is nothing to decide (SK-142).
 * PREPARE_COMMIT, PREPARE_ABORT: decided, and the markers are on their way to the partitions (KF-015, KF-016). A part file
 * is one too: in progress, pending, finished (SK-180); a restore may write on in one that was closed since.
 */
export const transaction = defineMachine({
  name: "Transaction",
  initial: "NONE",
  states: {
    NONE: { begin: ["OPEN"] },
    OPEN: {
      preCommit: ["PRE_COMMITTED"],
      recycle: ["RECYCLED"],
      abort: ["ABORTED"],
      timeOut: ["TIMED_OUT"],
      prepareAbort: ["PREPARE_ABORT"],
    },
    PRE_COMMITTED: {
      commit: ["COMMITTED"],
      abort: ["ABORTED"],
      timeOut: ["TIMED_OUT"],
      prepareCommit: ["PREPARE_COMMIT"],
      prepareAbort: ["PREPARE_ABORT"],
      resume: ["OPEN"],
    },
    COMMITTED: {},
    ABORTED: {},
    TIMED_OUT: {},
    RECYCLED: {},
    PREPARE_COMMIT: { commit: ["COMMITTED"] },
    PREPARE_ABORT: { abort: ["ABORTED"], timeOut: ["TIMED_OUT"] },
  },
});
