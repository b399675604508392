/**
 * Cuts of the network (the contract's `partition` and `heal`; FR-023 to FR-025). As with TCP, what is sent across a cut
 * waits and arrives when it is healed, in the order in which it would have come; records that had arrived before are
 * there. The JobManager gives a TaskManager up of which it hears nothing for `heartbeat.detect`; the TaskManager fails its
 * tasks when it has heard nothing for as long, or for `taskmanager.heartbeat.detect`: until then they go on, at most until
 * their successors are deployed (FR-025). Who is cut off from checkpoint storage finds it down. A broker that is down is cut
 * off from itself, and so from all. A producer client does not wait for ever: the time at which it gives a request up stands
 * with what is held (`sinks/client-timeouts.ts`). Who is cut off from whom is `network-cuts.ts`.
 * Left out: the brokers' own network, and the word to a producer that its records are processed, which no run shows: a
 * barrier that comes later is held too.
 */
import { at } from "../base/assert.ts";
import { operatorOfTransaction } from "../protocol/ids.ts";
import { failureCauses } from "../protocol/reasons.ts";
import { type Conduct, conductOf } from "./conduct.ts";
import { hostOf } from "./host.ts";
import type { Kernel } from "./kernel.ts";
import { Cut, Due, Process, Task, TaskManager } from "./layout.ts";
import { wake } from "./mailbox.ts";
import { Node, isCut, joins, nodeOf } from "./network-cuts.ts";
import { Actor, Op } from "./ops.ts";

const nodes = ["jobmanager", "kafka", "storage"] as const;

/** Who is at the far end of a message, seen from the subtask, transaction or TaskManager that its first word names. */
type Link = "jobManager" | "kafka" | "transaction" | "registration" | "broker";
const links: { readonly [C in Conduct]?: Link } = {
  toTaskManager: "jobManager",
  toJobManager: "jobManager",
  log: "kafka",
  logOfTransaction: "transaction",
};
/** Messages that keep no order with others. */
const alone: { readonly [op: number]: Link } = {
  [Op.taskStart]: "jobManager",
  [Op.registerTaskManager]: "registration",
  [Op.probe]: "kafka",
  [Op.initializeId]: "kafka",
  [Op.timeOutTransaction]: "broker",
};
const linkOf = conductOf.map((conduct, op) => alone[op] ?? links[conduct] ?? null);

/** A message that is due and cannot arrive waits for the end of the cut, and a thread that waits for its answer with it. */
export function holds(k: Kernel, op: number, a: number, b: number, c: number, d: number): boolean {
  const link = linkOf[op] ?? null;
  if (link === null || op === Op.databaseCommit || (op === Op.failure && k.actor !== Actor.wire)) return false;
  if (!concernsLog(k, link, op, a, b)) return false;
  const [near, far] = endsOf(k, link, a, d);
  if (!isCut(k, near, far)) return false;
  const limit = link === "kafka" ? patienceOf(k, op, b) : 0;
  const deadline = limit > 0 ? k.now + limit : 0;
  k.world.held.push(deadline, 0, op, k.actor, a, b, c, d, k.cause);
  if (deadline > 0) armClientTimer(k, a, deadline);
  if (op === Op.initializeId) k.suspendChain(a);
  return true;
}

/** Is a message to or from a store one to the log? What lies between another store and its sink is not cut. */
function concernsLog(k: Kernel, link: Link, op: number, a: number, b: number): boolean {
  if (link === "broker" || op === Op.initializeId)
    return isOfLog(k, operatorOfTransaction(k.plan.graph, link === "broker" ? a : b));
  return link !== "kafka" || isOfLog(k, b);
}

function isOfLog(k: Kernel, operator: number): boolean {
  return operator < 0 || at(k.plan.operators, operator).sink?.store === "log";
}

/** How long a subtask's producer clients wait for an answer from now on; 0: for ever. */
function patienceOf(k: Kernel, op: number, b: number): number {
  const operator = op === Op.initializeId ? operatorOfTransaction(k.plan.graph, b) : b;
  const sink = operator < 0 ? null : at(k.plan.operators, operator).sink;
  if (sink === null) return 0;
  // A record has been with its client since it was handed over.
  return op === Op.append ? sink.deliveryTimeout - sink.delay : sink.maxBlock;
}

/** One timer a subtask, for the first of its requests that is given up. */
function armClientTimer(k: Kernel, task: number, deadline: number): void {
  const { agenda } = k.world;
  for (let row = 0; row < agenda.count; row++) {
    if (agenda.get(row, Due.op) !== Op.clientTimeout || agenda.get(row, Due.a) !== task) continue;
    if (agenda.get(row, Due.time) <= deadline) return;
    agenda.remove(row);
    break;
  }
  k.after(deadline - k.now, Op.clientTimeout, task, task);
}

