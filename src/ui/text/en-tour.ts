/** The first minute of a first visit. Fetched with it. */
import { plural } from "./plural.ts";

export const enTour = {
  label: "A first minute",
  step: (step: number, of: number) => `Step ${step} of ${of}.`,
  skip: "Skip",
  next: "Next",
  lines: {
    running: (machines: number) =>
      `${machines === 2 ? "Two" : machines} machines count orders. Something is about to die.`,
    barrier: (checkpoint: number) => `Barrier ${checkpoint}: everything before it goes into checkpoint ${checkpoint}.`,
    kill: (task: string) => `${task} has counted orders that are in no checkpoint yet.`,
    question: "How many orders will be lost?",
    failed: (task: string) => `${task} is dead, and what it had counted with it.`,
    rewound: (lost: number, checkpoint: number) =>
      `Checkpoint ${lost} never became complete. Everything goes back to checkpoint ${checkpoint}: counts, and where the sources read.`,
    again: "Orders that were counted before come again: the second time has a double ring.",
    settled: (lost: number, doubled: number, twice: number) =>
      lost + doubled === 0
        ? `None lost, ${twice} processed twice, counted once.`
        : `${plural(lost, "order", "orders")} lost, ${twice} processed twice, ${doubled} seen twice.`,
    expected: (expected: number, seen: number) => `Expected ${expected}, seen ${seen}.`,
    drag: "Drag the crash along the timeline: with transactions every instant comes to the same.",
    plain: "The same crash without transactions: what was written before it is there already.",
    doubled: (doubled: number) =>
      `Readers see ${plural(doubled, "order", "orders")} twice. The transactions had kept that from them.`,
    doors: "Now it is yours.",
  },
  kill: "Click to kill it",
  killLabel: (task: string) => `Kill ${task}`,
  guesses: { none: "none", few: "a few", all: "all since the start" },
  guessed: { none: "You said none.", few: "You said a few.", all: "You said all since the start." },
  drag: "Drag the crash",
  why: "Why?",
  withoutTransactions: "Now without transactions",
  doors: { lab: "Break something myself", compare: "Compare the modes", sweep: "Fail everything, everywhere" },
} as const;

export type Guess = keyof (typeof enTour)["guesses"];
