/** The values that settings may have. */
import { type Settings, defaultSettings } from "./settings.ts";

export const themes = ["system", "light", "dark", "contrast"] as const;

export const taskColours = ["flink", "safe"] as const;
export const motions = ["system", "full", "reduced", "none"] as const;
export const narrations = ["headlines", "protocol", "everything"] as const;
export const numberFormats = ["1,234", "1 234", "1234"] as const;

export const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 64, "max"] as const;

/** On a phone the stage or the panel fills the page. */
export const fronts = ["stage", "panel"] as const;
/** What shares a rail where there is no room for two. */
export const railTabs = ["narrator", "inspector"] as const;

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

/** Of the settings that have few. */
export const choices: { readonly [K in keyof Settings]?: readonly Settings[K][] } = {
  theme: themes,
  taskColours,
  motion: motions,
  narration: narrations,
  numbers: numberFormats,
  speed: speeds,
  dock: dockTabs,
  front: fronts,
  rail: railTabs,
  sweepFailures: [1, 2],
};

/** May the setting have this value? Without a list, any of the kind of its default. */
export function allows(key: string, value: unknown): boolean {
  const allowed: readonly unknown[] | undefined = choices[key as keyof Settings];
  const fallback = defaultSettings[key as keyof Settings];
  return allowed?.includes(value) ?? (typeof value === typeof fallback && value !== null && value !== 0);
}

/** The settings with the default in the place of each value that may not be; themselves where there is none. */
export function allowed(settings: Settings): Settings {
  const kept = Object.entries(settings).filter(([key, value]) => key in defaultSettings && allows(key, value));
  return kept.length === Object.keys(settings).length ? settings : { ...defaultSettings, ...Object.fromEntries(kept) };
}
