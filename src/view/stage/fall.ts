/** The way of what is lost: half of its own, then off it to the side and down. */
import { at } from "../../base/assert.ts";
import { makePath, type Path, pointAt } from "./path.ts";

/** What share of its way it comes along. */
const COMES = 0.5;
/** How far it falls, and how far beside its way, so that one that was on its way down is seen to leave it. */
const DOWN = 64;
const ASIDE = 26;
/** First it goes on a little as it went. */
const ON = 14;

interface Fall {
  readonly path: Path;
  readonly falls: number;
}

/** The same way falls the same. */
const made = new WeakMap<Path, Fall>();

export function fallOff(path: Path): Fall {
  const known = made.get(path);
  if (known !== undefined) return known;
  const falls = path.length * COMES;
  const { x, y, angle } = pointAt(path, falls);
  const points = path.distances.flatMap((distance, place) =>
    distance < falls ? [{ x: at(path.points, place * 2), y: at(path.points, place * 2 + 1) }] : [],
  );
  const [first, ...others] = points;
  const low = { x: x - ASIDE, y: y + DOWN };
  const fall = makePath(first ?? { x, y }, [
    ...others.map((to) => ({ to })),
    { to: { x, y } },
    {
      to: low,
      handles: [
        { x: x + Math.cos(angle) * ON, y: y + Math.sin(angle) * ON },
        { x: low.x, y: y + DOWN * 0.3 },
      ],
    },
  ]);
  const result = { path: fall, falls };
  made.set(path, result);
  return result;
}
