/** The record passport. It is fetched apart from the other texts. */
import type { Pass, Question } from "../../projection/passport.ts";
import type { TransactionState } from "../../projection/views.ts";
import type { Reader } from "../../protocol/sinks.ts";
import { clockTime, count } from "../format.ts";
import { plural } from "./plural.ts";

const questions: { readonly [Q in Question]: string } = {
  all: "All records",
  passesOverEffects: "Passes > effects",
  effectsNotOnce: "Effects ≠ 1",
  seenBeforeDurable: "Seen before durable",
};

const explains: { readonly [Q in Question]: string } = {
  all: "that were read",
  passesOverEffects: "processed more often than they are in effect",
  effectsNotOnce: "lost, missing so far, or in effect too often",
  seenBeforeDurable: "that a committed reader saw before a completed checkpoint had them",
};

const none: { readonly [Q in Question]: string } = {
  all: "No source has read a record.",
  passesOverEffects: "No record was processed more often than it is in effect.",
  effectsNotOnce: "Every record that was read is in effect as often as it should be.",
  seenBeforeDurable: "No committed reader saw a record before a completed checkpoint had it.",
};

const kinds: { readonly [K in Pass["kind"]]: string } = {
  read: "reads it",
  taken: "takes it in",
  dropped: "drops it: its id is known",
};

const readers: { readonly [R in Reader]: string } = {
  read_committed: "read_committed",
  read_uncommitted: "read_uncommitted",
  "finished-files": "who reads finished files",
  "all-files": "who reads all files",
  table: "who reads the table",
};

const transactionStates: { readonly [S in TransactionState]?: string } = {
  OPEN: "open",
  PRE_COMMITTED: "pre-committed",
  PREPARE_COMMIT: "being committed",
  COMMITTED: "committed",
  ABORTED: "aborted",
  TIMED_OUT: "timed out",
};

function attemptOf(attempt: number): string {
  return `attempt #${attempt}`;
}

export const enPassport = {
  title: "Record passport",
  description:
    "What has become of a record: how often tasks processed it, and what of that lasts. Of the run as far as it is computed; a time leads to its instant.",
  close: "Close",
  question: "Records",
  questions,
  none,
  search: "Find a record",
  found: (found: number, question: Question) => `${plural(found, "record", "records")} ${explains[question]}`,
  more: (left: number) => `${count(left)} more; search for one by its name.`,
  choose: "Choose a record.",
  unread: (name: string) => `No source has read ${name} yet.`,
  row: (passes: number, effects: string) => `${plural(passes, "pass", "passes")}, ${effects}`,
  effects: (least: number, most: number) =>
    least === most ? plural(least, "effect", "effects") : `${count(least)} to ${count(most)} effects`,
  noEffects: "nothing keeps it",
  born: (partition: string, offset: number, key: string) =>
    `Born in ${partition} at offset ${count(offset)}${key === "" ? "" : `, key ${key}`}.`,
  passesTitle: (times: number) => `Passes (physical): ${count(times)}`,
  effectsTitle: "Effects (durable)",
  task: (name: string, attempt: number) => `${name}, ${attemptOf(attempt)}`,
  attempt: attemptOf,
  again: (nth: number) => `pass ${nth}`,
  kinds,
  goTo: (clock: number, what: string) => `Go to ${clockTime(clock)}: ${what}`,
  carried: (checkpoint: number) => `carried by checkpoint ${checkpoint} first`,
  notCarried: "carried by no completed checkpoint",
  completed: "completed",
  stateTitle: "State",
  held: "survives",
  rolledBack: "gone: rolled back",
  noState: "It changed no state.",
  outputsTitle: (outputs: number) => plural(outputs, "output", "outputs"),
  familyTitle: "Family",
  familyNote: (trees: number, outputs: number) =>
    `One input, ${plural(outputs, "output", "outputs")}${trees > 1 ? `; read or given back ${count(trees)} times, each with what came of it` : ""}.`,
  lasting: (times: number) => (times === 0 ? "not seen" : times === 1 ? "seen" : `seen ${count(times)} times`),
  pin: "Pin",
  unpin: "Unpin",
  pinOf: (name: string) => `Pin ${name} to compare`,
  unpinOf: (name: string) => `Unpin ${name}`,
  full: (most: number) => `${count(most)} are pinned`,
  pinnedTitle: (records: number) => `Pinned: ${plural(records, "record", "records")}`,
  pinAnother: "Pin another record to see where they differ.",
  fact: "Fact",
  differs: "differs",
  key: "Key",
  passes: "Passes",
  attempts: "Attempts",
  firstRead: "First read",
  stateOf: (uid: string) => `In the state of ${uid}`,
  seenOf: (uid: string, reader: Reader) => `Seen of ${uid} by ${readers[reader]}`,
  outputs: "Outputs written",
  durable: "In a completed checkpoint since",
  firstSeen: (uid: string, reader: Reader) => `First seen of ${uid} by ${readers[reader]}`,
  ofExpected: (times: number, expected: number) => `${count(times)} of ${count(expected)}`,
  never: "never",
  noOutputs: "Nothing was written of it.",
  output: (partition: string, offset: number, value: number) => `${partition}@${count(offset)} = ${count(value)}`,
  outside: "outside of transactions",
  transaction: (name: string, state: TransactionState) =>
    `transaction ${name}, ${transactionStates[state] ?? state.toLowerCase()}`,
  seen: (reader: Reader, times: number) =>
    times === 1 ? `${readers[reader]}: seen once` : `${readers[reader]}: seen ${count(times)} times`,
  seenOnce: (reader: Reader) => `${readers[reader]}: seen once, gone since`,
  unseen: (reader: Reader) => `${readers[reader]}: not seen`,
  early: "before a completed checkpoint had the record",
} as const;
