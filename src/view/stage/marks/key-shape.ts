/** Keys as shapes, so that a record is recognised without colour: ● ▲ ■ ◆ for the first four, letters for more. */
import { type KeyNumber } from "../frame-types.ts";
import { round } from "../path.ts";
import type { Pen } from "./pen.ts";

const SHAPES = 4;

/** Path of a key's shape around a point; `null`: the key has a letter. */
export function shapePath(key: KeyNumber, x: number, y: number, radius: number): string | null {
  if (key < 0 || key >= SHAPES) return null;
  const at = (dx: number, dy: number): string => `${round(x + dx * radius)},${round(y + dy * radius)}`;
  switch (key) {
    case 0: {
      const r = round(radius * 0.92);
      return `M${at(-0.92, 0)}a${r},${r} 0 1,0 ${r * 2},0a${r},${r} 0 1,0 ${-r * 2},0Z`;
    }
    case 1:
      return `M${at(0, -1.02)}L${at(1.05, 0.82)}L${at(-1.05, 0.82)}Z`;
    case 2:
      return `M${at(-0.84, -0.84)}L${at(0.84, -0.84)}L${at(0.84, 0.84)}L${at(-0.84, 0.84)}Z`;
    default:
      return `M${at(0, -1.1)}L${at(1.1, 0)}L${at(0, 1.1)}L${at(-1.1, 0)}Z`;
  }
}

/**
 * What stands for a key that has no shape: a short name whole; of a longer one the number at its end, the first letters of
 * its parts, or its first two.
 */
export function keyLetter(name: string): string {
  if (name.length <= 2) return name;
  const number = /\d+$/.exec(name)?.[0];
  if (number !== undefined) return number.slice(-2);
  const parts = name.split(/[^\p{L}]+/u).filter((part) => part !== "");
  return parts.length > 1
    ? parts
        .map((part) => part.slice(0, 1))
        .join("")
        .slice(0, 2)
    : name.slice(0, 2);
}

/** A key's shape or letter, drawn around a point. */
export function drawKey(
  pen: Pen,
  key: KeyNumber,
  name: string,
  x: number,
  y: number,
  radius: number,
  className: string,
): void {
  const d = shapePath(key, x, y, radius);
  if (d !== null) pen.path(d, className);
  else pen.text(x, y + 4.2, keyLetter(name), `${className} key-letter`, "middle");
}
