/**
 * Where the arrow keys lead: along the channels to the right and back, up and down among siblings, and from the rims of the
 * graph to what stands around it.
 */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { StageElement, Stop } from "./elements.ts";
import type { Scene } from "./frame-types.ts";
import type { NoFurther } from "./text.ts";

export type Step =
  | "right"
  | "left"
  | "up"
  | "down"
  | "skipRight"
  | "skipLeft"
  | "first"
  | "last"
  | "nextVertex"
  | "previousVertex";

export type Walked = { readonly to: Stop } | { readonly edge: NoFurther };

const missing: { readonly [S in Step]: NoFurther } = {
  right: "output",
  skipRight: "output",
  left: "input",
  skipLeft: "input",
  up: "before",
  down: "after",
  first: "before",
  last: "after",
  nextVertex: "after",
  previousVertex: "before",
};

/** Everything that the keys can reach now. */
export interface Ground {
  readonly graph: ExecutionGraph;
  readonly scene: Scene;
  /** From which end a channel was entered: its siblings are those of that end. */
  readonly channelEnd: "from" | "to";
}

export type Walk = (ground: Ground, from: Stop, step: Step) => Walked;

export const walk: Walk = (ground, from, step) => {
  const to = ends(ground, step) ?? target(ground, from, step);
  return to === null ? { edge: missing[step] } : { to };
};

/** Where the focus goes when what had it is gone: to its operator, a transaction's to its sink; else to the JobManager. */
export type Successor = (before: Scene, scene: Scene, gone: Stop | null) => Stop;

export const successor: Successor = (before, scene, gone) => {
  const owner = gone === null ? -1 : ownerOf(before, gone);
  if (gone?.kind === "transaction" && before.graph === scene.graph && owner >= 0) return { kind: "subtask", id: owner };
  const place = gone?.kind === "vertex" ? gone.id : (before.graph.subtasks[owner]?.taskVertex ?? -1);
  const uid = before.graph.vertices[place]?.uid;
  return (
    heading(
      scene.graph.vertices.findIndex((vertex) => vertex.uid === uid),
      scene.graph.vertices.length,
    ) ?? jobManager
  );
};

/** The subtask whose it is; `-1`: nobody's. */
function ownerOf({ graph, subtasks }: Scene, { kind, id }: Stop): number {
  if (kind === "subtask") return id;
  if (kind === "channel") return graph.channels[id]?.from ?? -1;
  if (kind !== "transaction") return -1;
  return subtasks.findIndex(({ transactions }) => transactions.some((transaction) => transaction.id === id));
}

const jobManager: Stop = { kind: "jobManager", id: 0 };

function subtask(id: number | undefined): StageElement | null {
  return id === undefined ? null : { kind: "subtask", id };
}

function ends({ graph }: Ground, step: Step): StageElement | null {
  if (step === "first")
    return subtask(graph.vertices[at(graph.operators, graph.sources[0] ?? 0).taskVertex]?.subtasks[0]);
  if (step !== "last") return null;
  const sink = graph.sinks.at(-1);
  return subtask(
    graph.vertices[sink === undefined ? graph.vertices.length - 1 : at(graph.operators, sink).taskVertex]?.subtasks.at(
      -1,
    ),
  );
}

function target(ground: Ground, from: Stop, step: Step): Stop | null {
  switch (from.kind) {
    case "vertex":
      return fromHeading(ground, from.id, step);
    case "subtask":
      return fromSubtask(ground, from.id, step);
    case "channel":
      return fromChannel(ground, from.id, step);
    case "edge":
      return fromEdge(ground, from.id, step);
    case "transaction":
      return fromTransaction(ground, from.id, step);
    case "input":
      return fromInput(ground, from.id, step);
    case "output":
      return fromOutput(ground, from.id, step);
    case "taskManager":
      return fromTaskManager(ground, from.id, step);
    case "checkpoint":
      return fromCheckpoint(ground, from.id, step);
    case "jobManager":
      return fromJobManager(ground, step);
    case "storage":
      return fromStorage(ground, step);
  }
}

