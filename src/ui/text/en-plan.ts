/** Planned faults: when they act, and their list. Fetched with the fault menu, and with the branches. */
import { plural } from "./plural.ts";

export const enPlan = {
  when: "When",
  now: "now",
  everyTime: "every time from then on",
  byChance: "with a probability",
  percent: "Probability in per cent",
  percentSign: "%",
  percentHint: "Each time, a draw from the run's seed decides.",
  percentWrong: "Must be above 0 and at most 100.",
  instants: {
    beforeBarrier: "before its next barrier",
    snapshotTaken: "after its snapshot, before the ack",
    preCommitted: "after pre-commit, before the ack",
    beforeNotification: "after durable, before its notification",
    commitSent: "after the commit is sent, before the response",
    running: "as soon as it is RUNNING again",
    triggered: "after the next trigger",
    beforeMetadata: "before the metadata is written",
    beforeCompleted: "after the metadata, before the pointer is stored",
    completed: "after the pointer is stored, before anyone is told",
    firstNotified: "after the first task has been told",
  },
  foot: (instant: string, every: boolean, probability: number | null) =>
    `Waits: acts ${instant}${every ? `, every time${chance(probability)}` : ", once"}. It stands in the scenario, and can be taken out.`,
  onlyNow: "Only now: it submits a job anew.",
  impossible: {
    loseRecord: {
      label: "Lose a record",
      note: "Cannot happen: TCP loses nothing. A connection breaks, and then both ends fail.",
    },
    reorder: {
      label: "Let two records change places",
      note: "Cannot happen: a channel is first in, first out. That is what barriers rest on.",
    },
    breakConnection: {
      label: "Break the connection",
      note: "Kill the TaskManager at one end: the other then sees the same error.",
    },
    diskFull: {
      label: "Fill its local disk",
      note: "Seen as a snapshot that cannot be written: fail the snapshot of one of its tasks.",
    },
    deposedLeader: {
      label: "Lose leadership, but keep running",
      note: "Not carried out: a JobManager that loses leadership is gone. Its messages would be fenced.",
    },
    slowStorage: {
      label: "Slow it down",
      note: "The scenario says how long an upload takes: snapshot.async in its timing.",
    },
    samePrefix: {
      label: "Another job with the same transactional id prefix",
      note: "One job runs here. Refuse the sink's next commit: that is what being fenced comes to.",
    },
    decline: {
      label: "Decline the checkpoint",
      note: "A task declines when the asynchronous part of its snapshot fails: fail that.",
    },
    poisonHere: {
      label: "Poison a record",
      note: "At the partition it is read from: the record then fails each task that it comes to.",
    },
    delayRpc: {
      label: "Delay an RPC",
      note: "Not carried out: a message can be lost here, not delayed. Lose the trigger, the ack or the notification.",
    },
    deleteMetadata: {
      label: "Delete _metadata",
      note: "Make all files of a checkpoint unreadable: a restore fails in the same way.",
    },
    rereadOutput: {
      label: "Let the reader crash and read again",
      note: "The tool's readers keep no offset: at each moment they show what one that reads from the beginning sees.",
    },
    isolation: {
      label: "Switch the reader's isolation level",
      note: "Both readers are always shown: read_committed and read_uncommitted.",
    },
  },
  list: "Planned",
  item: (name: string, when: string) => `${name} ${when}`,
  nth: (instant: string, nth: number, every: boolean, probability: number | null) =>
    `${instant}${every ? `, every time${nth > 1 ? ` from the ${ordinal(nth)} on` : ""}${chance(probability)}` : nth > 1 ? `, the ${ordinal(nth)}` : ""}`,
  pattern: (kind: "before" | "after", event: string) => `${kind} ${event}`,
  time: (time: string) => `at ${time}`,
  step: (step: number) => `at event ${step}`,
  edit: (name: string) => `Change: ${name}`,
  editTitle: (name: string) => `Planned: ${name}`,
  editDescription: "What has been decided so far happens again; the fault acts where it is moved to.",
  where: "Where",
  atTime: "at a time",
  atStep: "at an event's number",
  asWritten: "as the scenario writes it",
  timeField: "Time, such as 3 s",
  stepField: "Number of the event",
  nthField: "From the how many-th on, counted over the whole run",
  waiting: (name: string) => `Planned, has not acted: ${name}`,
  acted: (name: string, time: string) => `Planned: ${name}; acts at ${time}`,
  save: "Move it there",
  takeOut: "Take it out",
  goWhere: (time: string) => `Go to where it acted, ${time}`,
  remove: (name: string) => `Take out: ${name}`,
  count: (count: number) => plural(count, "planned fault", "planned faults"),
} as const;

function chance(probability: number | null): string {
  return probability === null ? "" : ` with ${Number((probability * 100).toPrecision(6))} %`;
}

function ordinal(n: number): string {
  const rest = n % 100 > 10 && n % 100 < 14 ? 0 : n % 10;
  return `${n}${["th", "st", "nd", "rd"][rest] ?? "th"}`;
}

export type ImpossibleName = keyof (typeof enPlan)["impossible"];
export type InstantName = keyof (typeof enPlan)["instants"];
