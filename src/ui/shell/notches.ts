/** Which folds of idle time a track of some width shows, and which of them with their length. */
import type { Fold } from "../../view/clock.ts";

/** Pixels between two notches, and from one label to the next. */
const NOTCH = 6;
const LABEL = 52;

export interface Notch {
  readonly fold: Fold;
  readonly labelled: boolean;
}

/** Of folds that would lie on one another the first; a label only where it does not reach into the next. */
export function notches(folds: readonly Fold[], total: number, width: number): Notch[] {
  const list: Notch[] = [];
  let notchedTo = -Infinity;
  let labelledTo = -Infinity;
  for (const fold of folds) {
    const middle = ((fold.from + fold.to) / 2 / Math.max(1, total)) * width;
    if (middle < notchedTo) continue;
    const labelled = middle >= labelledTo && middle > LABEL / 2 && middle < width - LABEL / 2;
    notchedTo = middle + NOTCH;
    if (labelled) labelledTo = middle + LABEL;
    list.push({ fold, labelled });
  }
  return list;
}
