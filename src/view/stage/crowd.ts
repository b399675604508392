/**
 * How many things that move are drawn when they are many. It depends on how many are in sight and on the magnification,
 * never on the speed: records are glyphs, then dots, then bands along their channels; of other things those that would lie
 * on one another are drawn once.
 */
import type { Token } from "./frame-types.ts";
import type { Placed } from "./path.ts";

export interface PlacedToken {
  readonly token: Token;
  readonly place: Placed;
}

export type RecordLook = "glyph" | "dot" | "band";

/** Records in sight that are glyphs, and that are dots. */
const GLYPHS_MAX = 400;
const DOTS_MAX = 4000;
/** Smaller than this a glyph cannot be told from another. */
const GLYPH_FROM = 0.6;
/** Smaller than this, dots are dust. */
const DOT_FROM = 0.3;

export function recordLook(records: number, magnification: number): RecordLook {
  if (records > DOTS_MAX || (magnification < DOT_FROM && records > GLYPHS_MAX)) return "band";
  return records > GLYPHS_MAX || magnification < GLYPH_FROM ? "dot" : "glyph";
}

/** Fewer than this are drawn one by one. */
const THIN_FROM = 60;
const CLOSE = 5;

/** Of things that look the same and lie on one another the last; all where they are few. */
export function thinned(tokens: readonly PlacedToken[]): readonly PlacedToken[] {
  if (tokens.length < THIN_FROM) return tokens;
  const shown = new Map<string, PlacedToken>();
  for (const each of tokens) {
    const { token, place } = each;
    const look = `${token.kind} ${token.mark} ${token.letter}${token.pass > 1 ? token.pass : ""}${token.overtakes ? "!" : ""}`;
    shown.set(`${look} ${Math.round(place.x / CLOSE)} ${Math.round(place.y / CLOSE)}`, each);
  }
  return [...shown.values()];
}
