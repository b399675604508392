import { expect, test, vi } from "vitest";
import { enKeys } from "./text/en-keys.ts";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
const { bindings } = await import("./keyboard.ts");

test("no key is bound twice", () => {
  const keys = bindings.flatMap((binding) => binding.keys ?? []);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test("everything that has words has a row, and each row once", () => {
  expect(bindings.map(({ name }) => name).toSorted()).toEqual(Object.keys(enKeys.names).toSorted());
});

test("what the sheet shows of a row is what acts: as many keys, and every letter among them", () => {
  for (const { shown, keys } of bindings) {
    if (keys === undefined || shown.includes("…")) continue;
    const acting = new Set(keys.map((key) => key.replace("$mod", "Ctrl").toLowerCase()));
    for (const key of shown.split(" "))
      expect([...acting], shown).toContain(key.toLowerCase().replace("esc", "escape"));
  }
});
