/** All text a person sees, in English: the object gives the type that other languages must fill. */
import { count, duration } from "../format.ts";
import { enSentences } from "./en-sentences.ts";
import { enFaults } from "./en-faults.ts";
import { enPanels } from "./en-panels.ts";
import { enStage } from "./en-stage.ts";
import { plural } from "./plural.ts";

export const en = {
  product: "Barrierscope",
  tagline: "See, break and check Apache Flink's exactly-once",
  skipToStage: "Skip to the job",
  sentences: enSentences,
  faults: enFaults,
  panels: enPanels,
  stageText: enStage,

  header: {
    scenario: "Scenario",
    openFile: "Open file…",
    editScenario: "Edit scenario…",
    compare: "Compare modes…",
    guarantees: "Guarantee table…",
    timeouts: "Timeouts calculator…",
    configuration: "Configuration…",
    share: "Link, file, saved runs…",
    saveReport: "Save the report (JSON)",
    saveTrace: "Save the trace (NDJSON)",
    saveRest: "Save Flink's REST replies (JSON)",
    saveScenario: "Save the scenario",
    library: "Library",
    own: "Your scenario",
    job: "Job",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark", contrast: "High contrast" },
    settings: "Settings…",
    help: "Help and shortcuts",
    delivery: "Sink delivery",
    deliveries: { "exactly-once": "exactly-once", "at-least-once": "at-least-once", none: "none" },
    deliveryNotes: {
      "exactly-once": "Transactions, committed when the checkpoint is complete",
      "at-least-once": "Flushed at each checkpoint, visible at once",
      none: "Not even flushed: what the producer holds can be lost",
    },
  },

  outcome: {
    title: "Result as readers see it",
    soFar: (word: string) => `so far: ${word}`,
    words: { OK: "OK", DUPLICATE: "DUPLICATE", LOSS: "LOSS", STUCK: "STUCK" },
    untold: "cannot be told yet",
    open: "Open the ledger",
    detail: {
      OK: "Nothing lost, nothing doubled",
      DUPLICATE: (count: number) => `${plural(count, "input record counts", "input records count")} more than once`,
      LOSS: (count: number) => `${plural(count, "input record is", "input records are")} missing for good`,
      STUCK: "The job cannot go on by itself",
    },
    changed: (word: string) => `Seen from outside: ${word}.`,
  },

  transport: {
    label: "Playback",
    play: "Play",
    pause: "Pause",
    replay: "Play again from the start",
    start: "To the start",
    end: "To the end",
    back: "Back one event",
    forward: "Forward one event",
    phaseBack: "Back one phase",
    phaseForward: "Forward one phase",
    checkpointBack: "Back one checkpoint",
    checkpointForward: "To the next checkpoint",
    failureBack: "Back to the failure or restart before",
    failureForward: "To the next failure or restart",
    speed: "Speed",
    max: "max",
    scrubber: "Position in the run",
    scrubberValue: (time: string, step: number, last: number) => `${time}, event ${step} of ${last}`,
    step: (step: number, last: number) => `event ${count(step)} / ${count(last)}`,
    atInstant: (index: number, of: number) => `${of} events at this instant, ${index} of ${of}`,
    fold: (ms: number) => `⋯ ${duration(ms, 1)}`,
    folded: (ms: number) => `${duration(ms)} in which nothing moves, folded`,
    foldIdle: "Fold idle time",
    groups: { event: "Event", phase: "Phase", checkpoint: "Checkpoint", failure: "Failure" },
  },

  stage: {
    region: "The job",
    fail: "Fail…",
    failElement: (name: string) => `Fail ${name}…`,
    hint: "Step through a barrier, or click a task to break it.",
    hintKeys: { step: "step", play: "play", fail: "fail the selected task" },
    dismiss: "Got it",
    loading: "Starting the engine…",
  },

  banner: {
    broken: (rules: readonly string[]) =>
      `This run breaks ${rules.length === 1 ? "a rule" : "rules"} on purpose: ${rules.join(", ")}.`,
    brokenNote: "Flink does not do this. It is here so that you can see what the rule is for.",
    rules: {
      "commit-at-barrier": "sinks commit at the barrier instead of at the completion notification",
      "late-files-replace": "a committer puts files that come late in the place of what it has for their checkpoint",
      "summaries-of-new-subtasks": "a global committer waits for as many committers as there are now",
      "no-alignment": "tasks do not wait for the barriers of their other inputs",
      "source-forgets-offset": "sources do not restore their offsets",
    },
    notices: (count: number) => plural(count, "notice", "notices"),
    violation: (invariant: string, step: number) =>
      `The engine broke its own rule ${invariant} at event ${step}. This is our fault, not Flink's.`,
    goBefore: "Go to the event before",
  },

  edit: {
    title: "Edit scenario",
    description: "Any scenario in the file format, as JSON. What is open stays open until this one is accepted.",
    area: "Scenario as JSON",
    run: "Run this scenario",
    cancel: "Cancel",
    problems: (count: number) => `${plural(count, "problem", "problems")}. The run you had stays open.`,
    path: "Field",
    value: "Value",
    message: "What is wrong, and what is allowed",
    whole: "(whole document)",
    format: "Tidy",
    goTo: (path: string) => `Go to ${path}`,
  },

  openFailed: {
    title: (file: string) => `${file} was not opened`,
    editIt: "Edit it",
    more: (count: number) => `And ${plural(count, "problem", "problems")} more.`,
    unreadable: "The file could not be read.",
    tooLarge: (mb: number) => `The file is larger than ${mb} MB; a scenario is much smaller.`,
  },

  crash: {
    title: "The engine stopped",
    body: (time: string) =>
      `A mistake of ours, not of Flink. What has been computed up to ${time} is still here and can be looked at.`,
    report: "Report (scenario, decisions, step)",
    restart: "Restart at the last good step",
    copy: "Copy report",
    copied: "Copied",
    close: "Close",
    silent: "The engine gave no message.",
  },

  common: {
    close: "Close",
    none: "–",
    yes: "yes",
    no: "no",
    goTo: (step: number) => `Go to event ${step}`,
  },

  notFetched: {
    title: "A part of this page could not be fetched.",
    lines: [
      "What is open stays as it is. Once the network is back it can be tried again; if that does not help, load the page again.",
    ],
  },

  live: {
    digest: (count: number, told: readonly string[]) => `${count} events: ${told.join(" ")}`,
    moved: (branch: string) => `Branch ${branch}.`,
    opened: (title: string) => `Opened ${title}.`,
    undone: "Back before the fault.",
    redone: "Done again.",
    nothingToRedo: "Nothing to redo: nothing was undone, or something else was decided since.",
    forkHere: "Fork here: choose what is to be different from now on.",
    nothingToUndo: "Nothing to undo: this is the run as the scenario says.",
    noFurther: (kind: string) => `No further ${kind.toLowerCase()} that way.`,
    selectFirst: "Select a task first, then press F.",
  },
} as const;

type Widened<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

/** What each language provides. */
export type Text = Widened<typeof en>;