/** Whoever came to an exchange by the mouse goes on at the vertex before or behind it. */
function fromEdge({ graph }: Ground, id: number, step: Step): Stop | null {
  const { from, to } = at(graph.edges, id);
  return step === "left" || step === "right" ? { kind: "vertex", id: step === "left" ? from : to } : null;
}

function heading(id: number | undefined, count: number): Stop | null {
  return id === undefined || id < 0 || id >= count ? null : { kind: "vertex", id };
}

function fromHeading({ graph }: Ground, id: number, step: Step): Stop | null {
  const count = graph.vertices.length;
  switch (step) {
    case "down":
      return subtask(at(graph.vertices, id).subtasks[0]);
    case "up":
      return { kind: "jobManager", id: 0 };
    case "right":
    case "skipRight":
      return heading(graph.edges.find(({ from }) => from === id)?.to, count);
    case "left":
    case "skipLeft":
      return heading(graph.edges.find(({ to }) => to === id)?.from, count);
    case "nextVertex":
      return heading(id + 1, count);
    case "previousVertex":
      return heading(id - 1, count);
    default:
      return null;
  }
}

function fromSubtask({ graph, scene }: Ground, id: number, step: Step): Stop | null {
  const { taskVertex, number, inputs, outputs } = at(graph.subtasks, id);
  const siblings = at(graph.vertices, taskVertex).subtasks;
  const single = (channel: number | undefined): boolean =>
    channel !== undefined && scene.layout.channels[channel] !== null;
  switch (step) {
    case "right":
      return outputs.length > 0
        ? channelOr(outputs[0], single, graph, "to")
        : (firstOf(scene.subtasks[id]?.transactions, "transaction") ?? firstOf(scene.outputs, "output"));
    case "left":
      return inputs.length > 0
        ? channelOr(inputs[0], single, graph, "from")
        : firstOf(
            scene.inputs.filter(({ reader }) => reader === id),
            "input",
          );
    case "skipRight":
      return subtask(graph.channels[outputs[0] ?? -1]?.to);
    case "skipLeft":
      return subtask(graph.channels[inputs[0] ?? -1]?.from);
    case "up":
      return number === 0 ? heading(taskVertex, graph.vertices.length) : subtask(siblings[number - 1]);
    case "down":
      return (
        subtask(siblings[number + 1]) ??
        firstOf(
          scene.taskManagers.filter(({ subtasks }) => subtasks.includes(id)),
          "taskManager",
        ) ??
        firstOf(scene.taskManagers, "taskManager")
      );
    case "nextVertex":
      return subtask(graph.vertices[taskVertex + 1]?.subtasks[0]);
    case "previousVertex":
      return subtask(graph.vertices[taskVertex - 1]?.subtasks[0]);
    default:
      return null;
  }
}

/** A channel that is drawn singly, else the subtask at its other end. */
function channelOr(
  channel: number | undefined,
  single: (channel: number | undefined) => boolean,
  graph: ExecutionGraph,
  end: "from" | "to",
): StageElement | null {
  if (channel === undefined) return null;
  return single(channel) ? { kind: "channel", id: channel } : subtask(at(graph.channels, channel)[end]);
}

function firstOf(
  list: readonly { readonly id: number }[] | undefined,
  kind: StageElement["kind"],
): StageElement | null {
  const first = list?.[0];
  return first === undefined ? null : { kind, id: first.id };
}

function sibling(list: readonly number[], id: number, by: number, kind: StageElement["kind"]): StageElement | null {
  const next = list[list.indexOf(id) + by];
  return next === undefined ? null : { kind, id: next };
}

