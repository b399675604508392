/**
 * What people call the parts of a run (`uid[0]`, `a[0]->b[1]`, `tm-1`, `topic-0@7`), and what the trace calls them: tasks
 * go by the head of their chain, so a member's name is rewritten to it.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { isTransactional, prefixOf } from "../protocol/sinks.ts";

export const nameKinds = [
  "subtask",
  "vertex",
  "head",
  "taskManager",
  "channel",
  "record",
  "input",
  "output",
  "transaction",
] as const;
/** `vertex` is an operator's uid, `head` that of the task it runs in. */
export type NameKind = (typeof nameKinds)[number];

/** Why a name is refused, and some that are not. */
export interface NoSuchName {
  readonly missing: string;
  readonly names: readonly string[];
}

/** The trace's name of what a person named. */
export function traceName(kind: NameKind, name: string, graph: ExecutionGraph): string | NoSuchName {
  return finders[kind](name, graph);
}

type Finder = (name: string, graph: ExecutionGraph) => string | NoSuchName;

const finders: { readonly [K in NameKind]: Finder } = {
  subtask: (name, graph) => headOf(graph, name) ?? { missing: "There is no such subtask.", names: subtaskNames(graph) },
  vertex: (name, graph) => oneOf(name, uids(graph), "No vertex has this uid."),
  head: (name, graph) => {
    const operator = graph.operators.find(({ vertex }) => vertex.uid === name);
    return operator === undefined
      ? { missing: "No vertex has this uid.", names: uids(graph) }
      : at(graph.vertices, operator.taskVertex).uid;
  },
  taskManager: (name, graph) => oneOf(name, graph.taskManagers, "There is no such TaskManager."),
  channel: (name, graph) => {
    const [from = "", to = ""] = name.split("->");
    const channel = `${headOf(graph, from) ?? from}->${headOf(graph, to) ?? to}`;
    const found = graph.channels.some((candidate) => candidate.name === channel);
    return found
      ? channel
      : {
          missing: "There is no such channel; within a chain there are none.",
          names: graph.channels.map((candidate) => candidate.name),
        };
  },
  record: (name, { inputs }) => {
    const found = inputs.some(
      (partition) => name.startsWith(`${partition.name}@`) && /^@(0|[1-9]\d*)$/.test(name.slice(partition.name.length)),
    );
    return found
      ? name
      : { missing: "No source reads such a record.", names: inputs.map((partition) => `${partition.name}@0`) };
  },
  input: (name, { inputs }) =>
    oneOf(
      name,
      inputs.map((partition) => partition.name),
      "No source reads such a partition.",
    ),
  output: (name, { outputs }) =>
    oneOf(
      name,
      outputs.map((partition) => partition.name),
      "No sink writes such a partition.",
    ),
  transaction: (name, graph) => {
    const prefixes = graph.sinks.flatMap((sink) => {
      const { vertex } = at(graph.operators, sink);
      return (isTransactional(vertex) ? prefixOf(vertex) : null) ?? [];
    });
    const found = prefixes.some(
      (prefix) => name.startsWith(`${prefix}-`) && /^-\d+-\d+$/.test(name.slice(prefix.length)),
    );
    return found
      ? name
      : {
          missing: "No sink has such a transaction: they are called prefix-subtask-number.",
          names: prefixes.map((prefix) => `${prefix}-0-1`),
        };
  },
};

function oneOf(name: string, names: readonly string[], missing: string): string | NoSuchName {
  return names.includes(name) ? name : { missing, names };
}

function uids({ operators }: ExecutionGraph): string[] {
  return operators.map(({ vertex }) => vertex.uid);
}

function subtaskNames({ operators }: ExecutionGraph): string[] {
  return operators.flatMap(({ vertex }) =>
    Array.from({ length: vertex.parallelism }, (_, index) => `${vertex.uid}[${index}]`),
  );
}

/** `uid[index]` of any chain member as the name of the subtask that runs it. */
function headOf(graph: ExecutionGraph, name: string): string | undefined {
  const [, uid, index] = /^(.+)\[(0|[1-9]\d{0,4})\]$/.exec(name) ?? [];
  const operator = graph.operators.find(({ vertex }) => vertex.uid === uid);
  const subtask = operator === undefined ? undefined : at(graph.vertices, operator.taskVertex).subtasks[Number(index)];
  return subtask === undefined ? undefined : at(graph.subtasks, subtask).name;
}
