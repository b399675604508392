/** What is remembered from visit to visit. Where the browser keeps nothing, everything works and is forgotten. */

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 64, "max"] as const;
export type Speed = (typeof speeds)[number];

/** The last is in the rail where there is room for one. */
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

export interface Settings {
  readonly theme: Theme;
  readonly speed: Speed;
  readonly dock: DockTab;
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
  /** Spans in which nothing moves are shown shorter than they are. */
  readonly foldIdle: boolean;
}

export const defaultSettings: Settings = {
  theme: "system",
  speed: 1,
  dock: "timeline",
  dockHeight: 236,
  railWidth: 340,
  hintSeen: false,
  sweepFailures: 1,
  singleKeys: true,
  visited: false,
  foldIdle: true,
};

const KEY = "barrierscope.settings";

/** `defaultSettings` itself: nothing is remembered, so nobody with this browser has been here. */
export function loadSettings(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "0");
    return typeof stored === "object" && stored !== null ? checked(stored) : defaultSettings;
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

/** The values that a setting may have, where they are few. */
export const choices: { readonly [K in keyof Settings]?: readonly Settings[K][] } = {
  theme: themes,
  speed: speeds,
  dock: dockTabs,
  sweepFailures: [1, 2],
};

/**
 * Only values of today are taken over: the stored ones may be of another version, or edited. Sizes are held within bounds
 * by the styles.
 */
function checked(stored: object): Settings {
  const kept = Object.entries(stored).filter(([key, value]) => key in defaultSettings && allows(key, value));
  return { ...defaultSettings, ...Object.fromEntries(kept) };
}

/** May the setting have this value? Without a list, any of the kind of its default. */
export function allows(key: string, value: unknown): boolean {
  const allowed: readonly unknown[] | undefined = choices[key as keyof Settings];
  const fallback = defaultSettings[key as keyof Settings];
  return allowed?.includes(value) ?? (typeof value === typeof fallback && value !== null && value !== 0);
}
