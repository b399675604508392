/** What is remembered from visit to visit. Where the browser keeps nothing, everything works and is forgotten. */

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 64, "max"] as const;
export type Speed = (typeof speeds)[number];

/** The last is in the rail but on a phone. */
export const dockTabs = [
  "timeline",
  "checkpoints",
  "events",
  "ledger",
  "branches",
  "sweep",
  "outline",
  "stops",
  "spaceTime",
  "exceptions",
  "selected",
] as const;
export type DockTab = (typeof dockTabs)[number];

const fronts = ["stage", "panel"] as const;
export type Front = (typeof fronts)[number];

export const railTabs = ["narrator", "inspector"] as const;
export type RailTab = (typeof railTabs)[number];

export interface Settings {
  readonly theme: Theme;
  readonly speed: Speed;
  readonly dock: DockTab;
  /** On a phone the stage or the panel fills the page. */
  readonly front: Front;
  /** Where the narrator and the inspector share a rail, the one in front. */
  readonly rail: RailTab;
  /** Height of the panels below, in CSS pixels. */
  readonly dockHeight: number;
  /** Width of the narrator and the inspector, in CSS pixels. */
  readonly railWidth: number;
  readonly hintSeen: boolean;
  /** How many failures each run of a kill sweep gets. */
  readonly sweepFailures: 1 | 2;
  /** Letters, digits and signs act alone. */
  readonly singleKeys: boolean;
  /** The first minute has been seen, or put away. */
  readonly visited: boolean;
}

export const defaultSettings: Settings = {
  theme: "system",
  speed: 1,
  dock: "timeline",
  front: "stage",
  rail: "narrator",
  dockHeight: 236,
  railWidth: 340,
  hintSeen: false,
  sweepFailures: 1,
  singleKeys: true,
  visited: false,
};

const KEY = "barrierscope.settings";

/** `defaultSettings` itself: nothing is remembered, so nobody with this browser has been here. */
export function loadSettings(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "0");
    return typeof stored === "object" && stored !== null
      ? checked(stored as Partial<Record<keyof Settings, unknown>>)
      : defaultSettings;
  } catch {
    return defaultSettings;
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Storage is full or not allowed: the settings last as long as the page.
  }
}

/**
 * Only values of today are taken over: the stored ones may be of another version, or edited. Sizes are held within bounds
 * by the styles.
 */
function checked(stored: Partial<Record<keyof Settings, unknown>>): Settings {
  return {
    theme: oneOf(themes, stored.theme) ?? defaultSettings.theme,
    speed: oneOf(speeds, stored.speed) ?? defaultSettings.speed,
    dock: oneOf(dockTabs, stored.dock) ?? defaultSettings.dock,
    front: oneOf(fronts, stored.front) ?? defaultSettings.front,
    rail: oneOf(railTabs, stored.rail) ?? defaultSettings.rail,
    dockHeight: Number(stored.dockHeight) || defaultSettings.dockHeight,
    railWidth: Number(stored.railWidth) || defaultSettings.railWidth,
    hintSeen: stored.hintSeen === true,
    sweepFailures: oneOf([1, 2] as const, stored.sweepFailures) ?? defaultSettings.sweepFailures,
    singleKeys: stored.singleKeys !== false,
    visited: stored.visited === true,
  };
}

function oneOf<T>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((candidate) => candidate === value);
}
