/** The space–time diagram and cuts through it. Fetched apart. */
import type { LifelineKind, MessageKind } from "../../projection/space-time.ts";
import { clockTime } from "../format.ts";
import { plural } from "./plural.ts";

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
  },
  list: {
    title: "As a list",
    process: "Process",
    events: (process: string) => `Events of ${process}, in order`,
    none: "No event in this stretch.",
    from: (process: string) => `from ${process}`,
    before: "what happened before this",
    after: "what came after this",
    more: (count: number) => `${count} more: zoom in`,
  },
} as const;
