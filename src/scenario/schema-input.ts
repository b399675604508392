/** The structure of what a source is given: by a topic of the log, one of its partitions, or by the source itself. */
import * as v from "valibot";
import { closed, duration, list, whole } from "./fields.ts";
import { limits } from "./limits.ts";

const literalRecord = closed({
  key: v.pipe(v.string("Must be a text."), v.maxLength(200, "A key has at most 200 characters.")),
  value: v.optional(whole(-1_000_000, 1_000_000)),
  eventTime: v.optional(v.number("Must be a number.")),
});
const count = v.union(
  [whole(0, limits.records), v.literal("unbounded")],
  `Must be a whole number from 0 to ${limits.records}, or "unbounded".`,
);
export const input = {
  records: v.optional(count),
  every: v.optional(duration()),
  keys: v.optional(whole(1, 100_000)),
  values: v.optional(list(literalRecord, limits.records)),
};

const shape = v.object(input);
export type InputSource = v.InferOutput<typeof shape>;
