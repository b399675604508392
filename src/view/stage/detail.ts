/**
 * How much is drawn at a magnification, in steps, so that zooming paints anew only now and then. From far away a card is
 * a cell and names are large; from near a cell is a row and a row a card, drawn at the scale of the step.
 */
export type Detail = 0.25 | 0.5 | 1 | 2 | 4 | 8;

/** Where each step begins. */
const FROM: readonly (readonly [Detail, number])[] = [
  [8, 7],
  [4, 3.5],
  [2, 1.8],
  [1, 0.7],
  [0.5, 0.45],
];

export function detailAt(magnification: number): Detail {
  return FROM.find(([, from]) => magnification >= from)?.[0] ?? 0.25;
}

/** How a subtask is drawn in a box that is so large at the scale of the step. */
export type Form = "card" | "row" | "tile" | "cell";

/** So much a number needs. */
const TILE = 34;

export function formFor(width: number, height: number): Form {
  if (width >= 100 && height >= 50) return "card";
  if (width >= 50 && height >= 18 && width > height * 2) return "row";
  return width >= TILE && height >= TILE ? "tile" : "cell";
}
