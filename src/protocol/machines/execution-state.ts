import { defineMachine } from "../machine.ts";

/**
 * One execution attempt as the JobManager sees it (Flink's `ExecutionState`; FR-001, FR-002). With a JobMaster that is gone
 * its executions are CANCELED at once (`Execution.suspend`).
 */
export const executionState = defineMachine({
  name: "ExecutionState",
  initial: "CREATED",
  states: {
    CREATED: { schedule: ["SCHEDULED"], cancel: ["CANCELED"] },
    SCHEDULED: { deploy: ["DEPLOYING"], cancel: ["CANCELED"], fail: ["FAILED"] },
    DEPLOYING: { initialize: ["INITIALIZING"], cancel: ["CANCELING"], fail: ["FAILED"], suspend: ["CANCELED"] },
    INITIALIZING: { run: ["RUNNING"], cancel: ["CANCELING"], fail: ["FAILED"], suspend: ["CANCELED"] },
    RUNNING: { finish: ["FINISHED"], cancel: ["CANCELING"], fail: ["FAILED"], suspend: ["CANCELED"] },
    CANCELING: { confirm: ["CANCELED"] },
    FINISHED: {},
    CANCELED: {},
    FAILED: {},
  },
});
