/**
 * What makes one JSON document another: a list of places with what stands there then. Exact: changing the first by it gives
 * the second, byte for byte but for the order of an object's keys that are new.
 */

export type Place = readonly (string | number)[];
/** A place without a value is one that is gone. */
export type Change = readonly [place: Place, value: unknown] | readonly [place: Place];

type Members = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function difference(from: unknown, to: unknown, place: Place = []): Change[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (Array.isArray(from) && Array.isArray(to) && from.length <= to.length) {
    const [known, wanted] = [from as unknown[], to as unknown[]];
    return wanted.flatMap((value, index): Change[] =>
      index < known.length ? difference(known[index], value, [...place, index]) : [[[...place, index], value]],
    );
  }
  if (!isObject(from) || !isObject(to)) return [[place, to]];
  const gone = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
  return [
    ...gone.map((key): Change => [[...place, key]]),
    ...Object.keys(to).flatMap((key): Change[] =>
      Object.hasOwn(from, key) ? difference(from[key], to[key], [...place, key]) : [[[...place, key], to[key]]],
    ),
  ];
}

/** The document after the changes; `null`: one of them names a place that is not there. */
export function changedBy(document: unknown, changes: readonly Change[]): unknown {
  let changed = document;
  for (const change of changes) {
    const next = put(changed, change[0], change);
    if (next === NOWHERE) return null;
    changed = next;
  }
  return changed;
}

const NOWHERE = Symbol("no such place");

function put(document: unknown, [first, ...rest]: Place, change: Change): unknown {
  if (first === undefined) return change.length === 2 ? change[1] : NOWHERE;
  if (Array.isArray(document) && typeof first === "number") return putItem(document as unknown[], first, rest, change);
  if (!isObject(document) || typeof first !== "string") return NOWHERE;
  if (rest.length === 0 && change.length === 1)
    return Object.fromEntries(Object.entries(document).filter(([key]) => key !== first));
  if (rest.length > 0 && !Object.hasOwn(document, first)) return NOWHERE;
  const value = put(document[first], rest, change);
  if (value === NOWHERE) return NOWHERE;
  // A key such as `__proto__` is a member like any other, and a known one keeps its place.
  const members = new Map(Object.entries(document)).set(first, value);
  return Object.fromEntries(members);
}

function putItem(list: readonly unknown[], index: number, rest: Place, change: Change): unknown {
  if (index < 0 || index > list.length || (rest.length > 0 && index === list.length)) return NOWHERE;
  const value = put(list[index], rest, change);
  return value === NOWHERE ? NOWHERE : [...list.slice(0, index), value, ...list.slice(index + 1)];
}
