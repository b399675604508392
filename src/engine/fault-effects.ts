/**
 * What each verb of the contract's `faults` does when it acts. What is sent takes its time like everything else. A late
 * part: most runs begin without any.
 */
import { at } from "../base/assert.ts";
import { transactionName } from "../protocol/ids.ts";
import { type FailureCause, type FaultVerb, failureCauses, rpcs } from "../protocol/reasons.ts";
import type { Command } from "../scenario/scenario.ts";
import { Storage, corrupt, isDown } from "./checkpoint-storage.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Leaderless, Ongoing, Process, Task, TaskManager, Txn } from "./layout.ts";
import { brokerDown, brokerUp } from "./log-broker/broker-process.ts";
import { ownerOf, rowOf } from "./log-broker/transactions.ts";
import { cut, heal } from "./cutting.ts";
import { Actor, Op } from "./ops.ts";
import { poison } from "./poison.ts";
import { slow } from "./slow.ts";
import { beginCut } from "./restore-cut.ts";
import { arm } from "./snapshot-failure.ts";
import { armCommitError } from "./sinks/commit-errors.ts";
import { armWriteError } from "./sinks/write-errors.ts";
import { addPartition, expireRecords, setRate } from "./sources/input-log.ts";
import { resumeTarget, stallTarget } from "./stall.ts";
import { requestSubmission } from "./waiting-submission.ts";

/** A command that acts now: its number, and what its target is in the job that runs. */
interface Asked {
  readonly command: Command;
  readonly index: number;
  /** `-1`: the target is no subtask, or one of another of the run's jobs. */
  readonly subtask: number;
  readonly taskManager: number;
}

/** The operation `faultEffect`: what the verb does. A target that cannot be hit now (it does not run) is not hit. */
export function faultEffect(k: Kernel, index: number, subtask: number, taskManager: number): void {
  const command = at(k.commands, index);
  const { target } = command;
  if (hitsSubtask.has(command.do) && target !== null && subtask < 0) return;
  if (command.do !== "suppress") effects[command.do](k, { command, index, subtask, taskManager });
}

/** Verbs whose target, where they have one, is a subtask. */
const hitsSubtask: ReadonlySet<FaultVerb> = new Set([
  "fail-task",
  "lose-rpc",
  "snapshot-failure",
  "commit-error",
  "sink-write-error",
]);

const askForSavepoint = (k: Kernel, { index }: Asked): void => k.after(0, Op.askForSavepoint, Actor.jobManager, index);
const submitAnew = (k: Kernel, { index }: Asked): void => requestSubmission(k, index);

const effects: { readonly [V in Exclude<FaultVerb, "suppress">]: (k: Kernel, asked: Asked) => void } = {
  "fail-task": (k, { command, subtask }) =>
    failTask(k, subtask, command.unrecoverable === true ? "UNRECOVERABLE_ERROR" : "USER_EXCEPTION"),
  "fail-vertex": (k, { command }) => failVertex(k, command),
  "poison-record": (k, { command }) => poison(k, command),
  "kill-taskmanager": (k, { taskManager }) => k.next(Op.killTaskManager, Actor.world, taskManager),
  "restart-taskmanager": (k, { taskManager }) => {
    if (k.world.taskManager(taskManager, TaskManager.alive) !== Process.gone)
      k.next(Op.killTaskManager, Actor.world, taskManager);
    k.next(Op.taskManagerStarts, Actor.world, taskManager);
  },
  "kill-jobmanager": (k, { command }) =>
    k.next(Op.killJobManager, Actor.world, command.for ?? k.plan.scenario.timing.takeover),
  "fail-job": (k) => k.after(0, Op.globalFailure, Actor.jobManager, failureCauses.indexOf("JOB_FAILURE")),
  "lose-rpc": (k, { command, subtask }) => loseRpc(k, command, subtask),
  stall: (k, { command, index }) => {
    stallTarget(k, command);
    if (command.for !== null) k.after(command.for, Op.resumeTask, Actor.world, index);
  },
  resume: (k, { index }) => k.next(Op.resumeTask, Actor.world, index),
  "expire-transaction": (k, { command, subtask }) => expireTransaction(k, command, subtask),
  // The oldest part file that is not finished; to its store it is a transaction.
  "expire-upload": (k, { command, subtask }) => expireTransaction(k, command, subtask),
  "expire-table-snapshots": (k, { command }) => k.next(Op.expireTableSnapshots, Actor.world, operatorOf(k, command)),
  "storage-down": (k, { command }) => storageDown(k, command),
  "storage-up": (k, { command: { what } }) =>
    storageUp(k, Storage[what === "ha" || what === "checkpoints" ? what : "all"]),
  "storage-corrupt": (k, { command }) => storageCorrupt(k, command),
  slow: (k, { command }) => slow(k, command.target ?? "", command.factor ?? 1, command.for),
  partition: (k, { command, index }) => {
    cut(k, command.between ?? [[], []]);
    if (command.for !== null) k.after(command.for, Op.heal, Actor.world, index);
  },
  heal: (k, { index }) => healAfter(k, index),
  "snapshot-failure": (k, { command, subtask }) => arm(k, command.part ?? "async", subtask, command.checkpoint),
  "commit-error": (k, { command, subtask }) => armCommitError(k, subtask, command.kind ?? "retriable", command.count),
  "trigger-checkpoint": (k) => k.after(0, Op.submit, Actor.jobManager, 0),
  "trigger-savepoint": askForSavepoint,
  "stop-with-savepoint": askForSavepoint,
  "cancel-with-savepoint": askForSavepoint,
  cancel: (k) => k.after(0, Op.cancelJob, Actor.jobManager),
  "add-partition": (k, { command }) => addPartition(k, command),
  "expire-records": (k, { command }) => expireRecords(k, command),
  "set-rate": (k, { command }) => setRate(k, command),
  restore: submitAnew,
  "restore-cut": (k, { index }) => beginCut(k, index),
  rescale: submitAnew,
  "broker-down": (k, { command }) => brokerDown(k, command.for),
  "broker-up": brokerUp,
  "sink-write-error": (k, { command, subtask }) =>
    armWriteError(k, subtask, command.kind ?? "retriable", command.count),
};

