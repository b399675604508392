/**
 * Marks of a long run that lie too near to each other to be told apart are one mark: a track has a bounded number of them
 * however long the run is. Only neighbours that came to the same are put together, so that none that failed is hidden.
 */
import { at } from "../base/assert.ts";

/** Marks that lie nearer than this part of the track are put together. */
const ROOM = 1 / 400;

interface Mark {
  readonly left: number;
  readonly right: number;
}

/** Neighbours in their order; mostly one alone. */
export interface Dense<M extends Mark> extends Mark {
  readonly marks: readonly M[];
}

/** `marks` are in the order of their beginnings; `kind`: what they came to. */
export function dense<M extends Mark>(marks: readonly M[], total: number, kind: (mark: M) => string): Dense<M>[] {
  const groups: { marks: M[]; left: number; right: number }[] = [];
  for (const mark of marks) {
    const last = groups[groups.length - 1];
    const joins =
      last !== undefined &&
      Math.max(mark.right, last.right) - last.left < total * ROOM &&
      kind(at(last.marks, 0)) === kind(mark);
    if (joins) {
      last.marks.push(mark);
      last.right = Math.max(last.right, mark.right);
    } else groups.push({ marks: [mark], left: mark.left, right: mark.right });
  }
  return groups;
}
