/** What moves by itself, read from the style sheets: the design's list of what never does (experience 5.6). */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const sheets = ["src/ui/styles", "src/view/stage"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(`${folder}/${name}`, "utf8").replaceAll(/\/\*.*?\*\//gs, "")),
);

interface Declared {
  readonly selector: string;
  readonly value: string;
}

/** Every value that a property is given, with the selector that gives it. */
function declared(property: string): Declared[] {
  return sheets.flatMap((sheet) =>
    [...sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selector = "", body = ""]) =>
      [...body.matchAll(new RegExp(`(?:^|;)\\s*${property}:([^;]*)`, "g"))].map(([, value = ""]) => ({
        selector: selector.trim(),
        value: value.replaceAll(/\s+/g, " ").trim(),
      })),
    ),
  );
}

const moving = (property: string): Declared[] => declared(property).filter(({ value }) => !value.startsWith("none"));

test("only the ground and the edge of a button change gradually: no text, number, badge or table does", () => {
  expect(moving("transition")).toEqual([
    { selector: ".button", value: "background 120ms ease-out, border-color 120ms ease-out" },
  ]);
  expect(moving("transition-(?:property|duration)")).toEqual([]);
});

test("what is animated is what opens and what is pointed out; nothing goes on for ever", () => {
  const animated = moving("animation");
  expect(new Set(animated.map(({ value }) => value.split(" ")[0]))).toEqual(
    new Set(["appear", "fade", "pulse-place", "tour-breathe"]),
  );
  for (const { value } of animated) expect(value).not.toContain("infinite");
  expect(moving("animation-iteration-count")).toEqual([]);
});

test("nothing flashes more than three times a second, and nothing is blurred", () => {
  for (const { value } of moving("animation")) {
    const [, seconds, unit] = /([\d.]+)(m?s)\b/.exec(value) ?? [];
    const repeats = / \d+(?: alternate)?$/.test(value);
    if (repeats) expect(Number(seconds) * (unit === "ms" ? 1 : 1000)).toBeGreaterThan(1000 / 3);
  }
  for (const property of ["filter", "backdrop-filter"])
    expect(declared(property).filter(({ value }) => value.includes("blur"))).toEqual([]);
});

test("with less motion nothing of it is left", () => {
  expect(declared("animation").filter(({ value }) => value === "none !important").length).toBe(2);
  expect(declared("transition").filter(({ value }) => value === "none !important").length).toBe(2);
});
