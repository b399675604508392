/** What on the stage can be selected, focused and broken, and the names by which it is found again. */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { transactionName } from "../../protocol/ids.ts";

export type ElementKind =
  | "subtask"
  | "channel"
  | "checkpoint"
  | "transaction"
  | "input"
  | "output"
  | "taskManager"
  | "jobManager"
  | "storage"
  | "vertex"
  | "edge";

/** An element by its number in the graph or the log; the JobManager and the storage have number 0. */
export interface StageElement {
  readonly kind: ElementKind;
  readonly id: number;
}

/** What the keyboard's focus can stand on: a task vertex has it on its heading. */
export type Stop = StageElement;

export function sameElement(a: StageElement | null, b: StageElement | null): boolean {
  return a === b || (a !== null && b !== null && a.kind === b.kind && a.id === b.id);
}

/** `orders→total`, by the uids of its vertices. */
export function edgeName({ vertices, edges }: ExecutionGraph, edge: number): string {
  const { from, to } = at(edges, edge);
  return `${at(vertices, from).uid}→${at(vertices, to).uid}`;
}

/** `subtask:count[0]`, `channel:a[0]->b[1]`, `transaction:sink-0-3`: the `data-element` attribute. */
export function elementKey(graph: ExecutionGraph, { kind, id }: Stop): string {
  switch (kind) {
    case "vertex":
      return `vertex:${at(graph.vertices, id).uid}`;
    case "edge":
      return `edge:${edgeName(graph, id)}`;
    case "subtask":
      return `subtask:${at(graph.subtasks, id).name}`;
    case "channel":
      return `channel:${at(graph.channels, id).name}`;
    case "input":
      return `input:${at(graph.inputs, id).name}`;
    case "output":
      return `output:${at(graph.outputs, id).name}`;
    case "taskManager":
      return `taskManager:${at(graph.taskManagers, id)}`;
    case "transaction":
      return `transaction:${transactionName(graph, id)}`;
    case "checkpoint":
      return `checkpoint:${id}`;
    default:
      return kind;
  }
}

/** What was hit. */
export function elementAt(target: EventTarget | null): { element: StageElement; node: SVGGElement } | null {
  const node = target instanceof Element ? target.closest<SVGGElement>("[data-kind]") : null;
  if (node === null) return null;
  return { node, element: { kind: node.dataset["kind"] as ElementKind, id: Number(node.dataset["id"]) } };
}

/** The heading of a task vertex that was hit. */
export function headingAt(target: EventTarget | null): { vertex: number; node: SVGGElement } | null {
  const node = target instanceof Element ? target.closest<SVGGElement>("[data-heading]") : null;
  return node === null ? null : { node, vertex: Number(node.dataset["heading"]) };
}

/** What the keyboard can stand on there. */
export function stopUnder(target: EventTarget | null): Stop | null {
  const heading = headingAt(target);
  return heading === null ? (elementAt(target)?.element ?? null) : { kind: "vertex", id: heading.vertex };
}
