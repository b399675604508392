/** Numbers of the states that the engine sets by name; they follow the order of the tables. */
import { executionState } from "../protocol/machines/execution-state.ts";
import { jobStatus } from "../protocol/machines/job-status.ts";

const numberIn = (table: { readonly states: object }, state: string): number =>
  Object.keys(table.states).indexOf(state);

export const ExecutionState = {
  created: numberIn(executionState, "CREATED"),
  scheduled: numberIn(executionState, "SCHEDULED"),
  deploying: numberIn(executionState, "DEPLOYING"),
  initializing: numberIn(executionState, "INITIALIZING"),
  running: numberIn(executionState, "RUNNING"),
  canceling: numberIn(executionState, "CANCELING"),
  finished: numberIn(executionState, "FINISHED"),
  canceled: numberIn(executionState, "CANCELED"),
  failed: numberIn(executionState, "FAILED"),
} as const;

export const JobStatus = {
  initializing: numberIn(jobStatus, "INITIALIZING"),
  created: numberIn(jobStatus, "CREATED"),
  running: numberIn(jobStatus, "RUNNING"),
  restarting: numberIn(jobStatus, "RESTARTING"),
  cancelling: numberIn(jobStatus, "CANCELLING"),
  failing: numberIn(jobStatus, "FAILING"),
  failed: numberIn(jobStatus, "FAILED"),
  canceled: numberIn(jobStatus, "CANCELED"),
  finished: numberIn(jobStatus, "FINISHED"),
  suspended: numberIn(jobStatus, "SUSPENDED"),
} as const;

export function isTerminal(state: number): boolean {
  return state === ExecutionState.finished || state === ExecutionState.canceled || state === ExecutionState.failed;
}

/** Has the job come to its end? */
export function isTerminalStatus(status: number): boolean {
  return status === JobStatus.failed || status === JobStatus.canceled || status === JobStatus.finished;
}
