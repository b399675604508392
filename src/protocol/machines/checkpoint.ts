import { defineMachine } from "../machine.ts";

/**
 * One checkpoint in the JobManager, from `PendingCheckpoint` to `CompletedCheckpoint` and its end. FINALIZING is the time
 * between written metadata and stored pointer; COMPLETED is the commit point (CP-122, CP-123, FR-087). One whose
 * coordinator is gone is ABORTED too, though nobody is told (FR-101). A savepoint is COMPLETED without going to the store,
 * so nothing subsumes it (CP-125).
 * What was given up because the store did not answer a
 * new leader may find there (FI-25).
 */
export const checkpoint = defineMachine({
  name: "Checkpoint",
  initial: "PENDING",
  states: {
    PENDING: { finalize: ["FINALIZING"], abort: ["ABORTED"] },
    FINALIZING: { store: ["COMPLETED"], abort: ["ABORTED"] },
    COMPLETED: { subsume: ["SUBSUMED"] },
    ABORTED: { recover: ["COMPLETED"] },
    SUBSUMED: {},
  },
});
