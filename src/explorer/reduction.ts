/**
 * Where one move will do. Once no failure is left, what only one actor has to do with, and what nothing that may still come
 * can hinder or change, makes no difference by when it comes: it is enough to look at the runs in which it comes first
 * (partial-order reduction by persistent sets of one). Each condition names what could interfere. Completion and commit
 * are never here: that one comes before the other is what the invariants are about.
 */
import { at } from "../base/assert.ts";
import type { Choices } from "../engine/choices.ts";
import { isSpent } from "../engine/faults.ts";
import type { Kernel } from "../engine/kernel.ts";
import { Due, Job, Mail, Savepoint, SavepointStage, Task } from "../engine/layout.ts";
import { MailKind } from "../engine/mailbox.ts";
import { type OpName, Op, opNames } from "../engine/ops.ts";
import { queuedSavepoints } from "../engine/savepoints.ts";
import { isStopping } from "../engine/stop-with-savepoint.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { ExecutionState, JobStatus, isTerminal } from "../engine/states.ts";

type Condition = (k: Kernel) => boolean;

/**
 * Nothing but a timer could end a thread now, and timers wait: no failure is on its way or armed, no fault of the scenario
 * still waits for its event, and whatever is to be started can be.
 */
const undisturbed: Condition = (k) => {
  const { world, plan } = k;
  if (
    world.job(Job.status) !== JobStatus.running ||
    isToEnd(k) ||
    world.plans.count + world.armed.count + world.cuts.count > 0
  )
    return false;
  for (let task = 0; task < world.layout.tasks; task++) {
    const state = world.task(task, Task.state);
    if (state === ExecutionState.canceling || isTerminal(state) || world.task(task, Task.stalled) !== 0) return false;
  }
  const { agenda } = world;
  for (let row = 0; row < agenda.count; row++) if (disturbs(k, row)) return false;
  return plan.scenario.faults.every(
    ({ at: moment, do: verb }, index) =>
      verb === "trigger-checkpoint" || verb === "trigger-savepoint" || moment.kind === "time" || isSpent(k, index),
  );
};

/** Is a savepoint under way with which the job ends? One that fails fails tasks; one that is complete may cancel them. */
function isToEnd({ world, commands }: Kernel): boolean {
  const { savepoints } = world;
  for (let row = 0; row < savepoints.count; row++) {
    const stage = savepoints.get(row, Savepoint.stage);
    if (stage !== SavepointStage.queued && stage !== SavepointStage.pending) continue;
    if (commands[savepoints.get(row, Savepoint.command)]?.do !== "trigger-savepoint") return true;
  }
  return isStopping(world);
}

/** Where files can be unreadable and transactions refused, a task that starts may fail. */
function startsSafely({ config, job, broker }: Scenario): boolean {
  return (
    config.state.storage === "jobmanager" &&
    job.vertices.every(
      (vertex) => vertex.type !== "kafka-sink" || vertex.transactionTimeout <= broker.transactionMaxTimeout,
    )
  );
}

/** Does a row bring a failure about? An answer does where an event has not arrived. */
function disturbs({ world: { agenda } }: Kernel, row: number): boolean {
  const op = agenda.get(row, Due.op);
  return disturbing.has(op) || (op === Op.eventAnswered && agenda.get(row, Due.d) === 0);
}

const disturbing: ReadonlySet<number> = new Set([
  Op.failure,
  Op.connectionLost,
  Op.taskManagerUnreachable,
  Op.globalFailure,
  Op.failReader,
  Op.askForSavepoint,
  Op.cancelJob,
]);

/** Nobody asks for a checkpoint, which is only triggered once all tasks run. */
const asksForNoCheckpoint: Condition = (k) =>
  k.world.agenda.find(Due.op, Op.submit) < 0 &&
  k.world.agenda.find(Due.op, Op.askForSavepoint) < 0 &&
  k.plan.scenario.faults.every((_, index) => isSpent(k, index));

/** No commit is on its way that a new producer could fence, and no marker that it would have to wait for. */
const nothingToFence: Condition = ({ world: { agenda } }) =>
  agenda.find(Due.op, Op.brokerCommit) < 0 && agenda.find(Due.op, Op.writeMarker) < 0;

/** Every task is on its way out, so that all that can be learned of one is that it has gone. */
const allLeave: Condition = ({ world }) => {
  for (let task = 0; task < world.layout.tasks; task++) {
    const state = world.task(task, Task.state);
    if (state !== ExecutionState.canceling && !isTerminal(state)) return false;
  }
  return true;
};

/** No barrier can come between two records of a source any more, but by a timer. */
const noTriggerComes: Condition = (k) => {
  const { world } = k;
  return (
    asksForNoCheckpoint(k) &&
    world.job(Job.queuedManual) + world.job(Job.queuedPeriodic) + queuedSavepoints(k) === 0 &&
    world.agenda.find(Due.op, Op.receiveTrigger) < 0 &&
    world.mails.find(Mail.kind, MailKind.trigger) < 0
  );
};

/** One sink's subtask is all that writes, so nobody else's entries come between its own. */
const writesAlone: Condition = ({ plan }) => plan.writers === 1;

/** Records of a source that no trigger can reach; of a task with one input and no sink, which a notification leaves alone. */
const readsAnyway = (k: Kernel, task: number): boolean => {
  if (at(k.plan.sinksOf, task).length > 0) return false;
  return (k.plan.source[task] as number) >= 0 ? noTriggerComes(k) : at(k.plan.graph.subtasks, task).inputs.length === 1;
};

const hasNoSink = (k: Kernel, task: number): boolean => at(k.plan.sinksOf, task).length === 0;

const conditions: { readonly [N in OpName]?: (k: Kernel, task: number) => boolean } = {
  taskStopped: () => true,
  failure: allLeave,
  taskStart: undisturbed,
  loadState: undisturbed,
  probe: (k) => nothingToFence(k) && undisturbed(k),
  reportState: (k) => allLeave(k) || (asksForNoCheckpoint(k) && undisturbed(k)),
  taskRun: (k, task) => readsAnyway(k, task) && undisturbed(k),
  taskTurn: (k, task) => readsAnyway(k, task) && undisturbed(k),
  snapshotTaken: (k) => nothingToFence(k) && undisturbed(k),
  asyncDone: undisturbed,
  receiveComplete: (k, task) => hasNoSink(k, task) && undisturbed(k),
  append: (k) => writesAlone(k) && undisturbed(k),
  commitReply: undisturbed,
  registerReader: undisturbed,
  receiveEvent: undisturbed,
  eventAnswered: (k) => asksForNoCheckpoint(k) && undisturbed(k),
};

const table = opNames.map((name) => conditions[name]);

/** A choice beside which no other needs to be looked at; `-1`: there is none. */
export function enough(k: Kernel, { count, rows }: Choices): number {
  const { agenda } = k.world;
  if (!startsSafely(k.plan.scenario)) return -1;
  for (let choice = 0; choice < count; choice++) {
    const row = rows[choice] as number;
    if (table[agenda.get(row, Due.op)]?.(k, agenda.get(row, Due.a)) === true) return choice;
  }
  return -1;
}
