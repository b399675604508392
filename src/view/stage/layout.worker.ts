/** The view's own worker: dagre runs here, so that a large graph never holds up a frame. */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { Folds } from "./density.ts";
import { stageLayout } from "./layout.ts";
import type { Size, StageLayout } from "./layout-types.ts";

export interface LayoutRequest {
  readonly id: number;
  readonly graph: ExecutionGraph;
  readonly size: Size;
  readonly folds: Folds;
}

export interface LayoutReply {
  readonly id: number;
  readonly layout: StageLayout;
}

async function answer({ id, graph, size, folds }: LayoutRequest): Promise<void> {
  const reply: LayoutReply = { id, layout: await stageLayout(graph, size, folds) };
  self.postMessage(reply);
}

self.addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  // What goes wrong is told to whoever made the worker, as if it had been thrown here.
  answer(data).catch(reportError);
});
