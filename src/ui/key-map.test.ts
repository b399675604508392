import { expect, test, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
const { bindings } = await import("./keyboard.ts");
const { canBeRemapped, isKey, keysOf, ownerOf, pressedKey, remapped, shownKeys } = await import("./key-map.ts");

function binding(name: string): (typeof bindings)[number] {
  const found = bindings.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no binding ${name}`);
  return found;
}

test("a chosen key takes the place of the single ones; keys with Ctrl or Alt and Space stay", () => {
  const map = { undo: "q", playPause: "Shift+P", phaseForward: "+" };
  expect(keysOf(binding("undo"), map)).toEqual(["$mod+z", "q"]);
  expect(keysOf(binding("playPause"), map)).toEqual(["Space", "Shift+P"]);
  expect(keysOf(binding("phaseForward"), map)).toEqual(["+", "Shift++"]);
  expect(shownKeys(binding("undo"), map)).toBe("Q Ctrl+Z");
  expect(keysOf(binding("undo"), {})).toEqual(binding("undo").keys);
});

test("a map that makes no sense changes nothing", () => {
  const map = { undo: "ctrl", dock: "q", palette: "q" };
  expect(keysOf(binding("undo"), map)).toEqual(binding("undo").keys);
  expect(keysOf(binding("dock"), map)).toEqual(binding("dock").keys);
  expect(keysOf(binding("palette"), map)).toEqual(binding("palette").keys);
});

test("every key that has an owner is refused with its name, those inside the graph and of the laser too", () => {
  expect(ownerOf("n", "undo", {})).toBe("checkpointForward");
  expect(ownerOf("l", "undo", {})).toBe("laser");
  expect(ownerOf("3", "undo", {})).toBe("dock");
  expect(ownerOf("+", "undo", {})).toBe("zoom");
  expect(ownerOf("u", "undo", {})).toBeNull();
  expect(ownerOf("q", "undo", {})).toBeNull();
  expect(ownerOf("q", "undo", { why: "q" })).toBe("why");
  expect(ownerOf("w", "undo", { why: "q" })).toBeNull();
});

test("all single keys but the digits of the panels can be another", () => {
  const kept = bindings.filter((each) => !canBeRemapped(each)).map(({ name }) => name);
  expect(kept).toEqual([
    "start",
    "end",
    "branch",
    "walk",
    "skip",
    "ends",
    "vertices",
    "choose",
    "inspect",
    "zoom",
    "palette",
    "dock",
    "laser",
    "close",
  ]);
});

test("what is pressed is written as the table has it; a map with the table's own key is none", () => {
  const press = (key: string, more: object = {}): string | null =>
    pressedKey({ key, ctrlKey: false, altKey: false, metaKey: false, ...more } as KeyboardEvent);
  expect([press("q"), press("Q"), press("?"), press("ö")]).toEqual(["q", "Shift+Q", "?", "ö"]);
  expect([press("Enter"), press(" "), press("q", { ctrlKey: true })]).toEqual([null, null, null]);
  expect([isKey("Q"), isKey("Shift+q"), isKey(7)]).toEqual([false, false, false]);
  expect(remapped({ why: "q" }, "why", "w")).toEqual({});
  expect(remapped({ why: "q" }, "undo", "!")).toEqual({ why: "q", undo: "!" });
});
