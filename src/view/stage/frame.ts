/**
 * The picture at one instant: a pure function of the view at the cursor, the states of its machines, the simulated time and
 * the layout. Scrubbing to an instant and playing to it give the same frame.
 */
import { at } from "../../base/assert.ts";
import { type SubtaskLoad, subtaskLoads } from "../../projection/backpressure.ts";
import { partOf } from "../../projection/checkpoints.ts";
import type { RunView } from "../../projection/views.ts";
import type { Edge } from "../../protocol/execution-graph.ts";
import type { MachineStates } from "../machines/actors.ts";
import { checkpointFrames, isPending, jobManagerFrame, storageFrame } from "./frame-checkpoints.ts";
import { inputFrames, outputFrames } from "./frame-outside.ts";
import { keepSame } from "./frame-same.ts";
import { loadFrames, tintOf, vertexLoads } from "./frame-loads.ts";
import { regionFrames, taskManagerFrames } from "./frame-failover.ts";
import { subtaskFrames } from "./frame-subtasks.ts";
import { tokensOf } from "./frame-tokens.ts";
import { summaryFrames } from "./frame-summaries.ts";
import type {
  BarrierCount,
  ChannelFrame,
  CheckpointFrame,
  EdgeFrame,
  Frame,
  Later,
  Scene,
  SubtaskFrame,
  VertexFrame,
} from "./frame-types.ts";
import type { StageLayout } from "./layout-types.ts";

function sceneAt(view: RunView, states: MachineStates, layout: StageLayout, later: Later | null): Scene {
  const { graph } = view.shared;
  const checkpoints = checkpointFrames(view, states);
  const storage = storageFrame(checkpoints, later?.earlierOf(view));
  const pending = checkpoints.filter(isPending).map(({ id }) => id);
  const measured = subtaskLoads(view);
  const regions = regionFrames(view);
  const subtasks = subtaskFrames(view, states, pending, loadFrames(view, measured), regions, later);
  return {
    graph,
    layout,
    step: view.step,
    vertices: vertexFrames(view, layout, subtasks, measured),
    subtasks,
    loads: measured.map(({ shares }, id) => ({ id, shares })),
    vertexLoads: vertexLoads(view, measured),
    summaries: summaryFrames(view, layout, subtasks, measured, pending),
    channels: channelFrames(view, layout),
    edges: edgeFrames(view, layout, checkpoints.find(isPending) ?? null),
    jobManager: jobManagerFrame(view, states, checkpoints, later),
    storage,
    inputs: inputFrames(view, layout),
    outputs: outputFrames(view, states, layout, later),
    taskManagers: taskManagerFrames(view, subtasks),
    regions,
    tokens: tokensOf(view, states, layout, storage.checkpoints, later),
  };
}

export function frameAt(
  view: RunView,
  states: MachineStates,
  clock: number,
  layout: StageLayout,
  later: Later | null = null,
): Frame {
  return { scene: sceneAt(view, states, layout, later), clock };
}

/** `frameAt` for one stage: within one step the scene is made once, and from step to step what is equal is shared. */
export type Frames = (...args: Parameters<typeof frameAt>) => Frame;

export function createFrames(): Frames {
  let scene: Scene | undefined;
  let [shared, told]: readonly unknown[] = [];
  return (view, states, clock, layout, later = null) => {
    const same = scene?.step === view.step && scene.layout === layout && shared === view.shared && told === later;
    if (scene === undefined || !same) {
      scene = sharing(scene, sceneAt(view, states, layout, later));
      [shared, told] = [view.shared, later];
    }
    return { scene, clock };
  };
}

/** Graph and layout are objects of their own, and tokens are new with nearly every step: they are not compared. */
function sharing(previous: Scene | undefined, next: Scene): Scene {
  if (previous === undefined || previous.graph !== next.graph || previous.layout !== next.layout) return next;
  const { graph, layout, tokens, step, ...parts } = next;
  const { graph: _graph, layout: _layout, tokens: _tokens, step: _step, ...before } = previous;
  return { graph, layout, tokens, step, ...keepSame(before, parts) };
}

function vertexFrames(
  view: RunView,
  layout: StageLayout,
  subtasks: readonly SubtaskFrame[],
  measured: readonly SubtaskLoad[],
): VertexFrame[] {
  return view.shared.graph.vertices.map((vertex) => ({
    id: vertex.index,
    name: vertex.name,
    parallelism: vertex.parallelism,
    running: vertex.subtasks.filter((subtask) => at(subtasks, subtask).look.label === "RUNNING").length,
    density: at(layout.vertices, vertex.index).density,
    tint: tintOf(vertex.subtasks, measured),
  }));
}

/** Channels that are drawn singly; those of a bundle are told by their exchange. */
function channelFrames(view: RunView, layout: StageLayout): ChannelFrame[] {
  const { graph } = view.shared;
  const runs = (subtask: number): boolean => at(view.subtasks, subtask).thread === "running";
  return graph.channels.flatMap(({ index, name, from, to, edge }) => {
    if (layout.channels[index] === null) return [];
    const { queue, fill, blocked } = at(view.channels, index);
    const frame: ChannelFrame = {
      id: index,
      name,
      from: at(graph.subtasks, from).name,
      to: at(graph.subtasks, to).name,
      blocked: blocked >= 0 ? blocked : null,
      stalled: false,
      queued: fill,
      waiting: queue.filter(({ arrivesAt }) => arrivesAt <= view.clock).length,
      capacity: at(graph.edges, edge).capacity,
      open: runs(from) && runs(to),
    };
    return [frame];
  });
}

function edgeFrames(view: RunView, layout: StageLayout, pending: CheckpointFrame | null): EdgeFrame[] {
  return view.shared.graph.edges.map((edge) => {
    const bundled = at(layout.edges, edge.index).bundle !== null;
    let queued = 0;
    let blocked = 0;
    for (const channel of bundled ? edge.channels : []) {
      const { fill, blocked: by } = at(view.channels, channel);
      queued += fill;
      if (by >= 0) blocked++;
    }
    const barriers = bundled && pending !== null ? barrierCount(view, edge, pending) : null;
    return { id: edge.index, ship: edge.ship, bundled, channels: edge.channels.length, queued, blocked, barriers };
  });
}

/** A receiver that has frozen its state has had the barriers of all its channels. */
function barrierCount(
  view: RunView,
  { index, to, channels }: Edge,
  { id, savepoint }: CheckpointFrame,
): BarrierCount | null {
  const { graph } = view.shared;
  let arrived = 0;
  for (const subtask of at(graph.vertices, to).subtasks) {
    const { checkpoint, aligned } = at(view.subtasks, subtask).handler;
    const passed = (partOf(view, id, subtask)?.startedAt ?? -1) >= 0;
    const delivered = passed ? at(graph.subtasks, subtask).inputs : checkpoint === id ? aligned : [];
    for (const channel of delivered) if (at(graph.channels, channel).edge === index) arrived++;
  }
  const under = arrived > 0 && arrived < channels.length;
  return under ? { checkpoint: id, savepoint, arrived, of: channels.length } : null;
}
