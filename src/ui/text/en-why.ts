/** Why something is as it is: what it waits for, what it comes from, and what would be without it. Fetched apart. */
import type { Fate } from "../../projection/fact.ts";
import type { Wait } from "../../projection/waits.ts";
import { duration } from "../format.ts";
import { plural } from "./plural.ts";

type Words = {
  readonly [S in Wait["says"]]: (wait: Extract<Wait, { says: S }>, name: (transaction: number) => string) => string;
};

const left = (ms: number | null): string => (ms === null ? "" : `, for ${duration(ms)} more`);
const inHand = { record: "a record", snapshot: "its snapshot", commit: "a commit" } as const;

const waits: Words = {
  acks: ({ checkpoint, missing, of, task }) =>
    `Checkpoint ${checkpoint} waits for ${missing} of ${plural(of, "acknowledgement", "acknowledgements")}; ${task} holds it up.`,
  barrier: ({ task, checkpoint, from, more }) =>
    `${task} waits for barrier ${checkpoint} from ${from}${more > 0 ? `, and from ${more} more` : ""}.`,
  behind: ({ channel, records, checkpoint }) =>
    `In ${channel} barrier ${checkpoint} stands behind ${plural(records, "record", "records")}.`,
  moving: ({ channel, checkpoint, ms }) =>
    ms > 0
      ? `Barrier ${checkpoint} is on its way in ${channel}, for ${duration(ms)} more.`
      : `Barrier ${checkpoint} is next in ${channel}.`,
  "not-sent": ({ task, checkpoint }) => `${task} has not sent barrier ${checkpoint} yet.`,
  full: ({ task, channel, records, to }) =>
    `${task} cannot go on: ${channel} is full (${plural(records, "record", "records")}), and ${to} does not take them fast enough.`,
  blocked: ({ channel, task, checkpoint }) =>
    `${task} does not read ${channel}: barrier ${checkpoint} came there first, and the others are missing.`,
  slow: ({ task, cost, waiting }) =>
    `${task} is the slow one: it takes ${duration(cost)} for a record, and ${plural(waiting, "waits", "wait")} for it.`,
  busy: ({ task, what, ms }) => `${task} has ${inHand[what]} in hand${left(ms)}.`,
  stalled: ({ task, ms }) => `${task} is stalled and does nothing${left(ms)}.`,
  "not-running": ({ task, state }) => `${task} is ${state}.`,
  uploads: ({ task, checkpoint }) => `${task} is still writing its snapshot for checkpoint ${checkpoint}.`,
  "ack-under-way": ({ task, checkpoint, lost }) =>
    lost
      ? `The acknowledgement of ${task} for checkpoint ${checkpoint} is lost: nobody sends it again.`
      : `The acknowledgement of ${task} for checkpoint ${checkpoint} is on its way.`,
  "trigger-under-way": ({ task, checkpoint, lost }) =>
    lost
      ? `The trigger of checkpoint ${checkpoint} for ${task} is lost.`
      : `The trigger of checkpoint ${checkpoint} is on its way to ${task}.`,
  metadata: ({ checkpoint }) => `Every task has acknowledged checkpoint ${checkpoint}: it is being completed.`,
  "commit-waits": ({ transaction, checkpoint }, name) =>
    `${name(transaction)} is pre-committed and waits until checkpoint ${checkpoint} is complete.`,
  "commit-under-way": ({ transaction, notified }, name) =>
    notified
      ? `The commit of ${name(transaction)} is on its way.`
      : `Its checkpoint is complete; the sink of ${name(transaction)} has not been told yet.`,
  writes: ({ transaction, task }, name) => `${name(transaction)} is open: ${task} writes to it until its next barrier.`,
  restart: ({ ms, tasks }) =>
    `${plural(tasks, "task waits", "tasks wait")} for the restart delay, ${duration(ms)} more.`,
};

export const enWhy = {
  title: (name: string) => `Why is ${name} so?`,
  titleEntry: "Why did this happen?",
  nothing: "Nothing has happened to it yet.",
  waitsTitle: "What it waits for",
  causesTitle: "Why",
  effectsTitle: "What came of it",
  noEffects: "Nothing, so far.",
  waits: (wait: Wait, name: (transaction: number) => string): string =>
    // The table has a function for each kind, and the wait is of that kind: the compiler cannot see that they meet.
    (waits[wait.says] as (wait: Wait, name: (transaction: number) => string) => string)(wait, name),
  because: "because",
  is: "is",
  config: "config",
  byYou: "you",
  byScenario: "the scenario",
  input: "input: the record was there to be read",
  start: "the start of the job",
  show: "show",
  standard: "Flink's default",
  /** What is done so that a link of the chain is not. */
  how: (says: string) =>
    says === "fault" ? "remove the fault" : says === "src.emit" ? "drop the record" : "what if not",
  reorder: (step: number) => `event ${step} first`,
  cannotReorder: "these two cannot change places",
  toStandard: "Flink's default instead",
  whatIfNotOf: (how: string, told: string) =>
    how === "what if not" ? `What if not: ${told}` : `What if not, ${how}: ${told}`,
  tryAll: "What if not, each",
  computing: "computing…",
  gone: "then this is gone",
  fates: {
    gone: () => "then this is gone",
    later: ({ ms }: Extract<Fate, { kind: "later" }>) => `then this comes ${duration(ms)} later`,
    still: () => "then this happens all the same",
  },
  failed: "could not be computed",
  openRun: "open that run",
  overDetermined: (causes: number) =>
    `Over-determined: without any single one of these ${plural(causes, "cause", "causes")} it happens all the same.`,
  outcome: (word: string) => `result: ${word}`,
  more: (count: number) => `${count} more`,
  lit: (steps: number, things: number) =>
    `${plural(steps, "entry", "entries")} and ${plural(things, "thing", "things")} are lit.`,
} as const;
