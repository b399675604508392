import { expect, test, vi } from "vitest";
import { defaultSettings } from "../settings.ts";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
const { readSettings, settingsFile } = await import("./settings-file.ts");

const read = (settings: unknown): ReturnType<typeof readSettings> => readSettings(JSON.stringify({ settings }));
const told = (settings: unknown): string[] => {
  const result = read(settings);
  return result.ok ? [] : result.problems.map(({ path, value, message }) => `${path} = ${value}: ${message}`);
};

test("what is written can be read, without what belongs to this page", () => {
  const result = readSettings(settingsFile({ ...defaultSettings, theme: "contrast", keys: { why: "q" } }));
  expect(result).toEqual({
    ok: true,
    value: {
      theme: "contrast",
      taskColours: "flink",
      motion: "system",
      narration: "headlines",
      liveRegion: true,
      numbers: "1,234",
      speed: 1,
      singleKeys: true,
      foldIdle: true,
      outcomeStrip: false,
      keys: { why: "q" },
    },
  });
});

test("an error names the place, the value and what is allowed", () => {
  expect(told({ theme: "pink", foldIdle: 1, speed: 3, colour: "red" })).toEqual([
    'settings.theme = "pink": Allowed: "system", "light", "dark", "contrast".',
    "settings.foldIdle = 1: Allowed: true, false.",
    'settings.speed = 3: Allowed: 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 64, "max".',
    expect.stringContaining('settings.colour = "red": Unknown setting. Known here: theme, '),
  ]);
});

test("a key that is none, of nothing that acts, or of two is refused", () => {
  expect(told({ keys: { why: "q", undo: "q", fly: "z", palette: "p", redo: "Enter" } })).toEqual([
    'settings.keys.why = "q": This key is that of undo.',
    'settings.keys.undo = "q": This key is that of why.',
    expect.stringContaining(
      'settings.keys.fly = "z": No such action, or its key cannot be changed. Known here: playPause',
    ),
    expect.stringContaining('settings.keys.palette = "p": No such action'),
    'settings.keys.redo = "Enter": A small letter, “Shift+” and a capital one, or a sign.',
  ]);
  expect(told({ keys: [] })).toEqual(["settings.keys = []: An object: what a key does, and the key."]);
  // Two that change places.
  expect(told({ keys: { why: "u", undo: "w" } })).toEqual([]);
});

test("what is no settings file is told so", () => {
  expect(readSettings("theme: dark")).toMatchObject({
    problems: [{ message: expect.stringMatching(/^This is no JSON/) }],
  });
  for (const text of ["[]", "null", '{"settings":[]}', '{"theme":"dark"}'])
    expect(readSettings(text), text).toMatchObject({
      problems: [{ message: expect.stringMatching(/^A settings file is an object/) }],
    });
});
