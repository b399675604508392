import { defineMachine } from "../machine.ts";

/** One execution attempt as the JobManager sees it (Flink's `ExecutionState`; FR-001, FR-002). */
export const executionState = defineMachine({
  name: "ExecutionState",
  initial: "CREATED",
  states: {
    CREATED: { schedule: ["SCHEDULED"], cancel: ["CANCELED"] },
    SCHEDULED: { deploy: ["DEPLOYING"], cancel: ["CANCELED"], fail: ["FAILED"] },
    DEPLOYING: { initialize: ["INITIALIZING"], cancel: ["CANCELING"], fail: ["FAILED"] },
    INITIALIZING: { run: ["RUNNING"], cancel: ["CANCELING"], fail: ["FAILED"] },
    RUNNING: { finish: ["FINISHED"], cancel: ["CANCELING"], fail: ["FAILED"] },
    CANCELING: { confirm: ["CANCELED"] },
    FINISHED: {},
    CANCELED: {},
    FAILED: {},
  },
});
