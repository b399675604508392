/** Panels are fetched when they are first looked at, or when a hand comes near their tabs: the stage comes first. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { dockTabs } from "../setting-choices.ts";
import type { DockTab } from "../settings.ts";

const fetches: { readonly [T in DockTab]: () => Promise<{ readonly default: ComponentType }> } = {
  timeline: () => import("./timeline.tsx"),
  checkpoints: () => import("./checkpoints.tsx"),
  events: () => import("./event-log.tsx"),
  ledger: () => import("./ledger.tsx"),
  branches: () => import("./branches.tsx"),
  sweep: () => import("./sweep.tsx"),
  exceptions: async () => ({ default: (await import("./inspect/body.tsx")).Exceptions }),
  stops: () => import("./stops.tsx"),
  spaceTime: () => import("../space-time/space-time-panel.tsx"),
  outline: () => import("./outline.tsx"),
  selected: async () => ({ default: (await import("./inspector.tsx")).Inspector }),
};

/** Behind the tab *Time* of a phone. */
export const timeTabs: readonly DockTab[] = ["spaceTime", "timeline"];

type Panel = ComponentType;

const lazyPanels: { readonly [T in DockTab]: LazyExoticComponent<Panel> } = {
  timeline: lazy(fetches.timeline),
  checkpoints: lazy(fetches.checkpoints),
  events: lazy(fetches.events),
  ledger: lazy(fetches.ledger),
  branches: lazy(fetches.branches),
  sweep: lazy(fetches.sweep),
  exceptions: lazy(fetches.exceptions),
  stops: lazy(fetches.stops),
  spaceTime: lazy(fetches.spaceTime),
  outline: lazy(fetches.outline),
  selected: lazy(fetches.selected),
};

const fetched = new Map<DockTab, Panel>();

/** The panel itself where it is there already: one that has to be waited for appears with a delay. */
export function panelOf(tab: DockTab): Panel {
  return fetched.get(tab) ?? lazyPanels[tab];
}

/** Fetches them all: called when a hand or the focus comes near the tabs, so that they are there before one is chosen. */
export function fetchPanels(): void {
  for (const tab of dockTabs)
    if (!fetched.has(tab)) void fetches[tab]().then(({ default: panel }) => fetched.set(tab, panel));
}
