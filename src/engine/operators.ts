/**
 * What operators do with a record, and where its outputs go (`AbstractStreamOperator`, `RecordWriterOutput`,
 * `KeyGroupStreamPartitioner`, `RebalancePartitioner`; CP-175 to CP-177). State is computed record by record, and each
 * piece of keyed state knows the inputs that are in it.
 *
 * - `keyed-sum` adds a record's value to its key's, `keyed-count` adds one; both emit the key's new state.
 * - `dedup` passes a record whose id its key has not seen, as it is, and keeps the id (SK-034; a laboratory animal).
 * - a `map` with `counter` keeps the number of records it has seen (operator state) and emits the record as it is.
 * - `filter` passes even values; `flat-map` emits each record `fanOut` times; `map` and `union` pass records on.
 */
import { at } from "../base/assert.ts";
import { failureCauses } from "../protocol/reasons.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Task } from "./layout.ts";
import { Op } from "./ops.ts";
import { keyOf } from "./plan.ts";
import { isPoisoned } from "./poison.ts";
import { write } from "./sinks/chain.ts";

const USER_EXCEPTION = failureCauses.indexOf("USER_EXCEPTION");

/** The operation `process`: one operator of a chain applies a record. */
export function process(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const { kind, fanOut } = at(k.plan.operators, operator);
  if (isPoisoned(k, operator, record)) {
    k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), USER_EXCEPTION);
    return;
  }
  if (kind === "dedup" && isKnown(k, task, operator, record)) return k.emit("DuplicateDropped", task, operator, record);
  const applied = apply(k, task, operator, record, value);
  k.emit("RecordProcessed", task, operator, record, applied);
  if (kind === "sink") {
    write(k, task, operator, record, value);
    return;
  }
  if (kind === "filter" && value % 2 !== 0) return;
  const out = kind === "counter" || kind === "dedup" ? value : applied;
  for (let copy = 0; copy < fanOut; copy++) forward(k, task, operator, record, out);
}

/** Has a `dedup` seen this record's id (SK-034)? */
function isKnown(k: Kernel, task: number, operator: number, record: number): boolean {
  const plan = at(k.plan.operators, operator);
  const key = plan.keyPlace[keyOf(k.plan, record)] as number;
  let list = k.world.state[(k.plan.stateStart[task] as number) + plan.state + 2 * key + 1] as number;
  for (; list !== 0; list = k.arena.lists.before(list)) if (k.arena.lists.last(list) === record) return true;
  return false;
}

function apply(k: Kernel, task: number, operator: number, record: number, value: number): number {
  const plan = at(k.plan.operators, operator);
  const { state } = k.world;
  let place = (k.plan.stateStart[task] as number) + plan.state;
  switch (plan.kind) {
    case "keyed-sum":
    case "keyed-count":
    case "dedup":
      place += 2 * (plan.keyPlace[keyOf(k.plan, record)] as number);
      state[place] = ((state[place] as number) + (plan.kind === "keyed-sum" ? value : 1)) | 0;
      break;
    case "counter":
      state[place] = (state[place] as number) + 1;
      break;
    case "source":
    case "pass":
    case "filter":
    case "flat-map":
    case "sink":
    case "committer":
      return value;
  }
  state[place + 1] = k.arena.lists.append(state[place + 1] as number, record);
  return state[place] as number;
}

/** Hands an operator's output to the next ones of its chain and to its channels. */
export function forward(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const { chained, outputs } = at(k.plan.graph.operators, operator);
  for (let i = 0; i < chained.length; i++) k.next(Op.process, task, task, chained[i] as number, record, value);
  for (let i = 0; i < outputs.length; i++) route(k, task, outputs[i] as number, record, value);
}

function route(k: Kernel, task: number, edge: number, record: number, value: number): void {
  const { ship, from } = at(k.plan.graph.edges, edge);
  const number = task - at(at(k.plan.graph.vertices, from).subtasks, 0);
  const channels = at(at(k.plan.channelsOf, edge), number);
  if (ship === "broadcast") {
    for (let i = 0; i < channels.length; i++) k.next(Op.send, task, task, channels[i] as number, record, value);
    return;
  }
  const channel = channels[select(k, task, edge, channels.length, record)] as number;
  k.next(Op.send, task, task, channel, record, value);
}

/** Which of a subtask's channels of an edge a record takes. */
function select(k: Kernel, task: number, edge: number, channels: number, record: number): number {
  switch (at(k.plan.graph.edges, edge).ship) {
    case "hash":
      return k.decisions.receiverOf(at(k.plan.receiverOfKey, edge)[keyOf(k.plan, record)] as number, channels);
    case "shuffle":
      return k.draw(Job.routingStream, channels);
    case "global":
      return 0;
    default: {
      const turn = (k.world.roundRobin(task, edge) + 1) % channels;
      k.world.setRoundRobin(task, edge, turn);
      return turn;
    }
  }
}
