/** Kinds of entries that belong together: what the event log offers as one, beside single kinds. */
import { type EventType, eventTypes } from "../protocol/events.ts";
import { checkpointSentences } from "./explain-checkpoints.ts";
import { jobSentences } from "./explain-job.ts";
import { recordSentences } from "./explain-records.ts";
import { transactionSentences } from "./explain-transactions.ts";
import { failureTypes } from "./phases.ts";

/** What goes wrong and the way back: beside what counts as a failure, what ended, what was decided and what came back. */
const wayBack: ReadonlySet<EventType> = new Set<EventType>([
  "FaultInjected",
  "TaskStopped",
  "RestartScheduled",
  "StateRestored",
  "SourceRewound",
  "LeadershipGranted",
  "CheckpointRecovered",
]);

const keysOf = (sentences: object): readonly EventType[] => eventTypes.filter((type) => type in sentences);

/** By the file that has their sentences; failures and the way back lie across. */
export const eventFamilies = {
  failures: eventTypes.filter((type) => failureTypes.has(type) || wayBack.has(type)),
  checkpoints: keysOf(checkpointSentences),
  transactions: keysOf(transactionSentences),
  records: keysOf(recordSentences),
  job: keysOf(jobSentences),
} as const;

export type EventFamily = keyof typeof eventFamilies;
export const eventFamilyNames = Object.keys(eventFamilies) as readonly EventFamily[];
