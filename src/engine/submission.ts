/**
 * A job is submitted: the scenario's own when the run begins, and others by the operations `restore` and `rescale` when the
 * one before is over (`Dispatcher.submitJob`, `CheckpointCoordinator.restoreSavepoint`, `DefaultScheduler`; CP-170 to
 * CP-172, FR-115, FR-116, INV-043). A new job has a plan and a world of its own; what is outside of jobs goes on: the log
 * with its transactions, storage, TaskManagers and cuts, and what is still to happen to them. Two jobs never run at once.
 *
 * Simpler than Flink: a subtask that is slow or stands still, and a message or a part of a snapshot that is to fail at a
 * certain subtask, are over with their job.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { type RestoreRefusal, claimModes, restoreRefusals } from "../protocol/reasons.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { hasOldConnector } from "../scenario/connector.ts";
import { type RestoreCheck, checkRestore } from "../scenario/restore-check.ts";
import { matchedOperators } from "../scenario/state-mapping.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { beginAgain } from "./failover.ts";
import { emptyWorld } from "./first-job.ts";
import type { Kernel } from "./kernel.ts";
import { Cut, Due, Input, Job, LostRpc, Pending, Process, Stage, TaskManager } from "./layout.ts";
import { Node } from "./network-cuts.ts";
import { Actor, Op } from "./ops.ts";
import { type Former, type Plan, compile } from "./plan.ts";
import { carryPoison } from "./poison.ts";
import type { Rows } from "./rows.ts";
import { type Stored, claim, findStored, isReadable, shelveLeft } from "./shelf.ts";
import { snapshotSummary } from "./snapshot-summary.ts";
import { type Assigned, assignState, readersIn } from "./state-assignment.ts";
import { type StateObject, handleFor, objectsIn } from "./state-files.ts";
import { JobStatus } from "./states.ts";
import { beginDiscovery } from "./sources/source-coordinator.ts";
import { startJob } from "./scheduler.ts";
import type { World } from "./world.ts";

const { jobManager } = Actor;

/** The operation `submitJob`: from here on the run is one of another job. */
export function submitJob(k: Kernel, command: number): void {
  shelveLeft(k);
  const before = k.world;
  const order = at(k.commands, command);
  const start = startOf(k, order);
  const { stored, plan, refusal } = start;
  goOnWith(k, plan, command);
  k.draft.list = plan.graph.readers.flat();
  k.emit(
    "JobSubmitted",
    k.submission,
    command,
    stored?.checkpoint ?? 0,
    stored?.savepoint === true ? 1 : 0,
    stored?.drawn === true ? -1 : claimModes.indexOf(order.claimMode ?? "NO_CLAIM"),
    stored?.submission ?? -1,
  );
  if (before.job(Job.leaderless) > 0) registerAll(k);
  const uid = (name: string): number => plan.graph.uids.indexOf(name);
  if (refusal !== null) {
    // FR-115: the JobMaster is not built; no task is deployed and no restart strategy asked.
    k.next(Op.refuseRestore, jobManager, restoreRefusals.indexOf(refusal.reason), uid(refusal.uid));
    k.next(Op.setJobStatus, jobManager, JobStatus.failed);
    return;
  }
  for (const name of start.dropped) k.next(Op.dropState, jobManager, uid(name));
  if (stored === null) return startJob(k);
  takeIn(k, stored, assignState(k, stored, plan), order);
  k.next(Op.setJobStatus, jobManager, JobStatus.created);
  k.next(Op.setJobStatus, jobManager, JobStatus.running);
  beginAgain(k, [...plan.graph.subtasks.keys()], true);
}

/** What a new job starts from: nothing, or a snapshot, which may be refused. */
interface Start {
  readonly plan: Plan;
  readonly stored: Stored | null;
  readonly refusal: RestoreCheck["refusal"];
  /** Uids of operators whose state is left out. */
  readonly dropped: readonly string[];
}

function startOf(k: Kernel, order: Command): Start {
  const { graph } = k.plan;
  const scenario: Scenario = { ...k.plan.scenario, ...order.submission };
  const without = (reason: RestoreRefusal | null): Start => ({
    plan: compile(scenario, { graph, readers: null, former: null }),
    stored: null,
    refusal: reason === null ? null : { reason, uid: "" },
    dropped: [],
  });
  if (order.from === undefined || order.from === "none") return without(null);
  const stored = findStored(k, order.from);
  if (stored === null) return without("NO_SUCH_SNAPSHOT");
  if (!isReadable(k, stored)) return { ...without("METADATA_NOT_READABLE"), stored };
  const draft = executionGraph(scenario, { graph, readers: [] });
  const readers = readersIn(k.arena, stored, draft);
  const { operators, refusal } = checkStored(k, stored, { ...draft, readers }, order);
  const used = refusal === null ? readers : null;
  const former = refusal === null ? formerOf(stored, draft) : null;
  const dropped = operators.flatMap(({ uid, fate }) => (fate === "dropped" ? [uid] : []));
  return { plan: compile(scenario, { graph, readers: used, former }), stored, refusal, dropped };
}

/** The job's own world, in which all that is outside of jobs stays as it is. */
function goOnWith(k: Kernel, plan: Plan, command: number): void {
  const before = k.world;
  const place = before.job(Job.submission);
  const submission = k.addSubmission({ plan, number: k.submission + 1, before: place, command });
  const world = emptyWorld(plan);
  outlive(before, world);
  carryPoison(before, k.plan.graph, world, plan.graph);
  world.setJob(Job.submission, submission);
  k.enter(world);
  beginDiscovery(k);
}

