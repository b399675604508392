import { expect, test } from "vitest";
import { changed } from "./changes.ts";

const none = { seed: null, set: [], faults: [] };
const set = (document: unknown, ...settings: string[]): unknown => {
  const result = changed(document, { ...none, set: settings });
  return result.ok ? result.value : result.message;
};

test("the document itself stays as it is", () => {
  const document = { config: { a: 1 }, faults: [1] };
  expect(changed(document, { seed: "3", set: ["a=2", "/config/b=x"], faults: ["{}"] })).toEqual({
    ok: true,
    value: { config: { a: 2, b: "x" }, faults: [1, {}], seed: 3 },
  });
  expect(document).toEqual({ config: { a: 1 }, faults: [1] });
});

test("a value is JSON where it can be, else a text; it may hold an equals sign", () => {
  expect(set({}, "a=1", "b=true", "c=1 s", 'd="2"', "e=x=y", "f=")).toEqual({
    config: { a: 1, b: true, c: "1 s", d: "2", e: "x=y", f: "" },
  });
});

test("a JSON pointer names any place; objects on the way are made, - appends to a list", () => {
  expect(set({ list: [{ a: 1 }] }, "/list/0/a=2", "/list/-=3", "/new/deep/x=4", "/a~1b/~0c=5")).toEqual({
    list: [{ a: 2 }, 3],
    new: { deep: { x: 4 } },
    "a/b": { "~c": 5 },
  });
  expect(set({ list: [] }, "/list/1=1")).toBe("--set /list/1: the list has no place 1");
  expect(set({ list: [] }, "/list/x=1")).toBe("--set /list/x: the list has no place x");
  expect(set({ a: 1 }, "/a/b=1")).toBe("--set /a/b: a is neither an object nor a list");
});

test("no prototype is reached", () => {
  const value = set({}, "/__proto__/polluted=true", "__proto__=1") as object;
  expect(Object.hasOwn(value, "__proto__")).toBe(true);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("what is no object cannot be changed, only refused as it is", () => {
  expect(changed([], none)).toEqual({ ok: true, value: [] });
  expect(changed([], { ...none, seed: "1" })).toMatchObject({ ok: false });
});
