import { defineMachine } from "../machine.ts";

/**
 * The job as its JobMaster sees it (Flink's `JobStatus`; FR-010, FR-011). SUSPENDED: that JobMaster is gone with its
 * leader; where there is high availability the next leader's begins anew (FR-102).
 */
export const jobStatus = defineMachine({
  name: "JobStatus",
  initial: "INITIALIZING",
  states: {
    INITIALIZING: { built: ["CREATED"], fail: ["FAILED"], suspend: ["SUSPENDED"] },
    CREATED: { schedule: ["RUNNING"], cancel: ["CANCELLING"], suspend: ["SUSPENDED"] },
    RUNNING: {
      restart: ["RESTARTING"],
      deny: ["FAILING"],
      cancel: ["CANCELLING"],
      finish: ["FINISHED"],
      suspend: ["SUSPENDED"],
    },
    RESTARTING: { resume: ["RUNNING"], deny: ["FAILING"], cancel: ["CANCELLING"], suspend: ["SUSPENDED"] },
    FAILING: { settle: ["FAILED"], cancel: ["CANCELLING"], suspend: ["SUSPENDED"] },
    CANCELLING: { settle: ["CANCELED"], suspend: ["SUSPENDED"] },
    FINISHED: {},
    CANCELED: {},
    FAILED: {},
    SUSPENDED: { recover: ["INITIALIZING"] },
  },
});
