import { defineMachine } from "../machine.ts";

/**
 * The barrier handler of a task with inputs (`SingleCheckpointBarrierHandler`; CP-040 to CP-048). A barrier leaves it
 * collecting, or completes the alignment and leaves it waiting for the first barrier of the next checkpoint. Where a
 * barrier may overtake data it is unaligned from an unaligned barrier or a timeout on (`Alternating…`; CP-072 to CP-079):
 * it takes its snapshot with the first barrier and goes on collecting the others.
 */
export const barrierHandler = defineMachine({
  name: "BarrierHandler",
  initial: "WAITING",
  states: {
    WAITING: { barrier: ["COLLECTING"], timeout: ["WAITING_UNALIGNED"], unaligned: ["COLLECTING_UNALIGNED"] },
    COLLECTING: { aligned: ["WAITING"], abort: ["WAITING"], unaligned: ["COLLECTING_UNALIGNED"] },
    WAITING_UNALIGNED: { abort: ["WAITING"], unaligned: ["COLLECTING_UNALIGNED"] },
    COLLECTING_UNALIGNED: { received: ["WAITING"], abort: ["WAITING"] },
  },
});
