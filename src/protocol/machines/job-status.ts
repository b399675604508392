import { defineMachine } from "../machine.ts";

/** The job as its JobMaster sees it (Flink's `JobStatus`; FR-010, FR-011). */
export const jobStatus = defineMachine({
  name: "JobStatus",
  initial: "INITIALIZING",
  states: {
    INITIALIZING: { built: ["CREATED"] },
    CREATED: { schedule: ["RUNNING"] },
    RUNNING: { restart: ["RESTARTING"], deny: ["FAILING"], cancel: ["CANCELLING"], finish: ["FINISHED"] },
    RESTARTING: { resume: ["RUNNING"], deny: ["FAILING"], cancel: ["CANCELLING"] },
    FAILING: { settle: ["FAILED"] },
    CANCELLING: { settle: ["CANCELED"] },
    FINISHED: {},
    CANCELED: {},
    FAILED: {},
  },
});
