/**
 * Layouts on request, kept by graph and size. They are made in a worker; one that breaks is replaced, and what it owed is
 * asked for again.
 */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { type Folds, noFolds } from "./density.ts";
import { layoutKey } from "./layout-key.ts";
import type { LayoutReply, LayoutRequest } from "./layout.worker.ts";
import type { Size, StageLayout } from "./layout-types.ts";

export interface LayoutService {
  layout(graph: ExecutionGraph, size: Size, folds?: Folds): Promise<StageLayout>;
  /** A layout that is there already. */
  known(graph: ExecutionGraph, size: Size, folds?: Folds): StageLayout | null;
}

/** Layouts kept; a window that is being resized asks for many. */
const KEPT_MAX = 24;

/** A worker that breaks so often is not replaced any more. */
const STARTS_MAX = 3;

interface Waiting {
  readonly request: LayoutRequest;
  readonly done: (layout: StageLayout) => void;
  readonly failed: (error: Error) => void;
}

export function createLayoutService(start: () => Worker): LayoutService {
  const kept = new Map<string, StageLayout>();
  const waiting = new Map<number, Waiting>();
  let requests = 0;
  let starts = 0;
  const begin = (): Worker => {
    const worker = start();
    starts++;
    worker.addEventListener("message", ({ data }: MessageEvent<LayoutReply>) => {
      waiting.get(data.id)?.done(data.layout);
      waiting.delete(data.id);
    });
    worker.addEventListener("error", ({ message }) => replace(message));
    return worker;
  };
  let current: Worker | null = begin();
  const replace = (message: string): void => {
    if (starts < STARTS_MAX) {
      const next = begin();
      current = next;
      for (const { request } of waiting.values()) next.postMessage(request);
      return;
    }
    current = null;
    for (const { failed } of waiting.values()) failed(new Error(`No layout: ${message}`));
    waiting.clear();
  };
  const make = (graph: ExecutionGraph, size: Size, folds: Folds): Promise<StageLayout> => {
    const worker = current;
    if (worker === null) return Promise.reject(new Error("No layout: its worker breaks again and again"));
    const request: LayoutRequest = { id: ++requests, graph, size, folds };
    return new Promise((done, failed) => {
      waiting.set(request.id, { request, done, failed });
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
    known: (graph, size, folds = noFolds) => kept.get(layoutKey(graph, size, folds)) ?? null,
    layout: async (graph, size, folds = noFolds) => {
      const key = layoutKey(graph, size, folds);
      return kept.get(key) ?? keep(key, await make(graph, size, folds));
    },
  };
}