/** The prefixes that sinks wrote under: their writers' state names them (SK-155). */
function formerOf(stored: Stored, graph: ExecutionGraph): Former {
  const { plan, checkpoint } = stored;
  const sinks = matchedOperators(plan.graph, graph).map((operator) => {
    const sink = plan.operators[operator]?.sink;
    if (sink === undefined || sink === null || sink.kind !== "kafkaTransactional")
      return { prefix: -1, parallelism: 0, naming: null };
    const { parallelism } = at(plan.graph.operators, operator).vertex;
    return { prefix: sink.number, parallelism, naming: hasOldConnector(plan.scenario) ? null : sink.naming };
  });
  return { checkpoint, sinks };
}

function checkStored(k: Kernel, stored: Stored, graph: ExecutionGraph, order: Command): RestoreCheck {
  return checkRestore(snapshotSummary(k.arena, stored), {
    graph,
    maximumIsSet: (order.submission?.job ?? k.plan.scenario.job).maxParallelism !== null,
    allowNonRestoredState: order.allowNonRestoredState === true,
    furthest: graph.inputs.map(({ index }) => k.world.input(index, Input.furthest)),
  });
}

/** The TaskManagers that a lost JobManager left register with the next one. */
function registerAll(k: Kernel): void {
  const { world, plan } = k;
  plan.graph.taskManagers.forEach((_, taskManager) => {
    if (world.taskManager(taskManager, TaskManager.alive) !== Process.gone)
      k.after(plan.scenario.timing.rpc, Op.registerTaskManager, Actor.wire, taskManager);
  });
}

/** What goes on when a job is over: what the log, TaskManagers, storage and the world are still to do. */
const outside: ReadonlySet<number> = new Set([
  Op.fault,
  Op.storageUp,
  Op.brokerUp,
  Op.heal,
  Op.resumeTask,
  Op.timeOutTransaction,
  Op.writeMarker,
  Op.writeBackground,
  Op.completeTransaction,
  Op.brokerCommit,
  Op.databaseCommit,
  Op.tableCommit,
  Op.commitFiles,
  Op.taskManagerTimeout,
  Op.taskManagerUnreachable,
  Op.taskManagerStarts,
  Op.registerTaskManager,
  Op.heartbeatTimeout,
]);

function outlive(before: World, world: World): void {
  world.continueFrom(before);
  for (const word of [
    Job.files,
    Job.storageDown,
    Job.leader,
    Job.initialDelayStream,
    Job.jitterStream,
    Job.routingStream,
  ])
    world.setJob(word, before.job(word));
  for (const [from, to] of [
    [before.transactions, world.transactions],
    [before.ongoing, world.ongoing],
    [before.files, world.files],
    [before.shelf, world.shelf],
    [before.rates, world.rates],
    [before.omitted, world.omitted],
    [before.groupOffsets, world.groupOffsets],
    [before.recorded, world.recorded],
    [before.tableSnapshots, world.tableSnapshots],
  ] as const)
    to.copyFrom(from);
  const channels = Node.firstTaskManager + before.taskManagers;
  copyWhere(before.cuts, world.cuts, (row) => before.cuts.get(row, Cut.a) < channels);
  copyWhere(before.lostRpcs, world.lostRpcs, (row) => before.lostRpcs.get(row, LostRpc.task) < 0);
  copyWhere(before.agenda, world.agenda, (row) => outside.has(before.agenda.get(row, Due.op)));
  copyWhere(before.held, world.held, (row) => outside.has(before.held.get(row, Due.op)));
  world.takeOutside(before);
}

function copyWhere(from: Rows, to: Rows, keeps: (row: number) => boolean): void {
  for (let row = 0; row < from.count; row++) {
    if (!keeps(row)) continue;
    to.push(...Array.from({ length: from.width }, (_, column) => from.get(row, column)));
  }
}

/** The snapshot is the newest entry of the new job's store, and its files are there to be read (CP-170, CP-171). */
function takeIn(k: Kernel, stored: Stored, { words, from, coordinators }: Assigned, order: Command): void {
  const { world } = k;
  const { checkpoint } = stored;
  world.addPending(checkpoint);
  [...words, ...coordinators].forEach((word, place) => world.setPending(0, Pending.SIZE + place, word));
  world.setPending(0, Pending.acknowledged, words.length);
  world.storePending(0);
  world.removePending(0);
  world.setJob(Job.nextCheckpoint, k.decisions.countsIdsOn() ? checkpoint + 1 : 1);
  const numbers = new Set<number>();
  const claims = k.decisions.claims(order.claimMode ?? "NO_CLAIM");
  const builds = claims || order.claimMode === "LEGACY";
  from.forEach((origins, task) => {
    const same = origins.size === 1 && words[task] === at(stored.words, [...origins][0] ?? -1);
    const objects = [...origins].flatMap((origin) =>
      objectsIn(k, at(stored.objects, origin)).flatMap((object) => inJob(k, stored, object, task, builds && same)),
    );
    for (const { file } of objects) if (file > 0) numbers.add(file);
    if (objects.length > 0) world.manifests.push(task, -1, checkpoint, Stage.acknowledged, handleFor(k, objects));
  });
  if (claims) claim(k, stored, numbers, world.job(Job.submission));
}

/** An object of the snapshot as one of the new job's subtask; nothing where it does not have that operator. */
function inJob(k: Kernel, { plan }: Stored, object: StateObject, task: number, builds: boolean): StateObject[] {
  const { graph } = k.plan;
  const own = at(graph.vertices, at(graph.subtasks, task).taskVertex).operators;
  const uid = plan.graph.operators[object.operator]?.vertex.uid;
  const operator =
    object.operator < 0 ? object.operator : graph.operators.findIndex(({ vertex }) => vertex.uid === uid);
  if (operator >= 0 && !own.includes(operator)) return [];
  return [{ ...object, operator, local: builds ? object.local : 0, fresh: false }];
}
