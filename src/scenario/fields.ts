/** Kinds of values in a scenario file, as schemas whose messages say what is wrong and what is allowed. */
import * as v from "valibot";
import { DURATION_HELP, parseDuration } from "./durations.ts";
import { didYouMean } from "./nearest.ts";
import { parseSize } from "./option-values.ts";

/** Why a word or key that the contract names is refused today, by the word: what is simulated in its place. */
export type NotYet = { readonly [word: string]: string };

/** Words of the contract that share a reason. */
export function notYet(words: readonly string[], instead: string): NotYet {
  return Object.fromEntries(words.map((word) => [word, instead]));
}

function has(table: NotYet, word: string): boolean {
  return Object.hasOwn(table, word);
}

/** More words than this are not told one by one. */
const MANY = 30;

/** What to say of a word that is none of those allowed. */
export function wordMessage(word: unknown, allowed: readonly string[], later: NotYet = {}): string {
  const list =
    allowed.length <= MANY ? `Allowed: ${allowed.join(", ")}.` : `There are ${allowed.length}; "sim list" tells them.`;
  if (typeof word !== "string") return `Must be one of these words. ${list}`;
  if (has(later, word))
    return `${JSON.stringify(word)} is not simulated yet. ${later[word] ?? ""} ${list}`.replace("  ", " ");
  return `Not known here.${didYouMean(word, [...allowed, ...Object.keys(later)])} ${list}`;
}

/**
 * An object with these keys and no others. A key that nobody knows is refused with the nearest known one, a key of the
 * contract that a run of today does not follow with what `later` says.
 */
export function closed<const E extends v.ObjectEntries>(entries: E, later: NotYet = {}) {
  const known = Object.keys(entries);
  // A loose object lets the check see all keys; once it has passed, what comes out has the known ones only.
  const object = v.looseObject(entries, "Must be an object: { … }.") as unknown as v.ObjectSchema<E, string>;
  return v.pipe(
    object,
    v.rawCheck(({ dataset, addIssue }) => {
      const input: unknown = dataset.value;
      if (typeof input !== "object" || input === null) return;
      for (const key of Object.keys(input)) if (!known.includes(key)) addIssue(unknownKey(input, key, known, later));
    }),
  );
}

function unknownKey(input: object, key: string, known: readonly string[], later: NotYet) {
  const value = (input as Record<string, unknown>)[key];
  const message = has(later, key)
    ? `${JSON.stringify(key)} is not simulated yet. ${later[key] ?? ""}`.trimEnd()
    : `Unknown key ${JSON.stringify(key)}.${didYouMean(key, [...known, ...Object.keys(later)])} Known here: ${known.join(", ")}.`;
  return {
    message,
    input: value,
    path: [
      { type: "object" as const, origin: "key" as const, input: input as Record<string, unknown>, key, value },
    ] as [v.ObjectPathItem],
  };
}

/** One of these words. */
export function oneOf<const W extends readonly string[]>(words: W, later: NotYet = {}) {
  return v.picklist(words, ({ input }) => wordMessage(input, words, later));
}

export function whole(least: number, most: number) {
  const message = `Must be a whole number from ${least} to ${most}.`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
}

export function text(longest: number) {
  const message = `Must be a text of 1 to ${longest} characters.`;
  return v.pipe(v.string(message), v.minLength(1, message), v.maxLength(longest, message));
}

export const flag = v.boolean("Must be true or false.");

export function list<S extends v.GenericSchema>(item: S, most: number) {
  return v.pipe(v.array(item, "Must be a list: [ … ]."), v.maxLength(most, `At most ${most} are allowed here.`));
}

/** A size, read to whole bytes. */
export function size() {
  const message = "Must be a Flink memory size of at most 1 gb.";
  return v.pipe(
    v.union([v.string(), v.number()], message),
    v.description('Flink memory size, such as "32 kb" or "5 mb"; a number without a unit is bytes'),
    v.rawTransform<string | number, number>(({ dataset, addIssue, NEVER }) => {
      const bytes = parseSize(String(dataset.value));
      if (bytes !== null && bytes <= 1024 ** 3) return bytes;
      addIssue({ message });
      return NEVER;
    }),
  );
}

/** A duration of the model or of Flink, read to whole milliseconds. */
export function duration(least = 0) {
  const message = `Must be ${DURATION_HELP}.`;
  return v.pipe(
    v.union([v.string(), v.number()], message),
    v.description('Flink duration, such as "500 ms", "10 s" or "5 min"; a number without a unit is milliseconds'),
    v.rawTransform<string | number, number>(({ dataset, addIssue, NEVER }) => {
      const milliseconds = parseDuration(dataset.value);
      if (milliseconds !== null && milliseconds >= least) return milliseconds;
      addIssue({ message: milliseconds === null ? message : `Must be at least ${least} ms.` });
      return NEVER;
    }),
  );
}
