import { describe, expect, test } from "vitest";
import { loadKinds } from "../projection/load-view.ts";
import { contrast, distance, mixed, visions } from "./testing/colours.ts";
import { colourSafe, contrastDark, contrastLight } from "./theme-chosen.ts";
import { customProperties, dark, epochColour, light, loadGround, type Theme } from "./theme.ts";

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

const shown: readonly (readonly [string, Theme])[] = [
  ["light", light],
  ["dark", dark],
  ["light, high contrast", contrastLight],
  ["dark, high contrast", contrastDark],
  ["light, colour-safe", colourSafe(light)],
  ["dark, colour-safe", colourSafe(dark)],
];

for (const [name, theme] of shown) {
  describe(name, () => {
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

    test("what is marked on a vertex is seen however its subtasks spend their time", () => {
      for (const kind of loadKinds) {
        const ground = loadGround(theme, { idle: 0, busy: 0, backpressured: 0, [kind]: 100 });
        const epochs = theme.epochs.map(({ fill }, slot) => [`e${slot} on ${kind}`, fill, ground] as const);
        const others = [["focus", theme.focus, ground] as const];
        expect(below(3, [...epochs, ...others])).toEqual([]);
      }
    });

    test("what is written on a mark of its own reaches 4.5:1, and what is drawn on it 3:1", () => {
      const { tones, canvas, danger, warning, text, text2, outcomes } = theme;
      const failed = mixed(danger, 0.05, canvas);
      expect(
        below(4.5, [
          ["ink on committed", canvas, tones.committed.edge],
          ["ink on prepared", canvas, tones.prepared.edge],
          ["failure on a failed card", danger, failed],
          ["text on a failed card", text, failed],
          ["text2 on a failed card", text2, failed],
        ]),
      ).toEqual([]);
      expect(
        below(3, [
          ["warning on canvas", warning, canvas],
          ["a record that is sent again", outcomes.DUPLICATE.fill, canvas],
          ...Object.entries(tones).map(([name, { edge }]) => [`${name} on a failed card`, edge, failed] as const),
        ]),
      ).toEqual([]);
    });

    test("a notch in a cell is seen by its fill or by its rim", () => {
      const { canvas, text, tones } = theme;
      expect(Math.max(contrast(canvas, tones.running.fill), contrast(text, tones.running.fill))).toBeGreaterThan(3);
    });

    test("checkpoints that follow one another are told apart without red, green or blue as well", () => {
      const near = Object.keys(visions).flatMap((vision) =>
        theme.epochs.flatMap(({ fill }, slot) =>
          theme.epochs.slice(slot + 1).flatMap((other) => {
            const apart = distance(fill, other.fill, vision);
            return apart < 17 ? [`${vision} ${fill} ${other.fill} ${apart.toFixed(1)}`] : [];
          }),
        ),
      );
      expect(near).toEqual([]);
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

test("distances are those that the design names", () => {
  const least = (theme: Theme, vision: string): number =>
    Math.min(
      ...theme.epochs.flatMap(({ fill }, slot) =>
        theme.epochs.slice(slot + 1).map((other) => distance(fill, other.fill, vision)),
      ),
    );
  const visionsOf = (theme: Theme): number[] =>
    ["normal", "protan", "deutan", "tritan"].map((name) => least(theme, name));
  expect(visionsOf(light).map((value) => Number(value.toFixed(1)))).toEqual([26.6, 18.7, 17.4, 19.9]);
  expect(visionsOf(dark).map((value) => Number(value.toFixed(1)))).toEqual([33, 22.9, 23.9, 23.6]);
});

test("checkpoints cycle through the four epoch colours", () => {
  expect([4, 5, 6, 7, 8].map((checkpoint) => light.epochs.indexOf(epochColour(light, checkpoint)))).toEqual([
    0, 1, 2, 3, 0,
  ]);
});

test("every colour is a custom property, those with a number behind a dash", () => {
  const properties = customProperties(light);
  expect(properties["--canvas"]).toBe(light.canvas);
  expect(properties["--text-2"]).toBe(light.text2);
  expect(properties["--tone-running-edge"]).toBe(light.tones.running.edge);
  expect(properties["--outcome-ok-text"]).toBe(light.outcomes.OK.text);
});
