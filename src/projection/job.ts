/** The job, its restarts, TaskManagers and faults (FR-010, FR-024, FR-035, FR-047, FR-080). */
import { at } from "../base/assert.ts";
import { failoverScopes, failureCauses, faultVerbs } from "../protocol/reasons.ts";
import { restartingRegions } from "../protocol/regions.ts";
import { type Handler, executionStates, jobStatuses, places } from "./fields.ts";
import { forgotten, remember } from "./restart-budget.ts";
import type { RestartView, RunView, TaskManagerView } from "./views.ts";

const statusChanged = places("JobStatusChanged");
const failed = places("TaskFailed");
const granted = places("LeadershipGranted");
const scheduled = places("RestartScheduled");
const restored = places("StateRestored");
const changed = places("TaskStateChanged");
const lost = places("TaskManagerLost");
const registered = places("TaskManagerRegistered");
const fault = places("FaultInjected");
const fatal = places("FatalError");

/** What fails without a task of its own makes everything restart (FR-046). */
export const jobStatusChanged: Handler = (view, log, step, clock) => {
  const to = jobStatuses[log.field(step, statusChanged.to)];
  const { failing, restarting } = view.job;
  const everything = to === "RESTARTING" && failing.length === 0 && restarting.length === 0;
  view.job = {
    ...view.job,
    since: clock,
    failing: everything ? [...view.subtasks.keys()] : to === "FAILING" ? [] : failing,
  };
};

/** The restart set of a failure: its region, or everything (FR-042, FR-045). */
export const failureKnown: Handler = (view, log, step) => {
  if (view.job.status === "FAILING") return;
  const { regions, graph } = view.shared;
  const chosen = restartingRegions(graph, regions, log.field(step, failed.subtask));
  const members = regions.flatMap((region, subtask) => (chosen.has(region) ? [subtask] : []));
  view.job = { ...view.job, failing: [...new Set([...view.job.failing, ...members])] };
};

/** A later restart takes its subtasks out of earlier ones. */
export const restartScheduled: Handler = (view, log, step, clock) => {
  const restarted = log.list(step, scheduled.restarted);
  const taken = new Set(restarted);
  const restart: RestartView = {
    step,
    scheduledAt: clock,
    delay: log.field(step, scheduled.delay),
    failures: log.field(step, scheduled.failures),
    scope: at(failoverScopes, log.field(step, scheduled.scope)),
    failure: failureCauses[log.field(step, scheduled.failure)] ?? null,
    restarted,
    restored: -1,
  };
  const others = view.job.restarting
    .map((other) => ({ ...other, restarted: other.restarted.filter((subtask) => !taken.has(subtask)) }))
    .filter((other) => other.restarted.length > 0);
  const { memory, restarts } = view.job;
  const strategy = view.shared.scenario.config.restartStrategy;
  view.job = {
    ...view.job,
    restarts: restarts + 1,
    restarting: [...others, restart],
    failing: [],
    memory: remember(strategy, memory, restart.failures, clock, restart.delay),
  };
};

/** Restarts that were granted are gone with the leader, and no TaskManager is registered with anybody. */
export const leadershipLost: Handler = (view) => {
  view.job = { ...view.job, restarting: [], failing: [], memory: forgotten, led: false };
  for (let taskManager = 0; taskManager < view.taskManagers.length; taskManager++)
    change(view, taskManager, { registered: false });
};

/** The new leader runs the whole job anew; no restart strategy is asked (FR-102). */
export const leadershipGranted: Handler = (view, log, step, clock) => {
  const restart: RestartView = {
    step,
    scheduledAt: clock,
    delay: 0,
    failures: 0,
    scope: "global",
    failure: null,
    restarted: [...view.subtasks.keys()],
    restored: -1,
  };
  view.job = { ...view.job, restarting: [restart], leader: log.field(step, granted.leader), led: true };
};

/** The coordinator restores once for each restart, before the first of its subtasks is given its state. */
export const restartRestored: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, restored.subtask);
  const checkpoint = log.field(step, restored.checkpoint);
  if (!view.job.restarting.some((restart) => restart.restarted.includes(subtask) && restart.restored !== checkpoint))
    return;
  const restarting = view.job.restarting.map((restart) =>
    restart.restarted.includes(subtask) ? { ...restart, restored: checkpoint } : restart,
  );
  view.job = { ...view.job, restarting };
  const { coordinator } = view;
  view.coordinator = { ...coordinator, restores: coordinator.restores + 1, lastRestore: { checkpoint, at: clock } };
};

/** A restart is over once all its subtasks run. */
export const restartFinished: Handler = (view, log, step) => {
  if (view.job.restarting.length === 0 || executionStates[log.field(step, changed.to)] !== "RUNNING") return;
  const subtask = log.field(step, changed.subtask);
  const runs = (other: number): boolean =>
    other === subtask || at(view.subtasks, other).state === "RUNNING" || at(view.subtasks, other).state === "FINISHED";
  const restarting = view.job.restarting.filter(
    ({ restarted }) => !restarted.includes(subtask) || !restarted.every(runs),
  );
  if (restarting.length < view.job.restarting.length) view.job = { ...view.job, restarting };
};

function change(view: RunView, taskManager: number, changes: Partial<TaskManagerView>): void {
  view.taskManagers[taskManager] = { ...at(view.taskManagers, taskManager), ...changes };
}

export const taskManagerLost: Handler = (view, log, step) =>
  change(view, log.field(step, lost.taskManager), { registered: false });

export const taskManagerRegistered: Handler = (view, log, step) =>
  change(view, log.field(step, registered.taskManager), { registered: true, alive: true });

/** A TaskManager ends its own process (FR-007). */
export const fatalError: Handler = (view, log, step) =>
  change(view, log.field(step, fatal.taskManager), { alive: false });

export const faultInjected: Handler = (view, log, step, clock) => {
  const verb = at(faultVerbs, log.field(step, fault.do));
  const taskManager = log.field(step, fault.taskManager);
  const subtask = log.field(step, fault.subtask);
  view.faults = [...view.faults, { step, clock, do: verb, subtask, taskManager, fault: log.field(step, fault.fault) }];
  if (taskManager < 0) return;
  if (verb === "kill-taskmanager") change(view, taskManager, { alive: false });
  if (verb === "restart-taskmanager") change(view, taskManager, { alive: true });
};