function fromChannel({ graph, channelEnd }: Ground, id: number, step: Step): StageElement | null {
  const channel = at(graph.channels, id);
  const siblings =
    channelEnd === "from" ? at(graph.subtasks, channel.from).outputs : at(graph.subtasks, channel.to).inputs;
  switch (step) {
    case "right":
    case "skipRight":
      return subtask(channel.to);
    case "left":
    case "skipLeft":
      return subtask(channel.from);
    case "up":
      return sibling(siblings, id, -1, "channel");
    case "down":
      return sibling(siblings, id, 1, "channel");
    default:
      return null;
  }
}

function fromTransaction({ scene }: Ground, id: number, step: Step): StageElement | null {
  const owner = scene.subtasks.find(({ transactions }) => transactions.some((transaction) => transaction.id === id));
  if (owner === undefined) return null;
  const all = owner.transactions.map((transaction) => transaction.id);
  switch (step) {
    case "left":
      return sibling(all, id, -1, "transaction") ?? subtask(owner.id);
    case "right":
      return sibling(all, id, 1, "transaction") ?? firstOf(scene.outputs, "output");
    case "up":
      return subtask(owner.id);
    case "down":
      return firstOf(scene.outputs, "output");
    default:
      return null;
  }
}

function ids(list: readonly { readonly id: number }[]): number[] {
  return list.map(({ id }) => id);
}

function fromInput({ scene }: Ground, id: number, step: Step): StageElement | null {
  if (step === "right" || step === "skipRight") return subtask(scene.inputs[id]?.reader);
  if (step === "up") return sibling(ids(scene.inputs), id, -1, "input");
  if (step === "down") return sibling(ids(scene.inputs), id, 1, "input") ?? { kind: "storage", id: 0 };
  return null;
}

function fromOutput({ graph, scene }: Ground, id: number, step: Step): StageElement | null {
  const sink = graph.sinks[0];
  if (step === "left" && sink !== undefined)
    return subtask(at(graph.vertices, at(graph.operators, sink).taskVertex).subtasks[0]);
  if (step === "up") return sibling(ids(scene.outputs), id, -1, "output") ?? firstOf(scene.taskManagers, "taskManager");
  if (step === "down") return sibling(ids(scene.outputs), id, 1, "output");
  return null;
}

function fromTaskManager({ scene }: Ground, id: number, step: Step): StageElement | null {
  if (step === "right") return sibling(ids(scene.taskManagers), id, 1, "taskManager");
  if (step === "left") return sibling(ids(scene.taskManagers), id, -1, "taskManager");
  if (step === "up") return subtask(scene.taskManagers[id]?.subtasks[0]) ?? subtask(0);
  if (step === "down") return firstOf(scene.outputs, "output");
  return null;
}

function fromJobManager({ scene }: Ground, step: Step): StageElement | null {
  if (step === "down") return subtask(0);
  if (step === "right") return firstOf(scene.jobManager.current, "checkpoint");
  if (step === "left") return firstOf(scene.inputs, "input");
  return null;
}

function fromStorage({ scene }: Ground, step: Step): StageElement | null {
  if (step === "up") return scene.inputs.length === 0 ? null : { kind: "input", id: scene.inputs.length - 1 };
  if (step === "down")
    return firstOf(
      scene.storage.checkpoints.filter(({ id }) => !scene.jobManager.current.some((card) => card.id === id)),
      "checkpoint",
    );
  if (step === "right") return subtask(0);
  return null;
}

function fromCheckpoint({ scene }: Ground, id: number, step: Step): StageElement | null {
  const cards = ids(scene.jobManager.current);
  if (cards.includes(id)) {
    if (step === "right") return sibling(cards, id, 1, "checkpoint");
    if (step === "left") return sibling(cards, id, -1, "checkpoint") ?? { kind: "jobManager", id: 0 };
    return step === "down" ? subtask(0) : null;
  }
  const stored = ids(scene.storage.checkpoints).filter((other) => !cards.includes(other));
  if (step === "up") return sibling(stored, id, -1, "checkpoint") ?? { kind: "storage", id: 0 };
  if (step === "down") return sibling(stored, id, 1, "checkpoint");
  return step === "right" ? subtask(0) : null;
}
