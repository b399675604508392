/** Runs side by side. It is fetched apart from the other texts. */
import type { Side } from "../../projection/run-diff.ts";
import type { CheckpointEnd } from "../../projection/run-summary.ts";
import type { PhaseName } from "../../projection/phases.ts";
import type { VariantId } from "../../scenario/comparison.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { FigureName, Unit } from "../compare/figures.ts";
import type { Subject } from "../compare/what.ts";
import type { Pace } from "../compare/side-by-side.ts";
import { clockTime, count, duration } from "../format.ts";
import { plural } from "./plural.ts";

const names: { readonly [V in VariantId]: string } = {
  aligned: "Exactly-once, aligned",
  unaligned: "Exactly-once, unaligned",
  "at-least-once": "At-least-once",
};

const units: { readonly [U in Unit]: (value: number) => string } = {
  ms: (value) => `${count(value)} ms`,
  bytes: (value) => `${count(value)} B`,
  buffers: (value) => (value === 1 ? "1 buffer" : `${count(value)} buffers`),
  records: (value) => (value === 1 ? "1 record" : `${count(value)} records`),
  checkpoints: (value) => count(value),
};

const figures: { readonly [F in FigureName]: readonly [name: string, meaning: string] } = {
  completed: ["Checkpoints completed", ""],
  failed: ["Checkpoints failed", ""],
  average: ["Completion time, average", "from the trigger on"],
  longest: ["Completion time, longest", ""],
  blocked: ["Channels blocked", "summed over channels"],
  persisted: ["In-flight data stored", "with checkpoints"],
  buffers: ["In-flight buffers stored", ""],
  readAgain: ["Read again by sources", "after the restore"],
  replayed: ["Processed again", "input records"],
  inState: ["More than once in state", "input records"],
  atSinks: ["More than once at sinks", "for committed readers"],
  lost: ["Lost for good", "input records"],
  end: ["End of the run", ""],
};

const ended = ({ reason, ms }: CheckpointEnd, verb: "finite" | "gerund"): string => {
  const how =
    reason === null
      ? ["completed", "completing"]
      : reason === "CHECKPOINT_EXPIRED"
        ? ["expired", "expiring"]
        : ["failed", "failing"];
  return `${how[verb === "finite" ? 0 : 1]} after ${duration(ms)}`;
};

/** B's first, as what became of A. */
function checkpointWords(checkpoint: number, a: CheckpointEnd | null, b: CheckpointEnd | null): string {
  const name = `checkpoint ${checkpoint}`;
  if (b === null) return a === null ? name : `${name} ${ended(a, "finite")} in A alone`;
  if (a === null) return `${name} ${ended(b, "finite")} in B alone`;
  const instead = a.reason === null && b.reason === null ? `after ${duration(a.ms)}` : ended(a, "gerund");
  return `${name} ${ended(b, "finite")} in B instead of ${instead}`;
}

const checkpointOrStart = (checkpoint: number): string =>
  checkpoint === 0 ? "the beginning" : `checkpoint ${checkpoint}`;
const upper = (side: Side): string => side.toUpperCase();
const records = (value: number): string => (value === 0 ? "none" : plural(value, "record", "records"));

/** Each fact of a summary as a clause: B is told as what became of A. */
const summary = {
  command: (side: Side, name: string, time: string) => `in ${upper(side)} alone there is “${name}” at ${time}`,
  failed: (side: Side, task: string, failure: string) => `${task} failed in ${upper(side)} (${failure})`,
  overtook: (side: Side, task: string, buffers: number) =>
    `${upper(side)} overtook ${plural(buffers, "buffer", "buffers")} at ${task}`,
  waited: (side: Side, task: string, ms: number) => `${upper(side)} waited ${duration(ms)} for barriers at ${task}`,
  checkpoint: checkpointWords,
  restart: (a: number | null, b: number | null) =>
    b === null
      ? `${plural(a ?? 0, "task", "tasks")} started again in A, and none in B`
      : `B started ${plural(b, "task", "tasks")} again, A ${a ?? "none"}`,
  restored: (a: number, b: number) => `B went back to ${checkpointOrStart(b)} instead of ${checkpointOrStart(a)}`,
  readAgain: (a: number, b: number) =>
    `${plural(Math.abs(b - a), b < a ? "record fewer was" : "record more was", b < a ? "records fewer were" : "records more were")} read again (${b} in B, ${a} in A)`,
  duplicated: (a: number, b: number) =>
    `committed readers of B see ${records(b)} more than once, those of A ${a === 0 ? "none" : count(a)}`,
  lost: (a: number, b: number) => `B loses ${records(b)}, A ${a === 0 ? "none" : count(a)}`,
};

