/**
 * A split's word in its reader's state: the next offset, or that the reader does not have the split, or, where the
 * initializer leaves it to the reader to ask the log (`ReaderHandledOffsetsInitializer`: the latest offset, the group's),
 * where it stands though it has emitted nothing yet. Such a split has no position in a snapshot: only the mark that it is
 * to be asked for is stored, and a restore asks anew (SK-006).
 */
import type { StartingOffsets } from "../../protocol/job-graph.ts";

/** In the place of a position: the reader does not have this split. */
export const NOT_HERE = -1;
/** In a snapshot: the position is to be asked for. */
const TO_ASK = -2;

/** Where the reader stands; `NOT_HERE`: it does not have the split. */
export function positionIn(word: number): number {
  return word > TO_ASK ? word : TO_ASK - word;
}

/** The word of a split that begins at this offset. */
export function beginning(position: number, { kind }: StartingOffsets): number {
  return kind === "latest" || kind === "group" ? TO_ASK - position : position;
}

/** Has the reader emitted nothing of a split whose position it has asked for? */
export function isAsked(word: number): boolean {
  return word <= TO_ASK;
}

/** The word as a snapshot stores it. */
export function storedWord(word: number, positionOf: (position: number) => number): number {
  return word < 0 ? Math.max(word, TO_ASK) : positionOf(word);
}
