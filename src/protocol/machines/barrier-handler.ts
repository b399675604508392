import { defineMachine } from "../machine.ts";

/**
 * The barrier handler of a task with inputs (`SingleCheckpointBarrierHandler`; CP-040 to CP-048). A barrier leaves it
 * collecting, or completes the alignment and leaves it waiting for the first barrier of the next checkpoint.
 */
export const barrierHandler = defineMachine({
  name: "BarrierHandler",
  initial: "WAITING",
  states: {
    WAITING: { barrier: ["COLLECTING"] },
    COLLECTING: { aligned: ["WAITING"], abort: ["WAITING"] },
  },
});
