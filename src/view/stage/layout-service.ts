/**
 * Layouts on request, kept by graph and size. Whoever mounts the stage creates the worker; without one (in tests, or
 * where workers are not to be had) the layout is made on the spot.
 */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { layoutKey } from "./layout-key.ts";
import type { LayoutReply, LayoutRequest } from "./layout.worker.ts";
import type { Size, StageLayout } from "./layout-types.ts";

export interface LayoutService {
  layout(graph: ExecutionGraph, size: Size): Promise<StageLayout>;
  /** A layout that is there already. */
  known(graph: ExecutionGraph, size: Size): StageLayout | null;
}

/** The layout library is loaded only where no worker does the work. */
async function onTheSpot(graph: ExecutionGraph, size: Size): Promise<StageLayout> {
  const { stageLayout } = await import("./layout.ts");
  return stageLayout(graph, size);
}

async function answer({ graph, size }: LayoutRequest, done: (layout: StageLayout) => void): Promise<void> {
  done(await onTheSpot(graph, size));
}

/** Layouts kept; a window that is being resized asks for many. */
const KEPT_MAX = 24;

export function createLayoutService(worker: Worker | null): LayoutService {
  const kept = new Map<string, StageLayout>();
  const waiting = new Map<number, { readonly request: LayoutRequest; readonly done: (layout: StageLayout) => void }>();
  let requests = 0;
  let broken = worker === null;
  worker?.addEventListener("message", ({ data }: MessageEvent<LayoutReply>) => {
    waiting.get(data.id)?.done(data.layout);
    waiting.delete(data.id);
  });
  // A worker that does not start must not leave the stage empty.
  worker?.addEventListener("error", () => {
    broken = true;
    for (const { request, done } of waiting.values()) void answer(request, done);
    waiting.clear();
  });
  const make = (graph: ExecutionGraph, size: Size): Promise<StageLayout> => {
    if (worker === null || broken) return onTheSpot(graph, size);
    const request: LayoutRequest = { id: ++requests, graph, size };
    return new Promise((done) => {
      waiting.set(request.id, { request, done });
      worker.postMessage(request);
    });
  };
  const keep = (key: string, layout: StageLayout): StageLayout => {
    kept.set(key, layout);
    const oldest = kept.keys().next();
    if (kept.size > KEPT_MAX && oldest.done !== true) kept.delete(oldest.value);
    return layout;
  };
  return {
    known: (graph, size) => kept.get(layoutKey(graph, size)) ?? null,
    layout: async (graph, size) => {
      const key = layoutKey(graph, size);
      return kept.get(key) ?? keep(key, await make(graph, size));
    },
  };
}
