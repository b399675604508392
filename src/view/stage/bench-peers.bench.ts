/** The peers: what a person would draw the same picture with. Each draws a graph and moves dots along its edges. */
import "@xyflow/react/dist/style.css";
import { ReactFlow, type Edge, type Node } from "@xyflow/react";
import cytoscape from "cytoscape";
import { createElement, memo, useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { at } from "../../base/assert.ts";
import type { Scene, Token } from "./frame-types.ts";
import { turn } from "./bench-job.bench.ts";
import { placeOf } from "./motion.ts";

export interface Drawn {
  /** Puts the movers where they are at a time. */
  readonly move: (clock: number) => void;
  readonly remove: () => void;
}

/** Draws the scene's subtasks, channels and movers; the picture is there when it returns. */
export type Draw = (host: HTMLElement, scene: Scene, movers: readonly Token[]) => Drawn;

function positions(movers: readonly Token[], clock: number): { x: number; y: number }[] {
  return movers.map((token) => {
    const place = placeOf(turn(token, clock), clock);
    return { x: place?.x ?? 0, y: place?.y ?? 0 };
  });
}

/** A mover of React Flow: the least that a node can be. */
const Dot = memo(() => null);
const nodeTypes = { dot: Dot };
const dotStyle = { background: "#3B4656" };
/** What it does besides drawing is off, so that it is not paid for. */
const drawingOnly = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  proOptions: { hideAttribution: true },
};

export const reactFlow: Draw = (host, { graph, layout }, movers) => {
  const fixed = graph.subtasks.map(({ index, name }): Node => {
    const { box } = at(layout.subtasks, index);
    return {
      id: `s${index}`,
      position: { x: box.x, y: box.y },
      data: { label: name },
      style: { width: box.width, height: box.height, padding: 0, fontSize: 8 },
    };
  });
  const edges = graph.channels.map(({ index, from, to }): Edge => ({
    id: `c${index}`,
    source: `s${from}`,
    target: `s${to}`,
  }));
  const dots = (clock: number): Node[] =>
    positions(movers, clock).map((position, index) => ({
      id: `m${index}`,
      type: "dot",
      position,
      data: {},
      width: 4,
      height: 4,
      style: dotStyle,
    }));
  let set: (nodes: Node[]) => void = () => {};
  const Flow = () => {
    const [nodes, setNodes] = useState<Node[]>([...fixed, ...dots(0)]);
    set = setNodes;
    return createElement(ReactFlow, { nodes, edges, nodeTypes, ...drawingOnly });
  };
  const root = createRoot(host);
  flushSync(() => root.render(createElement(Flow)));
  return {
    move: (clock) => flushSync(() => set([...fixed, ...dots(clock)])),
    remove: () => root.unmount(),
  };
};

export const cytoscapeJs: Draw = (host, { graph, layout }, movers) => {
  const places = positions(movers, 0);
  const drawn = cytoscape({
    container: host,
    layout: { name: "preset" },
    autoungrabify: true,
    autounselectify: true,
    userPanningEnabled: false,
    userZoomingEnabled: false,
    boxSelectionEnabled: false,
    elements: [
      ...graph.subtasks.map(({ index, name }) => ({
        data: { id: `s${index}`, label: name },
        position: { x: at(layout.subtasks, index).box.x, y: at(layout.subtasks, index).box.y },
      })),
      ...graph.channels.map(({ index, from, to }) => ({
        data: { id: `c${index}`, source: `s${from}`, target: `s${to}` },
      })),
      ...places.map((position, index) => ({ data: { id: `m${index}` }, position })),
    ],
    style: [
      { selector: "node", style: { width: 4, height: 4 } },
      { selector: "edge", style: { width: 1 } },
    ],
  });
  const dots = movers.map((_, index) => drawn.getElementById(`m${index}`));
  return {
    move: (clock) =>
      drawn.batch(() => positions(movers, clock).forEach((position, index) => at(dots, index).position(position))),
    remove: () => drawn.destroy(),
  };
};
