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
  outline: () => import("./outline.tsx"),
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
  outline: lazy(fetches.outline),
  selected: lazy(fetches.selected),
};

const fetched = new Map<DockTab, Panel>();

/** The panel itself where it is there already: one that has to be waited for appears with a delay. */
export function panelOf(tab: DockTab): Panel {
  return fetched.get(tab) ?? lazyPanels[tab];
}

/** A first visit has no use for a sweep before it has seen one failure, nor for a table of the graph it has before it. */
const soonWanted = dockTabs.filter((tab) => tab !== "sweep" && tab !== "outline");

const signs = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

/** Fetches panels as soon as somebody is there: who only watches needs none but the open one. */
export function fetchPanelsSoon(): () => void {
  const stop = (): void => signs.forEach((sign) => removeEventListener(sign, fetch));
  const fetch = (): void => {
    stop();
    for (const tab of soonWanted) void fetches[tab]().then(({ default: panel }) => fetched.set(tab, panel));
  };
  for (const sign of signs) addEventListener(sign, fetch, { passive: true });
  return stop;
}