function storageCorrupt(k: Kernel, { checkpoint, what }: Command): void {
  corrupt(k, checkpoint ?? 0, what === "exclusive" || what === "shared" ? what : "all");
}

function storageDown(k: Kernel, command: Command): void {
  const what = Storage[command.what === "ha" || command.what === "all" ? command.what : "checkpoints"];
  const how = command.replyLost === true ? Storage.haReplies : 0;
  k.world.setJob(Job.storageDown, k.world.job(Job.storageDown) | what | how);
  if (command.for !== null) k.after(command.for, Op.storageUp, Actor.world, what);
}

/** The operation `storageUp`: what was out of reach is there again. */
export function storageUp(k: Kernel, what: number): void {
  const replies = (what & Storage.ha) === 0 ? 0 : Storage.haReplies;
  k.world.setJob(Job.storageDown, k.world.job(Job.storageDown) & ~(what | replies));
  readStoreAgain(k);
}

/** The store may be there again: a standby that waits for it goes on. */
function readStoreAgain(k: Kernel): void {
  if (k.world.job(Job.leaderless) !== Leaderless.waitsForStore || isDown(k, "ha")) return;
  k.world.setJob(Job.leaderless, Leaderless.yes);
  k.after(0, Op.takeOver, Actor.world);
}

/** The operation `heal`: a cut has lasted for as long as its command says. */
export function healAfter(k: Kernel, index: number): void {
  heal(k, at(k.commands, index).between);
  readStoreAgain(k);
}

function failTask(k: Kernel, subtask: number, cause: FailureCause): void {
  k.next(Op.taskFail, Actor.world, subtask, k.world.task(subtask, Task.attempt), failureCauses.indexOf(cause));
}

/** The operator of a command's uid; `-1`: the job has none. */
function operatorOf({ plan }: Kernel, { target }: Command): number {
  return plan.graph.operators.findIndex(({ vertex }) => vertex.uid === target);
}

function failVertex(k: Kernel, command: Command): void {
  const { operators, vertices } = k.plan.graph;
  const operator = operators[operatorOf(k, command)];
  if (operator !== undefined)
    for (const subtask of at(vertices, operator.taskVertex).subtasks) failTask(k, subtask, "USER_EXCEPTION");
}

function loseRpc(k: Kernel, { rpc, checkpoint, count }: Command, subtask: number): void {
  k.world.lostRpcs.push(
    rpcs.findIndex((known) => known === rpc),
    subtask,
    checkpoint ?? -1,
    count,
  );
}

/** The operation `resumeTask`: what a command has let stand still, or lets go on, goes on. */
export function resumeTask(k: Kernel, index: number): void {
  resumeTarget(k, at(k.commands, index));
}

/** The named transaction, or the oldest undecided one of the sink's subtask; the log gives it up now. */
function expireTransaction(k: Kernel, { target }: Command, subtask: number): void {
  const { ongoing, transactions } = k.world;
  for (let row = 0; row < ongoing.count; row++) {
    const transaction = ongoing.get(row, Ongoing.number);
    if (transactionName(k.plan.graph, transaction) !== target && (subtask < 0 || ownerOf(k, transaction) !== subtask))
      continue;
    k.next(Op.timeOutTransaction, Actor.broker, transaction, transactions.get(rowOf(k, transaction), Txn.epoch));
    return;
  }
}
