/** The structure of faults, operations and the end of a run (the contract's `faults` and `until`). */
import * as v from "valibot";
import { eventTypes } from "../protocol/events.ts";
import { claimModes, commitErrors, faultVerbs, rpcs, savepointFormats, snapshotParts } from "../protocol/reasons.ts";
import { type EventMoment, flinkVersions } from "./scenario.ts";
import { input } from "./schema-input.ts";
import { closed, duration, flag, list, oneOf, text, whole, wordMessage } from "./fields.ts";

const scalar = v.union(
  [v.string(), v.number(), v.boolean(), v.null()],
  "Must be a text, a number, true, false or null.",
);

const time = v.pipe(
  closed({ time: duration() }),
  v.transform((given) => ({ kind: "time" as const, time: given.time })),
);
const step = v.pipe(
  closed({ step: whole(0, 2 ** 31 - 1) }),
  v.transform((given) => ({ kind: "step" as const, step: given.step })),
);
const nth = v.optional(whole(1, 1_000_000));
const every = v.optional(v.boolean("Must be true or false."));
const share = "Must be a number above 0, at most 1.";
const probability = v.optional(v.pipe(v.number(share), v.gtValue(0, share), v.maxValue(1, share)));
/** What comes again and again; a probability of 1 is none. */
const repeated = (
  again: boolean | undefined,
  chance: number | undefined,
): Pick<EventMoment, "every" | "probability"> => ({
  ...(again === true && { every: again }),
  ...(chance !== undefined && chance < 1 && { probability: chance }),
});
const before = v.pipe(
  v.objectWithRest({ before: oneOf(eventTypes), nth, every, probability }, scalar),
  v.transform(({ before: event, nth: count = 1, every: again, probability: chance, ...match }) => ({
    kind: "before" as const,
    event,
    match,
    nth: count,
    ...repeated(again, chance),
  })),
);
const after = v.pipe(
  v.objectWithRest({ after: oneOf(eventTypes), nth, every, probability }, scalar),
  v.transform(({ after: event, nth: count = 1, every: again, probability: chance, ...match }) => ({
    kind: "after" as const,
    event,
    match,
    nth: count,
    ...repeated(again, chance),
  })),
);
/** Of `until`: a run ends once. */
const end = v.pipe(
  v.objectWithRest({ after: oneOf(eventTypes), nth }, scalar),
  v.transform(({ after: event, nth: count = 1, ...match }) => ({ kind: "after" as const, event, match, nth: count })),
);

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `{ "time": "3 s" }`, `{ "step": 512 }`, or before or after an event whose fields have these values. */
const anyMoment = v.union([time, step, before, after]);
const momentSchema = v.lazy((given) => {
  if (given === undefined) return anyMoment;
  const forms = { time, step, before, after };
  const named = isObject(given) ? (["time", "step", "before", "after"] as const).filter((form) => form in given) : [];
  const [form] = named;
  if (form !== undefined && named.length === 1) return forms[form];
  return v.custom<v.InferOutput<typeof anyMoment>>(
    () => false,
    'Must say when: { "time": "3 s" }, { "step": 512 }, or { "before" or "after": EVENT, …fields that it must have, "nth": 1, "every": false, "probability": 1 }.',
  );
});

const option = v.union([v.string(), v.number(), v.boolean()], "Must be a text, a number, or true or false.");
const at = momentSchema;
const target = text(300);
const checkpoint = v.optional(whole(1, 65_535));
const storages = ["checkpoints", "ha", "all"] as const;
const few = "Must be a number from 0.001 to 1000.";
const side = list(text(100), 1000);
const sides = v.tuple([side, side], "Must be two lists of tm-…, jobmanager, kafka, storage.");
/** Flink's CLI writes them small, its REST interface large. */
const formatType = v.optional(
  v.pipe(
    oneOf([...savepointFormats, "canonical", "native"]),
    v.transform((given) => (given.toLowerCase() === "native" ? "NATIVE" : "CANONICAL")),
  ),
);
const path = v.optional(text(1000));
const ofSavepoints = {
  path: "Only a savepoint goes where one says.",
  formatType: "Only a savepoint has a format.",
};

