import { beforeEach, expect, test, vi } from "vitest";
import { allowed, allows } from "./setting-choices.ts";
import { defaultSettings, loadSettings, saveSettings } from "./settings.ts";

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("what is remembered comes back; where nothing is, it is the defaults themselves", () => {
  expect(loadSettings()).toBe(defaultSettings);
  const changed = { ...defaultSettings, theme: "dark", speed: "max", foldIdle: false, dockHeight: 300 } as const;
  saveSettings(changed);
  expect(loadSettings()).toEqual(changed);
});

test("of what is stored only values of today are taken over", () => {
  const stored = { theme: "pink", speed: 3, foldIdle: "no", dockHeight: "tall", railWidth: null, gone: true };
  kept.set("barrierscope.settings", JSON.stringify({ ...stored, dock: "events" }));
  expect(allowed(loadSettings())).toEqual({ ...defaultSettings, dock: "events" });
  expect(allowed(defaultSettings)).toBe(defaultSettings);
  for (const bad of ["", "null", "[]", "7", "{"]) {
    kept.set("barrierscope.settings", bad);
    expect(allowed(loadSettings()), bad).toEqual(defaultSettings);
  }
});

test("a setting with few values allows those, and any other what is of its kind", () => {
  expect([allows("theme", "dark"), allows("theme", "Dark"), allows("sweepFailures", 2)]).toEqual([true, false, true]);
  expect([allows("visited", false), allows("visited", 0), allows("dockHeight", 0)]).toEqual([true, false, false]);
});
