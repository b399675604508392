/** Panels are fetched when they are first looked at: the stage comes first. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { DockTab } from "../settings.ts";

export const lazyPanels: { readonly [T in DockTab]: LazyExoticComponent<ComponentType> } = {
  timeline: lazy(() => import("./timeline.tsx")),
  checkpoints: lazy(() => import("./checkpoints.tsx")),
  events: lazy(() => import("./event-log.tsx")),
  ledger: lazy(() => import("./ledger.tsx")),
  branches: lazy(() => import("./branches.tsx")),
};
