import { expect, test } from "vitest";
import { contrast, distance, visions } from "./testing/colours.ts";
import { colourSafe, contrastDark, contrastLight } from "./theme-chosen.ts";
import { dark, light, type Theme } from "./theme.ts";

const tasks = [
  "created",
  "scheduled",
  "deploying",
  "initializing",
  "running",
  "finished",
  "canceling",
  "canceled",
  "failed",
] as const;

/** The smallest distance of two task states, whoever looks. */
function nearest(theme: Theme): number {
  const fills = tasks.map((tone) => theme.tones[tone].fill);
  return Math.min(
    ...Object.keys(visions).flatMap((vision) =>
      fills.flatMap((fill, index) => fills.slice(index + 1).map((other) => distance(fill, other, vision))),
    ),
  );
}

for (const theme of [contrastLight, contrastDark]) {
  test(`in high contrast (${theme.name}) every graphic and every text reaches 7:1`, () => {
    const { canvas, surface, hairline, epochs, outcomes, tones, load } = theme;
    const { text, text2, text3, line, link, focus, danger, warning, record } = theme;
    const single = [text, text2, text3, line, link, focus, danger, warning, record];
    const colours = [
      ...single,
      ...epochs.map(({ fill }) => fill),
      ...Object.values(outcomes).flatMap(({ fill, text }) => [fill, text]),
      ...Object.values(tones).flatMap(({ fill, edge }) => [fill, edge]),
      ...Object.values(load),
    ];
    expect(colours.filter((each) => contrast(each, canvas) < 7 || contrast(each, surface) < 7)).toEqual([]);
    // Decoration, where nothing is told by it, is seen as well.
    expect(contrast(hairline, canvas)).toBeGreaterThan(3);
  });
}

test.each([light, dark])("colour-safe ($name): no two task states are near one another, as Flink's are", (theme) => {
  expect(nearest(theme)).toBeLessThan(1);
  expect(nearest(colourSafe(theme))).toBeGreaterThan(10);
});
