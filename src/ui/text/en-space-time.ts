/** The space–time diagram and cuts through it. Fetched apart. */
import type { LifelineKind, MessageKind } from "../../projection/space-time.ts";
import { clockTime } from "../format.ts";
import type { DrawnCut } from "../../projection/drawn-cut.ts";
import { cutRefused } from "./en-words.ts";
import { plural } from "./plural.ts";

type DrawnObstacle = NonNullable<DrawnCut["obstacle"]>["reason"];

/** The first few by name. */
function listed(records: readonly string[]): string {
  const named = records.slice(0, 3).join(", ");
  return records.length > 3 ? `${named} and ${records.length - 3} more` : named;
}

const sides: { readonly [K in Exclude<LifelineKind, "task">]: string } = {
  jobManager: "JobManager",
  storage: "storage",
  log: "Kafka and stores",
};

export const enSpaceTime = {
  title: "Space–time diagram",
  described: (lines: number) =>
    `Space–time diagram, ${plural(lines, "process", "processes")}. Arrow keys go from event to event, Enter goes there.`,
  role: "space–time diagram",
  lifeline: (kind: LifelineKind, name: string) => (kind === "task" ? name : sides[kind]),
  axis: "Axis",
  axes: { time: "by simulated time", order: "by causal order" },
  nearer: "Nearer",
  farther: "Farther",
  whole: "The whole run",
  alignment: (checkpoint: number) => `Zoom to checkpoint ${checkpoint}`,
  zoomTo: "Zoom to…",
  crowded: "Too many at once: records are left out. Zoom in to see them.",
  hint: "Point at an event, or go there by arrow keys: its causal past and future are lit.",
  at: (clock: number, process: string, sentence: string) => `${clockTime(clock)} · ${process}: ${sentence}`,
  legend: "Messages",
  messages: { record: "record", barrier: "barrier", rpc: "RPC", commit: "commit", file: "file" } satisfies {
    readonly [K in MessageKind]: string;
  },
  cut: {
    tool: "Cut",
    hint: "Draw a line across the lifelines; or move the marker of a process by key: up and down choose it, left and right move it, R repairs.",
    marker: (process: string, clock: number | null) =>
      clock === null ? `Cut of ${process}: before everything.` : `Cut of ${process}: behind ${clockTime(clock)}.`,
    consistent: (transit: number) =>
      `Consistent: whatever is received before the cut was sent before it. ${plural(transit, "message is", "messages are")} in transit.`,
    violated: (count: number) => `Not consistent: ${plural(count, "violation", "violations")}.`,
    violation: (receiver: string, sender: string) => `${receiver} has received what ${sender} has not sent yet`,
    transit: (sender: string, receiver: string) => `${sender} → ${receiver}`,
    ofCheckpoint: "As a checkpoint…",
    checkpoint: (checkpoint: number) => `Checkpoint ${checkpoint}`,
    here: "At the cursor",
    repair: "Repair",
    repaired: "Moved back to the largest consistent cut that is nowhere behind the drawn one.",
    violations: "Violations",
    inTransit: "In transit",
    more: (count: number) => `and ${count} more`,
    restore: "Restore from this cut",
    restoreNote: (records: number) =>
      records === 0
        ? "The job would start again from this state of all its subtasks. Flink has no such thing: it is for looking."
        : `The job would start again from this state, with ${plural(records, "record", "records")} in transit as channel state. Flink has no such thing: it is for looking.`,
    twice: (records: readonly string[]) =>
      `From here ${listed(records)} would come twice: behind the cut ${records.length === 1 ? "it is" : "they are"} sent again.`,
    harmless:
      "No record travels over the messages that break it, and a new job has a JobManager of its own: nothing would come twice.",
    cannot: (reason: string, subtask: string | null) =>
      `No job can start from this cut: ${subtask === null ? "" : `${subtask}: `}${reason}.`,
    obstacles: {
      ...cutRefused,
      DISTURBED: "a fault or an operation acts between its places",
    } satisfies { readonly [R in DrawnObstacle]: string },
  },
  restored: {
    title: "Restored from a cut",
    consistent: "The new job of this branch starts from a consistent cut, which is drawn.",
    violated: (count: number) =>
      `The new job of this branch starts from a cut that ${plural(count, "message breaks", "messages break")}; it is drawn.`,
    waiting: "It runs…",
    refused: "No job was started from the cut.",
    outcome: (word: string, lost: number, doubled: number) =>
      `${word}: ${lost === 0 ? "no record is lost" : `${plural(lost, "record is", "records are")} lost`}, ${doubled === 0 ? "none is seen twice" : `${plural(doubled, "is", "are")} seen twice`} by a committed reader.`,
    ledger: "Who sees what: the ledger",
    go: "To where the cut is taken",
    back: "Back to the run that was cut",
  },
  list: {
    title: "As a list",
    process: "Process",
    events: (process: string) => `Events of ${process}, in order`,
    none: "No event in this stretch.",
    from: (process: string) => `from ${process}`,
    before: "what happened before this",
    after: "what came of this",
    around: {
      before: (step: number) => `What happened before entry ${step}, the nearest first`,
      after: (step: number) => `What came of entry ${step}, the nearest first`,
    },
    byProcess: "back to one process",
    nothing: "Nothing: no other entry leads to it, or comes of it.",
    further: "and more, further away",
    more: (count: number) => `${count} more: zoom in`,
  },
} as const;
