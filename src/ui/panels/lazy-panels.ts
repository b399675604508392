/** Panels are fetched when they are first looked at, or once the page has nothing better to do: the stage comes first. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { DockTab } from "../settings.ts";

const fetches: { readonly [T in DockTab]: () => Promise<{ readonly default: ComponentType }> } = {
  timeline: () => import("./timeline.tsx"),
  checkpoints: () => import("./checkpoints.tsx"),
  events: () => import("./event-log.tsx"),
  ledger: () => import("./ledger.tsx"),
  branches: () => import("./branches.tsx"),
  selected: async () => ({ default: (await import("./inspector.tsx")).Inspector }),
};

export const lazyPanels: { readonly [T in DockTab]: LazyExoticComponent<ComponentType> } = {
  timeline: lazy(fetches.timeline),
  checkpoints: lazy(fetches.checkpoints),
  events: lazy(fetches.events),
  ledger: lazy(fetches.ledger),
  branches: lazy(fetches.branches),
  selected: lazy(fetches.selected),
};

const SOON = 1500;

/** Fetches all panels later; the returned function takes that back. */
export function fetchPanelsSoon(): () => void {
  const timer = setTimeout(() => {
    for (const fetch of Object.values(fetches)) void fetch();
  }, SOON);
  return () => clearTimeout(timer);
}
