import { defineMachine } from "../machine.ts";

/**
 * One checkpoint in the JobManager, from `PendingCheckpoint` to `CompletedCheckpoint` and its end. FINALIZING is the time
 * between written metadata and stored pointer; COMPLETED is the commit point (CP-122, CP-123, FR-087). `lose`: its
 * coordinator is gone, and nobody is told (FR-101).
 */
export const checkpoint = defineMachine({
  name: "Checkpoint",
  initial: "PENDING",
  states: {
    PENDING: { finalize: ["FINALIZING"], abort: ["ABORTED"], lose: ["ABORTED"] },
    FINALIZING: { store: ["COMPLETED"], abort: ["ABORTED"], lose: ["ABORTED"] },
    COMPLETED: { subsume: ["SUBSUMED"] },
    ABORTED: {},
    SUBSUMED: {},
  },
});
