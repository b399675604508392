/** What a field of an entry says, by its kind: names and words in the place of numbers. */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "./execution-graph.ts";
import type { FieldKind } from "./field-kinds.ts";
import { recordName, transactionName } from "./ids.ts";
import { Machine, machines } from "./machines/all.ts";
import {
  acknowledgementFates,
  channelSides,
  claimModes,
  checkpointFailureReasons,
  checkpointKinds,
  commitAnswers,
  deciders,
  endings,
  failoverScopes,
  failureCauses,
  faultVerbs,
  notificationKinds,
  operationAnswers,
  restoreRefusals,
  commitErrors,
  cutRefusals,
  rpcs,
  savepointFormats,
} from "./reasons.ts";

export type FieldValue = string | number | boolean | null | readonly string[] | readonly number[];

/** The words that fields of a kind hold, by their numbers in the log. */
export const words: { readonly [K in FieldKind]?: readonly string[] } = {
  jobStatus: Object.keys(machines[Machine.jobStatus].states),
  executionState: Object.keys(machines[Machine.executionState].states),
  ending: endings,
  failure: failureCauses,
  faultVerb: faultVerbs,
  failoverScope: failoverScopes,
  reason: checkpointFailureReasons,
  checkpointKind: checkpointKinds,
  notificationKind: notificationKinds,
  rpc: rpcs,
  decider: deciders,
  commitAnswer: commitAnswers,
  acknowledgementFate: acknowledgementFates,
  channelSide: channelSides,
  savepointFormat: savepointFormats,
  operationAnswer: operationAnswers,
  claimMode: claimModes,
  restoreRefusal: restoreRefusals,
  commitError: commitErrors,
  cutRefusal: cutRefusals,
};

/** A field's number in words; `null` where there is nothing. */
export function fieldValue(graph: ExecutionGraph, kind: FieldKind, value: number): FieldValue {
  if (kind === "bool") return value === 1;
  if (kind === "int" || kind === "ms" || kind === "bytes") return value;
  if (value < 0) return null;
  switch (kind) {
    case "subtask":
      return at(graph.subtasks, value).name;
    case "operator":
      return at(graph.operators, value).vertex.uid;
    case "channel":
      return at(graph.channels, value).name;
    case "taskManager":
      return at(graph.taskManagers, value);
    case "record":
      return recordName(graph, value);
    case "input":
      return at(graph.inputs, value).name;
    case "output":
      return at(graph.outputs, value).name;
    case "transaction":
      return transactionName(graph, value);
    case "checkpoint":
      return value;
    case "uid":
      return at(graph.uids, value);
    default:
      return at(words[kind] ?? [], value);
  }
}
