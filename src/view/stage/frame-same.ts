/**
 * Structural sharing between scenes: what is equal to what was there before is what was there before, so that whoever
 * paints can compare by identity and paint only what is new.
 */

/** `previous` where it equals `next`; otherwise `next` with those of its parts that are equal taken from `previous`. */
export function keepSame<T>(previous: T | undefined, next: T): T {
  if (previous === undefined || Object.is(previous, next)) return next;
  if (Array.isArray(next)) return Array.isArray(previous) ? (keepSameList(previous, next) as T) : next;
  if (isPlain(previous) && isPlain(next)) return keepSameObject(previous, next) as T;
  return next;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function keepSameList(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  let same = previous.length === next.length;
  const kept = next.map((item, index) => {
    const result = keepSame(previous[index], item);
    same = same && Object.is(result, previous[index]);
    return result;
  });
  return same ? previous : kept;
}

function keepSameObject(previous: Record<string, unknown>, next: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(next);
  let same = Object.keys(previous).length === keys.length;
  const kept: Record<string, unknown> = {};
  for (const key of keys) {
    kept[key] = keepSame(previous[key], next[key]);
    same = same && key in previous && Object.is(kept[key], previous[key]);
  }
  return same ? previous : kept;
}
