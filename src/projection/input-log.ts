/**
 * The log as sources read it at one cursor: when a record of an input partition is there, and where the partition begins.
 * The scenario says so, and the faults that have acted since: partitions are added, retention passes an offset, producers
 * get faster or slower; a `FaultInjected` names the command, and the entry's time is when it acts.
 */
import { at } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import type { Command } from "../scenario/scenario.ts";
import { type Handler, places } from "./fields.ts";
import type { Shared } from "./shared.ts";
import type { InputLogView, RunView } from "./views.ts";

const injected = places("FaultInjected");

export function initialLog({ graph, scenario }: Pick<Shared, "graph" | "scenario">): InputLogView {
  const missing = graph.inputs.flatMap(({ index, topic, partition }) => {
    const found = scenario.topics.find(({ name }) => name === topic);
    return found !== undefined && partition >= found.partitions.length - found.added ? [index] : [];
  });
  return { rates: [], missing, starts: graph.inputs.map(() => 0) };
}

export const inputLogChanged: Handler = (view, log, step, clock) => {
  const command = view.shared.commands[log.field(step, injected.fault)];
  if (command?.topic === undefined) return;
  view.inputLog = changed(view, command, clock);
};

function changed(view: RunView, command: Command, clock: number): InputLogView {
  const { inputLog, shared } = view;
  const { every = 0, before = 0 } = command;
  const own = shared.graph.inputs.filter(({ topic }) => topic === command.topic).map(({ index }) => index);
  const there = own.filter((partition) => !inputLog.missing.includes(partition));
  if (command.do === "set-rate") {
    const rates = there.map((partition) => ({
      partition,
      from: arrivedOf(view, partition, clock),
      time: clock + every,
      every,
    }));
    return { ...inputLog, rates: [...inputLog.rates, ...rates] };
  }
  if (command.do === "add-partition") {
    const [partition] = inputLog.missing.filter((index) => own.includes(index));
    if (partition === undefined) return inputLog;
    const [first, second] = at(shared.records, partition);
    const rate = { partition, from: 0, time: clock, every: (second?.at ?? 0) - (first?.at ?? 0) };
    const missing = inputLog.missing.filter((index) => index !== partition);
    return { ...inputLog, missing, rates: [...inputLog.rates, rate] };
  }
  const starts = inputLog.starts.map((start, index) => {
    const { partition } = at(shared.graph.inputs, index);
    if (!own.includes(index) || (command.partition ?? partition) !== partition) return start;
    return Math.max(start, Math.min(before, arrivedOf(view, index, clock)));
  });
  return { ...inputLog, starts };
}

/** When a record is in the log, in milliseconds; `Infinity`: as things stand it never is. */
export function writtenAt({ inputLog, shared }: RunView, partition: number, offset: number): number {
  const record = at(shared.records, partition)[offset];
  if (record === undefined || inputLog.missing.includes(partition)) return Infinity;
  const rate = inputLog.rates.findLast((each) => each.partition === partition && each.from <= offset);
  return rate === undefined ? record.at : rate.time + (offset - rate.from) * rate.every;
}

/** How many records a partition has at a time. */
export function arrivedOf(view: RunView, partition: number, clock: number): number {
  const { length } = at(view.shared.records, partition);
  return firstPlace(length, (offset) => writtenAt(view, partition, offset) > clock);
}

/** When a subtask that reads a partition can have a record: for who reads committed ones only, with the commit (SK-011). */
export function readableAt(view: RunView, subtask: number, partition: number, offset: number): number {
  const { graph, scenario, records } = view.shared;
  const head = at(at(graph.vertices, at(graph.subtasks, subtask).taskVertex).operators, 0);
  const { vertex } = at(graph.operators, head);
  const { topic } = at(graph.inputs, partition);
  const batch = scenario.topics.find(({ name }) => name === topic)?.transactions ?? null;
  if (batch === null || vertex.type !== "kafka-source" || vertex.isolation !== "read_committed")
    return writtenAt(view, partition, offset);
  const { length } = at(records, partition);
  const last = Math.min(length, (Math.floor(offset / batch.records) + 1) * batch.records) - 1;
  return offset > last ? Infinity : writtenAt(view, partition, last) + batch.open;
}
