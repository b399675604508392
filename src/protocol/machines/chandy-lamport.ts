import { defineMachine } from "../machine.ts";

/**
 * A process in the distributed snapshot of Chandy and Lamport (CP-230 to CP-232). RECORDED: it has recorded its own state
 * and records what comes on the channels whose marker it awaits. Not among the machines of the log: no job has it.
 */
export const chandyLamportProcess = defineMachine({
  name: "ChandyLamportProcess",
  initial: "IDLE",
  states: {
    IDLE: { initiate: ["RECORDED", "COMPLETE"], marker: ["RECORDED", "COMPLETE"] },
    RECORDED: { marker: ["RECORDED", "COMPLETE"] },
    COMPLETE: {},
  },
});
