import { defineMachine } from "../machine.ts";

/**
 * The part of one subtask in one checkpoint (`AsyncCheckpointRunnable`; CP-100 to CP-106): frozen, written out,
 * acknowledged, or thrown away by an abort or by the end of its attempt.
 */
export const subtaskSnapshot = defineMachine({
  name: "SubtaskSnapshot",
  initial: "NONE",
  states: {
    NONE: { freeze: ["RUNNING"] },
    RUNNING: { persist: ["COMPLETED"], discard: ["DISCARDED"] },
    COMPLETED: { acknowledge: ["ACKNOWLEDGED"] },
    ACKNOWLEDGED: {},
    DISCARDED: {},
  },
});
