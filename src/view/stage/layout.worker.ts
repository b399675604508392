/** The view's own worker: dagre runs here, so that a large graph never holds up a frame. */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { stageLayout } from "./layout.ts";
import type { Size, StageLayout } from "./layout-types.ts";

export interface LayoutRequest {
  readonly id: number;
  readonly graph: ExecutionGraph;
  readonly size: Size;
}

export interface LayoutReply {
  readonly id: number;
  readonly layout: StageLayout;
}

self.addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  const reply: LayoutReply = { id: data.id, layout: stageLayout(data.graph, data.size) };
  self.postMessage(reply);
});
