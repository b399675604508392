/** Panels are fetched when they are first looked at, or once the page has nothing better to do: the stage comes first. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { type DockTab, dockTabs } from "../settings.ts";

const fetches: { readonly [T in DockTab]: () => Promise<{ readonly default: ComponentType }> } = {
  timeline: () => import("./timeline.tsx"),
  checkpoints: () => import("./checkpoints.tsx"),
  events: () => import("./event-log.tsx"),
  ledger: () => import("./ledger.tsx"),
  branches: () => import("./branches.tsx"),
  sweep: () => import("./sweep.tsx"),
  exceptions: async () => ({ default: (await import("./inspect/body.tsx")).Exceptions }),
  selected: async () => ({ default: (await import("./inspector.tsx")).Inspector }),
};

type Panel = ComponentType;

const lazyPanels: { readonly [T in DockTab]: LazyExoticComponent<Panel> } = {
  timeline: lazy(fetches.timeline),
  checkpoints: lazy(fetches.checkpoints),
  events: lazy(fetches.events),
  ledger: lazy(fetches.ledger),
  branches: lazy(fetches.branches),
  sweep: lazy(fetches.sweep),
  exceptions: lazy(fetches.exceptions),
  selected: lazy(fetches.selected),
};

const fetched = new Map<DockTab, Panel>();

/** The panel itself where it is there already: one that has to be waited for appears with a delay. */
export function panelOf(tab: DockTab): Panel {
  return fetched.get(tab) ?? lazyPanels[tab];
}

const SOON = 1000;
/** A first visit has no use for these before it has seen one failure: they are fetched when they are looked at. */
const laterWanted: ReadonlySet<DockTab> = new Set(["sweep", "exceptions"]);
const soonWanted = dockTabs.filter((tab) => !laterWanted.has(tab));

/** Fetches panels later; the returned function takes that back. */
export function fetchPanelsSoon(): () => void {
  const timer = setTimeout(() => {
    for (const tab of soonWanted) void fetches[tab]().then(({ default: panel }) => fetched.set(tab, panel));
  }, SOON);
  return () => clearTimeout(timer);
}
