/**
 * Faults and operations (the contract's `faults`): when one is to act. They act only between two entries. What each does
 * is in `fault-effects.ts`.
 */
import { at } from "../base/assert.ts";
import { EventNumber, type EventType, events } from "../protocol/events.ts";
import type { FieldKind } from "../protocol/field-kinds.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { Draft } from "../protocol/log.ts";
import { faultVerbs } from "../protocol/reasons.ts";
import { fieldValue } from "../protocol/field-values.ts";
import type { Command, EventMoment } from "../scenario/scenario.ts";
import type { Kernel } from "./kernel.ts";
import { Suppress } from "./causes.ts";
import { Fault, Job } from "./layout.ts";
import { Actor, Op } from "./ops.ts";

/** Does the entry that a draft holds fit the pattern? Fields are compared by the names that the trace shows. */
export function matches(graph: ExecutionGraph, moment: EventMoment, draft: Draft): boolean {
  if (draft.type !== EventNumber[moment.event]) return false;
  return Object.entries(moment.match).every(([field, wanted]) => valueOf(graph, moment.event, field, draft) === wanted);
}

function valueOf(graph: ExecutionGraph, event: EventType, field: string, draft: Draft): unknown {
  const fields = Object.entries(events[event].fields as Record<string, FieldKind>);
  if (field === "submission") return draft.submission;
  const value = (index: number): number => draft.fields[index] as number;
  const index = fields.findIndex(([name]) => name === field);
  if (index >= 0) return fieldValue(graph, at(fields, index)[1], value(index));
  if (field !== "vertex") return undefined;
  const operator = fields.findIndex(([, kind]) => kind === "operator");
  if (operator >= 0) return fieldValue(graph, "operator", value(operator));
  const subtask = fields.findIndex(([, kind]) => kind === "subtask");
  return subtask < 0 || value(subtask) < 0
    ? undefined
    : at(graph.vertices, at(graph.subtasks, value(subtask)).taskVertex).uid;
}

/** Does it act at each match from its `nth` on? */
function isRepeated(k: Kernel, fault: number): boolean {
  const moment = k.momentOf(fault);
  return moment !== undefined && "every" in moment;
}

/** Of a fault that waits for an event or a step: will it not act any more? */
export function isSpent(k: Kernel, fault: number): boolean {
  return k.world.fault(fault, Fault.acted) === 1 && !isRepeated(k, fault);
}

/** The operation `fault`: says that it acts, then lets it. */
export function applyFault(k: Kernel, index: number): void {
  const command = at(k.commands, index);
  const subtask = subtaskOf(k, command);
  const taskManager = command.target === null ? -1 : k.plan.graph.taskManagers.indexOf(command.target);
  // What comes again and again changes nothing: restarts over it are without end.
  if (!isRepeated(k, index)) k.world.setJob(Job.rounds, 0);
  k.emit("FaultInjected", faultVerbs.indexOf(command.do), subtask, taskManager, index);
  if (command.do === "suppress")
    k.world.setJob(Job.suppress, command.for === null ? Suppress.next : Suppress.later + command.for);
  else k.next(Op.faultEffect, Actor.world, index, subtask, taskManager);
}

function subtaskOf(k: Kernel, { target }: Command): number {
  return target === null ? -1 : k.plan.graph.subtasks.findIndex(({ name }) => name === target);
}
