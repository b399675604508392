/** When the next checkpoint begins by itself, and why it has not begun yet (CP-003 to CP-014). */
import { fireFrom, periodOf } from "./coordinator.ts";
import type { RunView } from "./views.ts";

export type NextTrigger =
  /** The job is over. */
  | { readonly kind: "ended" }
  /** There is no JobManager; with a standby there will be one. */
  | { readonly kind: "leaderless"; readonly standby: boolean }
  /** No interval: only what is asked for by hand. */
  | { readonly kind: "off" }
  /** The job is to end with a savepoint (CP-164). */
  | { readonly kind: "stopped" }
  /** Not every task is RUNNING: the periodic trigger is stopped until all are. */
  | { readonly kind: "suspended"; readonly restarting: boolean; readonly running: number; readonly of: number }
  /** Requests wait: as many checkpoints are pending as may be. */
  | { readonly kind: "queued"; readonly requests: number; readonly pending: readonly number[]; readonly most: number }
  /** The minimum pause after the last one keeps it until then. */
  | { readonly kind: "pause"; readonly at: number; readonly pause: number; readonly after: number }
  | { readonly kind: "at"; readonly at: number; readonly every: number }
  /** The first delay is drawn between the two (CP-003). */
  | { readonly kind: "between"; readonly from: number; readonly to: number };

const over: ReadonlySet<string> = new Set(["FINISHED", "FAILED", "CANCELED", "FAILING", "CANCELLING"]);

export function nextTrigger(view: RunView): NextTrigger {
  const { coordinator, job, subtasks, clock } = view;
  const { minPause, maxConcurrent } = view.shared.scenario.config.checkpointing;
  const { queued, pending, schedulerSince, lastCompletion } = coordinator;
  const period = periodOf(view);
  if (over.has(job.status)) return { kind: "ended" };
  if (coordinator.stopped && job.led) return { kind: "stopped" };
  if (!job.led) return { kind: "leaderless", standby: view.shared.scenario.config.state.highAvailability };
  if (queued > 0 && pending.length > 0) return { kind: "queued", requests: queued, pending, most: maxConcurrent };
  if (period === null) return { kind: "off" };
  if (schedulerSince < 0) {
    const running = subtasks.filter(({ state }) => state === "RUNNING" || state === "FINISHED").length;
    return {
      kind: "suspended",
      restarting: job.status === "RESTARTING" || job.restarting.length > 0,
      running,
      of: subtasks.length,
    };
  }
  if (coordinator.nextFire < 0)
    return { kind: "between", from: schedulerSince + minPause, to: schedulerSince + period };
  const next = fireFrom(coordinator.nextFire, period, clock);
  const free = lastCompletion < 0 ? -1 : lastCompletion + minPause;
  if (minPause > 0 && free > clock && next <= free)
    return { kind: "pause", at: free, pause: minPause, after: coordinator.restoreCandidate };
  return { kind: "at", at: next, every: period };
}
