/** What is remembered from visit to visit. Where the browser keeps nothing, everything works and is forgotten. */

import type {
  dockTabs,
  fronts,
  motions,
  narrations,
  numberFormats,
  railTabs,
  speeds,
  taskColours,
  themes,
} from "./setting-choices.ts";

export type Theme = (typeof themes)[number];
export type Speed = (typeof speeds)[number];
export type DockTab = (typeof dockTabs)[number];

export type Front = (typeof fronts)[number];
export type RailTab = (typeof railTabs)[number];

export interface Settings {
  readonly theme: Theme;
  /** Of task states: as Flink's dashboard has them, or steps that are told apart without colour vision. */
  readonly taskColours: (typeof taskColours)[number];
  readonly motion: (typeof motions)[number];
  /** What is told while it plays. */
  readonly narration: (typeof narrations)[number];
  /** Screen readers are told what happens. */
  readonly liveRegion: boolean;
  readonly numbers: (typeof numberFormats)[number];
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
  /** Spans in which nothing moves are shown shorter than they are. */
  readonly foldIdle: boolean;
  /** On the timeline: what a crash at each instant comes to. */
  readonly outcomeStrip: boolean;
  /** Keys that somebody has chosen, by the name of what they do. */
  readonly keys: { readonly [name: string]: string };
}

export const defaultSettings: Settings = {
  theme: "system",
  taskColours: "flink",
  motion: "system",
  narration: "headlines",
  liveRegion: true,
  numbers: "1,234",
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
  foldIdle: true,
  outcomeStrip: false,
  keys: {},
};

const KEY = "barrierscope.settings";

/** `defaultSettings` itself: nothing is remembered, so nobody with this browser has been here. */
export function loadSettings(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "0");
    return typeof stored === "object" && stored !== null ? ofTheirKind(stored) : defaultSettings;
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
 * Of what is stored, values of the kind of today's: it may be of another version, or edited. What they may be is checked
 * when the shell is there (`setting-choices.ts`); sizes are held within bounds by the styles.
 */
function ofTheirKind(stored: object): Settings {
  const kept = Object.entries(stored).filter(([key, value]) => {
    // A speed may be a word.
    return value === "max" || (typeof value === typeof defaultSettings[key as keyof Settings] && value !== null);
  });
  return { ...defaultSettings, ...Object.fromEntries(kept) };
}
