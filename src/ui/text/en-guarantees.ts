/** The guarantee table. It is fetched apart from the other texts. */
import type { ModeId, MomentId } from "../../scenario/guarantees/kinds.ts";
import type { Harm } from "../../scenario/guarantees/result.ts";
import { count } from "../format.ts";

const modes: { readonly [M in ModeId]: string } = {
  EXACTLY_ONCE: "EXACTLY_ONCE",
  "AT_LEAST_ONCE, several channels": "AT_LEAST_ONCE, a task has several input channels",
  "AT_LEAST_ONCE, one channel": "AT_LEAST_ONCE, every task has one input channel",
  "off, no restart": "checkpointing off, no restart (Flink's default then)",
  "off, restart": "checkpointing off, restarts",
};

const moments: { readonly [M in MomentId]: string } = {
  before: "before the first barrier",
  barrier: "barrier to pre-commit",
  "pre-committed": "pre-commit to completed",
  completed: "completed to commit",
  after: "after the commit",
};

/** What a cell says. */
const harms: { readonly [H in Harm]: string } = {
  lost: "lost",
  duplicated: "duplicated",
  wrong: "wrong value",
  "stepped-back": "stepped back",
  blocked: "reader blocked",
  late: "late",
  "job-failed": "job failed",
  stuck: "stuck",
};

const explained: { readonly [H in Harm]: string } = {
  lost: "Records that the reader never sees.",
  duplicated: "Records that the reader sees more than once.",
  wrong: "Values that a run without failures does not give.",
  "stepped-back": "The value of a key went back before the reader's eyes.",
  blocked: "A read_committed reader stood still behind an open transaction for longer.",
  late: "The run ends later than without the failure.",
  "job-failed": "No restart was granted: the rest of the input is not read.",
  stuck: "It makes no further progress.",
};

export const enGuarantees = {
  title: "Guarantee table",
  description:
    "What a reader can meet by source, checkpointing and sink. Nothing here is written down: each cell is a small job, run once for each process failure at each of its events.",
  start: "Compute the table",
  more: "Compute the rest",
  again: "Compute it again",
  pause: "Pause",
  resume: "Go on",
  stop: "Stop",
  progress: "Cells computed",
  figures: (done: number, total: number, runs: number) =>
    `${count(done)} of ${count(total)} cells, ${count(runs)} runs`,
  seconds: (seconds: number) => `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`,
  paused: "Paused",
  stopped: "Stopped: what is there stays",
  failed: "The table stopped. A mistake of ours, not of Flink:",
  moment: "The process fails",
  anyMoment: "at any moment",
  moments,
  modes,
  harms,
  explained,
  source: "Source",
  anySource: "all",
  caption: "What a reader can meet, by source, checkpointing and sink",
  corner: "Source and checkpointing",
  exact: "exact",
  nothing: "never visible",
  nothingTitle:
    "Without checkpoints nothing is committed before the input ends: the reader sees nothing, failure or not.",
  refused: "refused",
  none: "—",
  noneTitle: "There is no such moment: no checkpoint is taken.",
  computing: "…",
  open: (cell: string) => `Show the runs of ${cell}`,
  chosen: "Runs of the cell",
  choose: "Choose a cell to see its runs by the moment of the failure.",
  detailCaption: "Runs by the moment of the failure",
  momentColumn: "The process fails",
  runsColumn: "Runs",
  harmsColumn: "Runs that show it; the one that shows it best opens",
  harmOf: (harm: string, runs: number) => `${harm} in ${count(runs)}`,
  nothingElse: "nothing",
  detail: (entries: number, runs: number) =>
    `${count(entries)} events without a failure, ${count(runs)} runs with one.`,
  failureOf: (name: string, step: number) => `Opens the run in which ${name} at event ${count(step)}`,
  violations: (value: number) =>
    `${count(value)} of these runs broke a rule of this program's own: our fault, and their results cannot be trusted.`,
  saveMarkdown: "Save as Markdown",
  saveCsv: "Save as CSV",
  legend: "Words",
} as const;
