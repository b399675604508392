import type { MachineTable } from "../machine.ts";
import { barrierHandler } from "./barrier-handler.ts";
import { checkpoint } from "./checkpoint.ts";
import { executionState } from "./execution-state.ts";
import { jobStatus } from "./job-status.ts";
import { subtaskSnapshot } from "./subtask-snapshot.ts";
import { transaction } from "./transaction.ts";

/** Every table; the place in this list is the machine's number in the log. */
export const machines = [
  executionState,
  jobStatus,
  checkpoint,
  barrierHandler,
  subtaskSnapshot,
  transaction,
] as const satisfies readonly MachineTable[];

export const Machine = {
  executionState: 0,
  jobStatus: 1,
  checkpoint: 2,
  barrierHandler: 3,
  subtaskSnapshot: 4,
  transaction: 5,
} as const;
