/**
 * Cuts of the network (the contract's `partition` and `heal`; FR-023 to FR-025). As with TCP, what is sent across a cut
 * waits and arrives when it is healed, in the order in which it would have come; records that had arrived before are
 * there. The JobManager gives a TaskManager up of which it hears nothing for `heartbeat.detect`; the TaskManager fails its
 * tasks when it has heard nothing for as long, or for `taskmanager.heartbeat.detect`: until then they go on, at most until
 * their successors are deployed (FR-025). Who is cut off from checkpoint storage finds
 * it down. Left out: a producer that initialises an id between two checkpoints, the broker's own network, and the word to
 * a producer that its records are processed, which no run shows: a barrier that comes later is held too.
 */
import { at } from "../base/assert.ts";
import { failureCauses } from "../protocol/reasons.ts";
import { type Conduct, conductOf } from "./conduct.ts";
import type { Kernel } from "./kernel.ts";
import { Cut, Due, Process, Task, TaskManager } from "./layout.ts";
import { ownerOf } from "./log-broker/transactions.ts";
import { wake } from "./mailbox.ts";
import { Actor, Op } from "./ops.ts";
import { hostOf } from "./host.ts";

/** The ends of a cut: these, then the TaskManagers. A channel that is stalled by itself is both ends of one, behind them. */
export const Node = { jobManager: 0, kafka: 1, storage: 2, firstTaskManager: 3 } as const;
const nodes = ["jobmanager", "kafka", "storage"] as const;

/** Who is at the far end of a message, seen from the subtask, transaction or TaskManager that its first word names. */
type Link = "jobManager" | "kafka" | "transaction" | "registration";
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
};
const linkOf = conductOf.map((conduct, op) => alone[op] ?? links[conduct] ?? null);

/** Where a subtask runs; `-1`: nowhere. */
export function nodeOf(k: Kernel, task: number): number {
  const taskManager = hostOf(k, task);
  return taskManager < 0 ? -1 : Node.firstTaskManager + taskManager;
}

/** Since when two ends have not heard of each other; `-1`: they do. */
function cutSince(k: Kernel, a: number, b: number): number {
  const { cuts } = k.world;
  for (let row = 0; row < cuts.count; row++) {
    const [from, to] = [cuts.get(row, Cut.a), cuts.get(row, Cut.b)];
    if ((from === a && to === b) || (from === b && to === a)) return cuts.get(row, Cut.since);
  }
  return -1;
}

export function isCut(k: Kernel, a: number, b: number): boolean {
  return k.world.cuts.count > 0 && cutSince(k, a, b) >= 0;
}

/** Does a subtask hear nothing of this end? */
export function isCutOff(k: Kernel, task: number, node: number): boolean {
  return k.world.cuts.count > 0 && cutSince(k, nodeOf(k, task), node) >= 0;
}

/** Has what would arrive at this time on a channel not arrived, because its ends are cut off from each other? */
export function isHeldBack(k: Kernel, channel: number, arrival: number): boolean {
  if (k.world.cuts.count === 0) return false;
  const { from, to } = at(k.plan.graph.channels, channel);
  const own = cutSince(k, nodeOfChannel(k, channel), nodeOfChannel(k, channel));
  const since = own >= 0 ? own : cutSince(k, nodeOf(k, from), nodeOf(k, to));
  return since >= 0 && arrival > since;
}

export function nodeOfChannel(k: Kernel, channel: number): number {
  return Node.firstTaskManager + k.plan.graph.taskManagers.length + channel;
}

/** A message that is due and cannot arrive waits for the end of the cut. */
export function holds(k: Kernel, op: number, a: number, b: number, c: number, d: number): boolean {
  const link = linkOf[op] ?? null;
  if (link === null || op === Op.databaseCommit || (link === "kafka" && !writesToLog(k, b))) return false;
  if ((op === Op.failure && k.actor !== Actor.wire) || (op === Op.probe && b === 1)) return false;
  const [near, far] = endsOf(k, link, a);
  if (!isCut(k, near, far)) return false;
  k.world.held.push(0, 0, op, k.actor, a, b, c, d, k.cause);
  return true;
}

/** Does this sink write to the log? What lies between another one and its store is not cut. */
function writesToLog(k: Kernel, operator: number): boolean {
  return at(k.plan.operators, operator).sink?.store === "log";
}

function endsOf(k: Kernel, link: Link, a: number): readonly [near: number, far: number] {
  switch (link) {
    case "jobManager":
      return [nodeOf(k, a), Node.jobManager];
    case "registration":
      return [Node.firstTaskManager + a, Node.jobManager];
    case "kafka":
      return [nodeOf(k, a), Node.kafka];
    case "transaction":
      return [nodeOf(k, ownerOf(k, a)), Node.kafka];
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
  if (isCut(k, a, b)) return;
  k.world.cuts.push(a, b, k.now);
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

/** `null`: all but the channels that are stalled by themselves. */
export function healPairs(k: Kernel, pairs: readonly (readonly [number, number])[] | null): void {
  const { world } = k;
  for (let row = world.cuts.count - 1; row >= 0; row--) {
    const [a, b] = [world.cuts.get(row, Cut.a), world.cuts.get(row, Cut.b)];
    const isMeant =
      pairs === null ? a !== b : pairs.some(([from, to]) => (from === a && to === b) || (from === b && to === a));
    if (!isMeant) continue;
    world.cuts.remove(row);
    const taskManager = Math.max(a, b) - Node.firstTaskManager;
    if (Math.min(a, b) === Node.jobManager && taskManager >= 0) joinAgain(k, taskManager);
  }
  release(k);
  for (let task = 0; task < world.layout.tasks; task++) wake(k, task, k.now);
}

function joinAgain(k: Kernel, taskManager: number): void {
  const { world } = k;
  k.cancel(Op.heartbeatTimeout, taskManager);
  k.cancel(Op.leaderTimeout, taskManager);
  const alive = world.taskManager(taskManager, TaskManager.alive) === Process.running;
  if (alive && world.taskManager(taskManager, TaskManager.registered) === 0)
    k.after(k.plan.scenario.timing.rpc, Op.registerTaskManager, Actor.wire, taskManager);
}

/** What waited is due now; what still cannot arrive will wait again. */
function release(k: Kernel): void {
  const { held } = k.world;
  const { cause } = k;
  const rows = Array.from({ length: held.count }, (_, row) =>
    [Due.op, Due.actor, Due.a, Due.b, Due.c, Due.d, Due.cause].map((column) => held.get(row, column)),
  );
  held.count = 0;
  for (const [op = 0, actor = 0, a = 0, b = 0, c = 0, d = 0, from = -1] of rows) {
    k.cause = from;
    k.after(0, op, actor, a, b, c, d);
  }
  k.cause = cause;
}
