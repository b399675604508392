import { defineMachine } from "../machine.ts";

/**
 * One transaction of a KafkaSink writer, from `beginTransaction` to its end in the log's transaction coordinator (SK-141
 * to SK-157, KF-011). RECYCLED: nothing was written, so there is nothing to decide (SK-142).
 */
export const transaction = defineMachine({
  name: "Transaction",
  initial: "NONE",
  states: {
    NONE: { begin: ["OPEN"] },
    OPEN: { preCommit: ["PRE_COMMITTED"], recycle: ["RECYCLED"], abort: ["ABORTED"], timeOut: ["TIMED_OUT"] },
    PRE_COMMITTED: { commit: ["COMMITTED"], abort: ["ABORTED"], timeOut: ["TIMED_OUT"] },
    COMMITTED: {},
    ABORTED: {},
    TIMED_OUT: {},
    RECYCLED: {},
  },
});