export const faultSchema = v.variant(
  "do",
  [
    closed({ at, do: v.literal("fail-task"), target, unrecoverable: v.optional(v.boolean("Must be true or false.")) }),
    closed({ at, do: v.literal("fail-vertex"), target }),
    closed({ at, do: v.literal("poison-record"), record: target, vertex: v.optional(target) }),
    closed({ at, do: v.literal("kill-taskmanager"), target }),
    closed({ at, do: v.literal("restart-taskmanager"), target }),
    closed({ at, do: v.literal("fail-job") }),
    closed({ at, do: v.literal("kill-jobmanager"), for: v.optional(duration()) }),
    closed({
      at,
      do: v.literal("lose-rpc"),
      rpc: oneOf(rpcs),
      target: v.optional(target),
      checkpoint,
      count: v.optional(whole(1, 1_000_000)),
    }),
    closed({ at, do: v.literal("stall"), target, for: v.optional(duration()) }),
    closed({ at, do: v.literal("resume"), target }),
    closed({ at, do: v.literal("expire-transaction"), target: v.optional(target), transaction: v.optional(target) }),
    closed({ at, do: v.literal("expire-upload"), target }),
    closed({ at, do: v.literal("expire-table-snapshots"), target }),
    closed({ at, do: v.literal("trigger-checkpoint") }, ofSavepoints),
    closed({ at, do: v.literal("trigger-savepoint"), path, formatType }),
    closed({ at, do: v.literal("stop-with-savepoint"), path, formatType, drain: v.optional(flag) }),
    closed({ at, do: v.literal("cancel") }),
    closed({ at, do: v.literal("cancel-with-savepoint"), path, formatType }),
    closed({
      at,
      do: v.literal("storage-down"),
      what: v.optional(oneOf(storages)),
      kind: v.optional(oneOf(["reply-lost"])),
      for: v.optional(duration()),
    }),
    closed({ at, do: v.literal("storage-up"), what: v.optional(oneOf(storages)) }),
    closed(
      {
        at,
        do: v.literal("storage-corrupt"),
        checkpoint: whole(1, 65_535),
        files: v.optional(oneOf(["exclusive", "shared", "all"])),
      },
      { savepoint: "A savepoint has a number like any checkpoint; name it by that." },
    ),
    closed({
      at,
      do: v.literal("slow"),
      target,
      factor: v.pipe(v.number("Must be a number."), v.minValue(0.001, few), v.maxValue(1000, few)),
      for: v.optional(duration()),
    }),
    closed({ at, do: v.literal("partition"), between: sides, for: v.optional(duration()) }),
    closed({ at, do: v.literal("heal"), between: v.optional(sides) }),
    closed({ at, do: v.literal("snapshot-failure"), target, part: oneOf(snapshotParts), checkpoint }),
    closed({
      at,
      do: v.literal("commit-error"),
      target,
      kind: oneOf(commitErrors),
      count: v.optional(whole(1, 1_000_000)),
    }),
    closed({
      at,
      do: v.literal("sink-write-error"),
      target,
      kind: oneOf(commitErrors),
      count: v.optional(whole(1, 1_000_000)),
    }),
    closed({ at, do: v.literal("broker-down"), for: v.optional(duration()) }),
    closed({ at, do: v.literal("broker-up") }),
    closed({ at, do: v.literal("suppress"), for: v.optional(duration()) }),
    closed({
      at,
      do: v.literal("restore-cut"),
      cut: v.optional(
        v.record(text(300), whole(0, 1_000_000), 'Must be an object: by subtask, or "log", a number of entries.'),
      ),
    }),
    closed({
      at,
      do: v.literal("restore"),
      from: v.optional(text(1000)),
      jobId: v.optional(oneOf(["fresh", "same"])),
      claimMode: v.optional(oneOf(claimModes)),
      allowNonRestoredState: v.optional(flag),
      job: v.optional(v.record(v.string(), v.unknown(), "Must be an object: what changes of the job.")),
      config: v.optional(v.record(text(200), option, "Must be an object of Flink's keys and their values.")),
      flink: v.optional(oneOf(flinkVersions)),
      stop: v.optional(oneOf(["with-savepoint", "cancel"])),
      path,
    }),
    closed({ at, do: v.literal("add-partition"), topic: text(249), ...input }),
    closed({
      at,
      do: v.literal("expire-records"),
      topic: text(249),
      partition: v.optional(whole(0, 511)),
      before: whole(0, 1_000_000),
    }),
    closed({ at, do: v.literal("set-rate"), topic: text(249), every: duration() }),
    closed({ at, do: v.literal("rescale"), vertex: text(100), parallelism: whole(1, 512), path }),
  ],
  ({ input, path }) => (path === undefined ? "Must be an object: { … }." : wordMessage(input, faultVerbs)),
);

const drained = v.pipe(
  v.literal("drained"),
  v.transform(() => ({ kind: "drained" as const })),
);
const steps = v.pipe(
  closed({ steps: whole(1, 2 ** 31 - 1) }),
  v.transform((given) => ({ kind: "steps" as const, steps: given.steps })),
);
const anyEnd = v.union([drained, time, steps, end]);

/** `"drained"`, `{ "time": "60 s" }`, `{ "steps": 100000 }`, or after an event. */
export const untilSchema = v.lazy((given) => {
  if (given === undefined) return anyEnd;
  if (given === "drained") return drained;
  const named = isObject(given) ? (["time", "steps", "after"] as const).filter((form) => form in given) : [];
  const [form] = named;
  if (form !== undefined && named.length === 1) return { time, steps, after: end }[form];
  return v.custom<v.InferOutput<typeof anyEnd>>(
    () => false,
    'Must be "drained", { "time": "60 s" }, { "steps": 100000 }, or { "after": EVENT, …fields that it must have, "nth": 1 }.',
  );
});

export type FaultSource = v.InferOutput<typeof faultSchema>;
export type MomentSource = v.InferOutput<typeof anyMoment>;
export type UntilSource = v.InferOutput<typeof anyEnd>;