function endsOf(k: Kernel, link: Link, a: number, d: number): readonly [near: number, far: number] {
  switch (link) {
    case "jobManager":
      return [nodeOf(k, a), Node.jobManager];
    case "registration":
      return [Node.firstTaskManager + a, Node.jobManager];
    case "kafka":
      return [nodeOf(k, a), Node.kafka];
    case "transaction":
      return [d < 8 ? -1 : nodeOf(k, (d >> 3) - 1), Node.kafka];
    case "broker":
      return [Node.kafka, Node.kafka];
  }
}

function pairsOf(k: Kernel, between: readonly [readonly string[], readonly string[]]): [number, number][] {
  const number = (name: string): number => {
    const known = nodes.findIndex((node) => node === name);
    return known >= 0 ? known : Node.firstTaskManager + k.plan.graph.taskManagers.indexOf(name);
  };
  return between[0].flatMap((a) => between[1].map((b): [number, number] => [number(a), number(b)]));
}

/** Cuts each of the one side off from each of the other. */
export function cut(k: Kernel, between: readonly [readonly string[], readonly string[]]): void {
  for (const [a, b] of pairsOf(k, between)) if (a !== b) cutPair(k, a, b);
}

/** Two ends hear nothing of each other from now on. */
export function cutPair(k: Kernel, a: number, b: number): void {
  const { cuts } = k.world;
  for (let row = 0; row < cuts.count; row++) if (joins(cuts.get(row, Cut.a), cuts.get(row, Cut.b), a, b)) return;
  cuts.push(a, b, k.now);
  const taskManager = Math.max(a, b) - Node.firstTaskManager;
  if (Math.min(a, b) !== Node.jobManager || taskManager < 0) return;
  const { heartbeatDetect, leaderDetect } = k.plan.scenario.timing;
  k.after(heartbeatDetect, Op.heartbeatTimeout, Actor.jobManager, taskManager);
  k.after(leaderDetect, Op.leaderTimeout, Actor.world, taskManager);
}

/** The operation `heartbeatTimeout`: the JobManager gives a TaskManager up. */
export function heartbeatTimeout(k: Kernel, taskManager: number): void {
  if (k.world.taskManager(taskManager, TaskManager.registered) === 1)
    k.next(Op.loseTaskManager, Actor.jobManager, taskManager);
}

/** The operation `leaderTimeout`: the TaskManager gives the JobManager up and fails its tasks (FR-025). */
export function leaderTimeout(k: Kernel, taskManager: number): void {
  const lost = failureCauses.indexOf("TASK_MANAGER_LOST");
  for (const { index } of k.plan.graph.subtasks)
    if (hostOf(k, index) === taskManager)
      k.next(Op.taskFail, Actor.world, index, k.world.task(index, Task.attempt), lost);
}

/** The network is whole again between these, or everywhere: what waited arrives, and who was given up registers again. */
export function heal(k: Kernel, between: readonly [readonly string[], readonly string[]] | undefined): void {
  healPairs(k, between === undefined ? null : pairsOf(k, between));
}

/** `null`: all but the channels that are stalled by themselves and a broker that is down. True: one was cut. */
export function healPairs(k: Kernel, pairs: readonly (readonly [number, number])[] | null): boolean {
  const { world } = k;
  const { count } = world.cuts;
  for (let row = world.cuts.count - 1; row >= 0; row--) {
    const [a, b] = [world.cuts.get(row, Cut.a), world.cuts.get(row, Cut.b)];
    const isMeant = pairs === null ? a !== b : pairs.some(([from, to]) => joins(from, to, a, b));
    if (!isMeant) continue;
    world.cuts.remove(row);
    const taskManager = Math.max(a, b) - Node.firstTaskManager;
    if (Math.min(a, b) === Node.jobManager && taskManager >= 0) joinAgain(k, taskManager);
  }
  release(k);
  for (let task = 0; task < world.layout.tasks; task++) wake(k, task, k.now);
  return world.cuts.count < count;
}

function joinAgain(k: Kernel, taskManager: number): void {
  const { world } = k;
  k.cancel(Op.heartbeatTimeout, taskManager);
  k.cancel(Op.leaderTimeout, taskManager);
  const alive = world.taskManager(taskManager, TaskManager.alive) === Process.running;
  if (alive && world.taskManager(taskManager, TaskManager.registered) === 0)
    k.after(k.plan.scenario.timing.rpc, Op.registerTaskManager, Actor.wire, taskManager);
}

/** What waited is due now, but for what still cannot arrive, and for threads that go on with an answer. */
function release(k: Kernel): void {
  const { held } = k.world;
  const { cause } = k;
  const rows = Array.from({ length: held.count }, (_, row) =>
    Array.from({ length: Due.SIZE }, (__, column) => held.get(row, column)),
  );
  held.count = 0;
  for (const words of rows) {
    const [, order = 0, op = 0, actor = 0, a = 0, b = 0, c = 0, d = 0, from = -1] = words;
    if (order !== 0 || isCut(k, ...endsOf(k, linkOf[op] ?? "broker", a, d))) {
      held.push(...words);
      continue;
    }
    k.cause = from;
    k.after(0, op, actor, a, b, c, d);
  }
  k.cause = cause;
}