export const enCompare = {
  inShort: "In short",
  summary,
  thereforeTo: (step: number) => `therefore: both to event ${count(step)}`,
  titles: {
    this: "Compare checkpointing modes",
    branches: "Compare two branches",
    other: "Compare this run with another",
    example: "Compare checkpointing modes",
  } satisfies { readonly [S in Subject]: string },
  subject: "What is compared",
  subjects: {
    this: "This run in three modes",
    branches: "Two branches of this run",
    other: "This run and another",
    example: "Example: one slow sink, one failure",
  },
  example: "A job under backpressure",
  input: (title: string) => `${title}: same input, same seed, three modes.`,
  failures: (names: readonly string[]) =>
    names.length === 0
      ? "Nothing fails. What fails in the run on screen would fail here at the same time."
      : `In each run at the same time: ${names.join("; ")}.`,
  columns: "The runs",
  name: (id: VariantId, scenario: Scenario | null): string => {
    const timeout = scenario?.config.checkpointing.alignedTimeout ?? 0;
    return id === "unaligned" && timeout > 0 ? `${names[id]} after ${duration(timeout)}` : names[id];
  },
  short: { aligned: "aligned", unaligned: "unaligned", "at-least-once": "at-least-once" } satisfies {
    readonly [V in VariantId]: string;
  },
  notes: {
    aligned: "An early barrier blocks its channel.",
    unaligned: "Barriers overtake; the overtaken is stored.",
    "at-least-once": "What follows an early barrier is let in.",
  } satisfies { readonly [V in VariantId]: string },
  open: "Open",
  openLabel: (name: string) => `Open as the main run: ${name}`,
  computing: (events: number, clock: number | null) =>
    clock === null
      ? "Starting the engine…"
      : `Computing: ${plural(events, "event", "events")}, up to ${clockTime(clock)}`,
  over: "This run is over.",
  noMore: (nth: number) => `Has no checkpoint ${nth}.`,
  refused: "Flink refuses this configuration",
  brokeOff: "This run broke off",
  brokeOffBody: "A mistake of ours, not of Flink. The other runs are not touched.",
  violation: (rule: string) => `The engine broke its own rule ${rule}: these figures cannot be trusted.`,
  notices: "What Flink says",

  transport: "All runs",
  play: "Play",
  pause: "Pause",
  replay: "Play again from the start",
  back: "Every run to the checkpoint before",
  next: "Every run to its next checkpoint",
  pace: "Simulated time for each second",
  paces: (pace: Pace) => duration(pace * 1000),
  position: "Simulated time",
  positionValue: (clock: number, end: number) => `${clockTime(clock)} of ${clockTime(end)}`,
  byTime: "all at one time",
  byEvent: (step: number) => `all at event ${count(step)}`,
  together: "Step by",
  togetherBy: { time: "step by time", event: "step by event", phase: "step by checkpoint phase" },
  byPhase: (checkpoint: number, name: PhaseName) => `each at checkpoint ${checkpoint}: ${name}`,
  otherRun: "The other run",
  otherFrom: { saved: "Saved runs", library: "Library" },
  makeMain: "Make B the main run",
  exportMarkdown: "Export the difference",
  exportJson: "As JSON",
  markdown: {
    title: "Difference of two runs",
    ended: (events: number, verdict: string) => `${plural(events, "event", "events")}, ${verdict}`,
    event: (step: number) => `Event ${count(step)}:`,
    figure: "Measure",
  },
  needsTwo: {
    title: "Compare needs two runs.",
    body: "So far there is only this one.",
    fork: "Fork this run",
    choose: "Choose another…",
  },
  branchA: "A",
  branchB: "B",
  swap: "Swap A and B",
  notOver: "It is told once both runs are over.",
  both: {
    title: "One picture of both",
    looks: "How they are looked at",
    views: { sides: "Side by side", both: "One picture" },
    blend: "Blend A into B",
    blended: (percent: number) =>
      percent === 0 ? "all A" : percent === 100 ? "all B" : percent === 50 ? "half A, half B" : `${percent} % B`,
    otherJobs: "The jobs of the two runs do not stand the same here, so there is no one picture of both.",
    apart: "Show them side by side",
    differing: (elements: number) =>
      elements === 0 ? "Here both are the same" : `${plural(elements, "element differs", "elements differ")} here`,
    differs: (name: string, a: string, b: string, same: string) => {
      const what =
        a === "" && b === "" ? "differs in its times" : `differs: A ${a === "" ? "not" : a}; B ${b === "" ? "not" : b}`;
      return same === "" ? `${name} ${what}` : `${name} ${what}. In both: ${same}`;
    },
    only: (half: "a" | "b", words: string) => `Only in ${half.toUpperCase()}: ${words}`,
    plain: (words: string) => words.replace(/\. (F for faults|Enter (opens|closes) its subtasks.*)$/, ""),
    onlyIn: { a: "only in A", b: "only in B" },
    inTimes: "in its times",
    not: "nothing of it",
    choose: "Choose an element to read what of it differs.",
    alike: "It is the same in both.",
  },
  given: {
    title: "What is not the same to begin with",
    none: "Nothing: options, scenario, faults and operations are the same.",
    what: "Option, fault or operation",
    first: "The first event that came of it",
    sides: { a: "A", b: "B" },
    notSet: "not set",
    absent: "–",
    never: "planned, never came",
    acts: (time: string) => `at ${time}`,
    changes: { onlyA: "only in A", onlyB: "only in B", moved: "at another time" },
    noEffect: "No event of its own.",
    timed: "Nothing brought it about: its time was given.",
    byCommand: "It follows from the event of the command itself.",
    hangsOn: (sentence: string, step: number) => `It follows from event ${count(step)}, which both have: ${sentence}`,
  },
  difference: "First difference",
  identical: "The two runs are the same, entry by entry.",
  divergesAt: (time: string) => `first difference, at ${time}`,
  diverges: (step: number, time: string) => `Event ${count(step)}, ${time}`,
  inRun: (name: string) => `${name}:`,
  isOver: "is over by then",
  goThere: "Both to the first difference",
  counts: (a: number, b: number, changed: number, moved: number) =>
    `${plural(a, "event", "events")} only in A, ${count(b)} only in B, ${count(changed)} that say something else, ${count(moved)} at another time.`,
  follows: "What follows from it",
  therefore: "therefore",
  first: "to begin with",
  showIn: (step: number) => `Both to event ${step}`,
  nothingFollows: "Nothing that matters follows from it.",
  byCheckpoint: (nth: number) => (nth === 0 ? "all at the start" : `each at its checkpoint ${nth}`),
  lane: (name: string) => `Checkpoints of ${name}`,
  checkpoint: (id: number, from: number, to: number | null, failed: boolean) =>
    `Checkpoint ${id}, ${clockTime(from)}: ${to === null ? "not over" : failed ? `failed after ${count(to - from)} ms` : `complete after ${count(to - from)} ms`}`,
  failure: (time: string) => `failure at ${time}`,
  ends: (time: string) => `over at ${time}`,
  at: (nth: number, times: string) => `Checkpoint ${nth}: ${times}.`,
  noFurther: "No run has a further checkpoint that way.",

  table: "What each mode costs and comes to",
  measure: (reference: string | null) => (reference === null ? "Measure" : `Measure (compared with ${reference})`),
  result: "Result as readers see it",
  figures,
  units,
  none: "none",
  same: "same",
  less: (difference: string) => `${difference} less`,
  more: (difference: string) => `${difference} more`,
  pending: "Figures come when a run has ended.",
  noCheckpoints: "No checkpoint was taken in any of these runs, so the modes do not matter to them.",
} as const;
