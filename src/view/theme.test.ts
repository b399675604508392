import { describe, expect, test } from "vitest";
import { loadKinds } from "../projection/load-view.ts";
import { dark, epochColour, light, loadGround, type Theme } from "./theme.ts";

function channel(value: number): number {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function luminance(colour: string): number {
  const value = Number.parseInt(colour.slice(1), 16);
  return 0.2126 * channel(value >> 16) + 0.7152 * channel((value >> 8) & 255) + 0.0722 * channel(value & 255);
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Pairs whose contrast is below the floor. */
function below(floor: number, pairs: readonly (readonly [string, string, string])[]): string[] {
  return pairs
    .filter(([, a, b]) => contrast(a, b) < floor)
    .map(([name, a, b]) => `${name} ${contrast(a, b).toFixed(2)}`);
}

function onBoth(theme: Theme, name: string, colour: string): (readonly [string, string, string])[] {
  return [
    [`${name} on canvas`, colour, theme.canvas],
    [`${name} on surface`, colour, theme.surface],
  ];
}

for (const theme of [light, dark]) {
  describe(theme.name, () => {
    test("text reaches 4.5:1 on canvas and surface", () => {
      const texts = {
        text: theme.text,
        text2: theme.text2,
        text3: theme.text3,
        link: theme.link,
        danger: theme.danger,
        warning: theme.warning,
      };
      const outcomes = Object.entries(theme.outcomes).flatMap(([name, { text }]) => onBoth(theme, name, text));
      expect(
        below(4.5, [...Object.entries(texts).flatMap(([name, colour]) => onBoth(theme, name, colour)), ...outcomes]),
      ).toEqual([]);
    });

    test("graphics that carry meaning reach 3:1 on canvas and surface", () => {
      const edges = Object.entries(theme.tones).flatMap(([name, { edge }]) => onBoth(theme, name, edge));
      const epochs = theme.epochs.flatMap(({ fill }, slot) => onBoth(theme, `e${slot}`, fill));
      const outcomes = Object.entries(theme.outcomes).flatMap(([name, { fill }]) => onBoth(theme, name, fill));
      const others = [
        ...onBoth(theme, "line", theme.line),
        ...onBoth(theme, "focus", theme.focus),
        ...onBoth(theme, "record", theme.record),
        ...loadKinds.flatMap((kind) => onBoth(theme, kind, theme.load[kind])),
      ];
      expect(below(3, [...edges, ...epochs, ...outcomes, ...others])).toEqual([]);
    });

    test("words reach 4.5:1 on a vertex however its subtasks spend their time, marks 3:1", () => {
      for (const kind of loadKinds) {
        const ground = loadGround(theme, { idle: 0, busy: 0, backpressured: 0, [kind]: 100 });
        expect(below(4.5, [["text", theme.text, ground] as const, ["text2", theme.text2, ground] as const])).toEqual(
          [],
        );
        expect(
          below(
            3,
            loadKinds.map((other) => [`${other} on ${kind}`, theme.load[other], ground] as const),
          ),
        ).toEqual([]);
      }
      expect(loadGround(theme, null)).toBe(theme.surface);
    });

    test("numerals reach 4.5:1 on their epoch's fill", () => {
      expect(
        below(
          4.5,
          theme.epochs.map(({ fill, numeral }, slot) => [`e${slot}`, fill, numeral] as const),
        ),
      ).toEqual([]);
    });
  });
}

test("contrasts are those that the design names", () => {
  expect(contrast(light.text, light.canvas)).toBeCloseTo(17.49, 1);
  expect(contrast(dark.line, dark.surface)).toBeCloseTo(3.75, 1);
  expect(contrast(light.tones.running.edge, light.canvas)).toBeCloseTo(3.46, 1);
});

test("checkpoints cycle through the four epoch colours", () => {
  expect([4, 5, 6, 7, 8].map((checkpoint) => light.epochs.indexOf(epochColour(light, checkpoint)))).toEqual([
    0, 1, 2, 3, 0,
  ]);
});
