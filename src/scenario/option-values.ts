/** One option's value, read as Flink reads it (`ConfigurationUtils`), numbers and texts alike as in YAML. */
import { DURATION_HELP, parseDuration } from "./durations.ts";
import type { OptionKind } from "./options.ts";

export type Scalar = string | number | boolean;

const bytes = /^(\d+)\s*(b|bytes|k|kb|kibibytes|m|mb|mebibytes|g|gb|gibibytes|t|tb|tebibytes)?$/i;

/** Bytes of a `MemorySize`; `null`: it is none. */
export function parseSize(text: string): number | null {
  const [, digits, unit = "b"] = bytes.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  return Number(digits) * 1024 ** Math.max(0, "bkmgt".indexOf(unit.charAt(0).toLowerCase()));
}

/** Milliseconds, a number, a word of the list, or the text; `null`: Flink rejects it. */
export function readValue(kind: OptionKind, raw: Scalar): Scalar | null {
  const text = String(raw).trim();
  switch (kind) {
    case "duration":
      return parseDuration(text);
    case "int":
      return /^[+-]?\d+$/.test(text) && Math.abs(Number(text)) <= 2_147_483_647 ? Number(text) : null;
    case "double":
      return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
    case "boolean":
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : null;
    case "size":
      return bytes.test(text) ? text : null;
    case "string":
      return text;
    default:
      return kind.find((word) => word.toUpperCase() === text.toUpperCase()) ?? null;
  }
}

/** What Flink accepts, in a sentence. */
export function allowedValues(kind: OptionKind): string {
  switch (kind) {
    case "duration":
      return `Must be ${DURATION_HELP}.`;
    case "int":
      return "Must be a whole number of at most 2147483647.";
    case "double":
      return "Must be a number.";
    case "boolean":
      return "Flink: unrecognized option for boolean; expected either true or false.";
    case "size":
      return 'Must be a Flink memory size: a whole number and a unit, such as "32 kb" or "64 mb".';
    case "string":
      return "Must be a text.";
    default:
      return `Flink: expected one of ${kind.join(", ")}.`;
  }
}
