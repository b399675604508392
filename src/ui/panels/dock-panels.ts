/** Panels are fetched when they are first looked at, or when a hand comes near their tabs: the stage comes first. */
import { type Later, later } from "../later.tsx";
import { dockTabs } from "../setting-choices.ts";
import type { DockTab } from "../settings.ts";

export const dockPanels: { readonly [T in DockTab]: Later<object> } = {
  timeline: later(() => import("./timeline.tsx")),
  checkpoints: later(() => import("./checkpoints.tsx")),
  events: later(() => import("./event-log.tsx")),
  ledger: later(() => import("./ledger.tsx")),
  branches: later(() => import("./branches.tsx")),
  sweep: later(() => import("./sweep.tsx")),
  exceptions: later(async () => ({ default: (await import("./inspect/body.tsx")).Exceptions })),
  stops: later(() => import("./stops.tsx")),
  spaceTime: later(() => import("../space-time/space-time-panel.tsx")),
  outline: later(() => import("./outline.tsx")),
  selected: later(async () => ({ default: (await import("./inspector.tsx")).Inspector })),
};

/** Behind the tab *Time* of a phone. */
export const timeTabs: readonly DockTab[] = ["spaceTime", "timeline"];

/** Fetches them all: called when a hand or the focus comes near the tabs, so that they are there before one is chosen. */
export function fetchPanels(): void {
  for (const tab of dockTabs) dockPanels[tab].ahead();
}
