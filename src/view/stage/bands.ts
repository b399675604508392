/** Records as bands along their channels, where they are more than can be told apart. */
import type { PlacedToken } from "./crowd.ts";
import type { Token } from "./frame-types.ts";
import { type Path, type Placed, pointAt } from "./path.ts";

/** A piece of a channel with as many records as lie on it. */
export interface Band {
  readonly from: Placed;
  readonly to: Placed;
  readonly records: number;
}

/** Length of a piece. */
const PIECE = 16;

export function bandsOf(records: readonly PlacedToken[], distanceOf: (token: Token) => number): Band[] {
  const counts = new Map<Path, Map<number, number>>();
  for (const { token } of records) {
    const pieces = counts.get(token.path) ?? new Map<number, number>();
    counts.set(token.path, pieces);
    const piece = Math.floor(distanceOf(token) / PIECE);
    pieces.set(piece, (pieces.get(piece) ?? 0) + 1);
  }
  return [...counts].flatMap(([path, pieces]) =>
    [...pieces].map(([piece, count]): Band => ({
      from: pointAt(path, piece * PIECE),
      to: pointAt(path, (piece + 1) * PIECE),
      records: count,
    })),
  );
}
