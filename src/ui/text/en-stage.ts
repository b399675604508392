/** The words on the stage, and what a screen reader says of each element: name, state, checkpoint, input, output. */
import type {
  ChannelFrame,
  CheckpointFrame,
  LoadFrame,
  Ring,
  Scene,
  SubtaskFrame,
  SummaryFrame,
  TaskManagerFrame,
  TransactionFrame,
  VertexFrame,
} from "../../view/stage/frame-types.ts";
import type { NextTrigger } from "../../projection/next-trigger.ts";
import type { RestartBudget } from "../../projection/restart-budget.ts";
import type { StageText } from "../../view/stage/text.ts";
import { clockTime, duration } from "../format.ts";
import { checkpointFailureMessages as checkpointFailures } from "../../protocol/checkpoint-failure-messages.ts";
import { describeInput, describeOutput, fileState, readerName, seesWords } from "./en-stage-outside.ts";
import { plural } from "./plural.ts";
import { sentence } from "./sentence.ts";

const reasons: { readonly [word: string]: string } = {
  ...checkpointFailures,
  USER_EXCEPTION: "exception in user code",
  TASK_MANAGER_LOST: "TaskManager lost",
  CONNECTION_LOST: "connection lost",
  NO_RESOURCE_AVAILABLE: "no slot available",
  DEPLOYMENT_REFUSED: "deployment refused",
  INVALID_TRANSACTION_TIMEOUT: "transaction timeout refused",
  CHECKPOINT_FAILURE_THRESHOLD: "too many failed checkpoints",
  JOB_FAILURE: "job failed",
  PRODUCER_FENCED: "producer fenced",
};

const roles = {
  graph: "dataflow graph",
  vertex: "operator",
  subtask: "subtask",
  channel: "channel",
  checkpoint: "checkpoint",
  transaction: "transaction",
  input: "source partition",
  output: "sink partition",
  taskManager: "TaskManager",
  jobManager: "JobManager",
  storage: "checkpoint storage",
  edge: "exchange",
} as const;

const ends = {
  input: "No further input.",
  output: "No further output.",
  before: "Nothing before this.",
  after: "Nothing after this.",
  gone: "It is gone.",
} as const;

function ringWords({ checkpoint, phase, arrived, expected }: Ring): string {
  switch (phase) {
    case "expected":
      return `checkpoint ${checkpoint}: barrier expected`;
    case "aligning":
      return `checkpoint ${checkpoint}: waiting, barrier on ${arrived} of ${expected} inputs`;
    case "sync":
      return `checkpoint ${checkpoint}: freezing its state`;
    case "async":
      return `checkpoint ${checkpoint}: writing its state out`;
    case "written":
      return `checkpoint ${checkpoint}: written, acknowledgement on its way`;
    case "acknowledged":
      return `checkpoint ${checkpoint}: acknowledged`;
    case "discarded":
      return `checkpoint ${checkpoint}: discarded`;
  }
}

const alignments = { aligned: "A", unaligned: "U", converted: "A→U" } as const;
const alignmentNames = {
  aligned: "aligned",
  unaligned: "unaligned",
  converted: "aligned first, unaligned since",
} as const;

function loadWords({ level, holds, heldBy }: LoadFrame): string {
  return sentence(
    `backpressure ${level}`,
    holds.length === 0 ? null : `the slow one: it holds back ${holds.join(", ")}`,
    heldBy.length === 0 ? null : `held back by ${heldBy.join(", ")}`,
  );
}

function nextWords(next: NextTrigger): string {
  switch (next.kind) {
    case "ended":
      return "";
    case "leaderless":
      return next.standby ? "No JobManager: a standby takes over" : "No JobManager, and no standby";
    case "off":
      return "Next: none by itself, no interval is set";
    case "stopped":
      return "Next: none, the job is to end with a savepoint";
    case "suspended":
      return `Next: waits until all tasks are RUNNING ${next.restarting ? "again " : ""}(${next.running}/${next.of})`;
    case "queued":
      return `Next: waits, ${next.pending.length} of ${next.most} pending${next.requests > 1 ? `, ${next.requests} requests` : ""}`;
    case "pause":
      return `Next: at ${clockTime(next.at)}, after a pause of ${duration(next.pause)}`;
    case "at":
      return `Next: at ${clockTime(next.at)}, every ${duration(next.every)}`;
    case "between":
      return `Next: between ${clockTime(next.from)} and ${clockTime(next.to)}, drawn at random`;
  }
}

function budgetWords(budget: RestartBudget): string {
  switch (budget.kind) {
    case "none":
      return "no restart";
    case "attempts":
      return budget.of === null
        ? `restarts ${budget.used}, no limit`
        : `restarts left ${Math.max(0, budget.of - budget.used)}/${budget.of}`;
    case "rate":
      return `failures ${budget.used}/${budget.of} in ${duration(budget.interval)}`;
    case "backoff":
      return `next backoff ${duration(budget.next)}${budget.of === null ? "" : `, ${budget.used}/${budget.of}`}`;
  }
}

const standings = {
  selected: "selected",
  failed: "failed",
  stalled: "stalled",
  behind: "not running yet",
  unacknowledged: "no ack yet",
  locked: "locked longest",
  slow: "slow",
} as const;

function describeVertex(vertex: VertexFrame, summary: SummaryFrame | null, scene: Scene): string {
  const named = (summary?.exceptions ?? []).slice(0, 5);
  return sentence(
    `${vertex.name}, ${plural(vertex.parallelism, "subtask", "subtasks")}, ${vertex.running} running`,
    summary === null || summary.acknowledged === null
      ? null
      : `checkpoint ${summary.acknowledged.checkpoint}: ${summary.acknowledged.count} of ${summary.acknowledged.of} acknowledged`,
    ...named.map(({ subtask, why }) => `${scene.subtasks[subtask]?.name ?? ""}: ${standings[why]}`),
    vertex.density === "cells" ? "Enter opens its subtasks" : "Enter closes its subtasks to cells",
  );
}

/** Outputs that are told one by one. */
const OUTPUTS = 4;

/** In the order in which it is skimmed: name, state, checkpoint, input, output, notes. */
function describeFocused(subtask: SubtaskFrame, scene: Scene): string {
  let waiting = 0;
  for (const channel of scene.channels) if (channel.to === subtask.name) waiting += channel.waiting;
  const outputs = scene.channels.filter(({ from }) => from === subtask.name);
  return sentence(
    describeSubtask(subtask, scene),
    subtask.inputs === 0 ? null : `${waiting} waiting at its inputs`,
    ...outputs.slice(0, OUTPUTS).map(({ to, queued }) => `output to ${to}: ${queued}`),
    "Enter for details, F for faults",
  );
}

/** What a failure took, until it is there again. */
function ghostWords(ghost: SubtaskFrame["ghost"]): string | null {
  const lost = ghost?.values.flatMap(({ name, before }) => (before === null ? [] : [`${name} ${before}`.trim()]));
  return lost === undefined ? null : `before the failure: ${lost.join(", ")}`;
}

function describeSubtask(subtask: SubtaskFrame, scene: Scene): string {
  const blocked = scene.channels
    .filter(({ to, blocked: by }) => to === subtask.name && by !== null)
    .map(({ from }) => from);
  const state = subtask.state.map(({ name, value }) => `${name} ${value}`).join(", ");
  return sentence(
    `${subtask.vertexName}, subtask ${subtask.number} of ${subtask.parallelism}`,
    subtask.look.label,
    subtask.attempt > 0 ? `attempt ${subtask.attempt}` : null,
    subtask.region === null ? null : `region ${subtask.region}`,
    subtask.restarts ? "restarts" : null,
    subtask.stalled ? "stalled" : null,
    subtask.failure === null ? null : `failed: ${reasons[subtask.failure] ?? subtask.failure}`,
    subtask.ring === null ? null : ringWords(subtask.ring),
    subtask.alignment === null ? null : alignmentNames[subtask.alignment],
    subtask.load === null ? null : loadWords(subtask.load),
    blocked.length === 0 ? null : `input from ${blocked.join(", ")} blocked`,
    state === "" ? null : `state: ${state}`,
    ghostWords(subtask.ghost),
    subtask.given.length === 0 ? null : `is given, by old subtask: ${subtask.given.join(", ")}`,
    subtask.positions.length === 0
      ? null
      : subtask.positions.map(({ name, next }) => `reads ${name} at ${next}`).join(", "),
    subtask.transactions.length === 0
      ? null
      : subtask.transactions.map(({ name, look }) => `${name} ${look.label}`).join(", "),
  );
}

function describeChannel({ from, to, queued, capacity, blocked, stalled, open }: ChannelFrame): string {
  return sentence(
    `From ${from} to ${to}`,
    `${plural(queued, "buffer", "buffers")} of ${capacity} in use`,
    blocked === null ? null : `blocked behind barrier ${blocked}`,
    stalled ? "stalled" : null,
    open ? null : "not connected",
  );
}

function describeCheckpoint({
  id,
  look,
  savepoint,
  acknowledged,
  expected,
  restoreCandidate,
  owner,
  reason,
  counts,
}: CheckpointFrame): string {
  return sentence(
    `${savepoint ? "Savepoint" : "Checkpoint"} ${id}`,
    look.label,
    `${acknowledged} of ${expected} acknowledged`,
    reason === null ? null : `${reasons[reason] ?? reason} ${counts ? "It counts" : "It does not count"}`,
    restoreCandidate ? "a recovery would start from it" : null,
    savepoint ? (owner === "user" ? "yours to delete" : "claimed by Flink") : null,
  );
}

function describeTransaction({ name, look, records, checkpoint, clock }: TransactionFrame): string {
  return sentence(
    `Transaction ${name}`,
    look.label,
    plural(records, "record", "records"),
    `belongs to checkpoint ${checkpoint}`,
    clock === null ? null : `times out at ${clockTime(clock.to)}`,
  );
}

function endOf({ vertices, edges }: Scene["graph"], edge: number, end: "from" | "to"): string {
  return vertices[edges[edge]?.[end] ?? 0]?.name ?? "";
}

function describeTaskManager({ name, lost, stalled, subtasks }: TaskManagerFrame, scene: Scene): string {
  const names = subtasks.map((id) => scene.subtasks[id]?.name ?? "").join(", ");
  return sentence(
    name,
    lost ? "lost" : "running",
    stalled ? "stalled" : null,
    names === "" ? "no tasks" : `runs ${names}`,
    "F for faults",
  );
}

export const enStage: StageText = {
  later: async () => (await import("./en-stage-later.ts")).enLater,
  jobManager: () => "JobManager",
  sources: () => "Sources",
  storage: () => "Checkpoint storage",
  outside: () => "Outside",

  jobState: (state) => state,
  taskState: (state) => state,
  checkpointState: (state) =>
    state === "PENDING" || state === "FINALIZING" ? "IN_PROGRESS" : state === "ABORTED" ? "FAILED" : state,
  transactionState: (state) => state.toLowerCase().replace("_", "-"),
  ship: (strategy) => strategy.toUpperCase(),
  reason: (word) => reasons[word] ?? word,

  checkpoint: (id, savepoint) => `${savepoint ? "Savepoint" : "Checkpoint"} ${id}`,
  acknowledged: (count, expected) => `${count}/${expected} acks`,
  noCheckpoint: () => "no checkpoint in progress",
  finalizing: () => "metadata written",
  completedStore: () => "completed",
  storeEmpty: () => "none yet",
  restores: () => "a recovery starts here",
  restartIn: (ms) => `restart in ${duration(Math.round(ms))}`,
  failures: (count, tolerable) => `failed checkpoints ${count}/${tolerable}`,
  failed: (reason, counts) => `${reasons[reason] ?? reason} ${counts ? "It counts." : "It does not count."}`,
  next: nextWords,
  alignment: (alignment) => alignments[alignment],
  busy: () => "busy",
  percent: (share) => `${share} %`,
  attempt: (number) => `#${number}`,
  region: (number) => `region ${number}`,
  budget: budgetWords,
  stalled: () => "stalled",
  parallelism: (count) => `×${count}`,
  running: (count, of) => `${count}/${of} running`,
  queued: (count) => `${count} queued`,
  blockedChannels: (count, of) => `${count}/${of} blocked`,
  ratio: (count, of) => `${count}/${of}`,
  standing: (why) => standings[why],
  noneStandsOut: () => "none stands out",
  inState: (count, state) => `${count} ${state.toLowerCase()}`,
  bars: (kind) => (kind === "fill" ? "fill" : "barriers"),
  describeVertex,
  lost: () => "lost",
  lastStableOffset: () => "LSO",
  reader: (reader, whole) => (whole ? readerName(reader) : readerName(reader).replace(/^read_| files$/, "")),
  sees: seesWords,
  file: fileState,
  owner: (owner) => (owner === "user" ? "yours" : "Flink's"),
  groupOffset: () => "k",
  moreBefore: (count) => `+${count}`,

  describeStage: (scene) => {
    const [current] = scene.jobManager.current;
    return sentence(
      `Dataflow graph, ${plural(scene.vertices.length, "operator", "operators")}, ${plural(scene.subtasks.length, "subtask", "subtasks")}`,
      `job ${scene.jobManager.look.label}`,
      current === undefined ? null : describeCheckpoint(current),
      "Arrow keys walk the graph",
    );
  },
  describeSubtask,
  describeFocused,
  describeChannel,
  describeEdge: ({ id, ship, channels, queued, blocked }, { graph }) =>
    sentence(
      `${ship.toUpperCase()} exchange ${endOf(graph, id, "from")} to ${endOf(graph, id, "to")}`,
      plural(channels, "channel", "channels"),
      `${queued} queued, ${blocked} blocked`,
    ),
  describeCheckpoint,
  hatched: (what) => (what === "open" ? "U" : "R"),
  describeTransaction,
  describeInput,
  describeOutput,
  describeTaskManager,
  describeJobManager: ({ look, current, completed, next, leader, budget }) =>
    sentence(
      leader.standby ? `JobManager ${leader.number}` : "JobManager",
      leader.present ? (leader.standby ? "leader, with a standby" : null) : "gone",
      `job ${look.label}`,
      budgetWords(budget),
      ...current.map(describeCheckpoint),
      nextWords(next),
      `${plural(completed.length, "completed checkpoint", "completed checkpoints")} kept`,
      "F for faults",
    ),
  describeStorage: ({ checkpoints, earlier }) =>
    sentence(
      "Checkpoint storage",
      checkpoints.map(describeCheckpoint).join("; "),
      earlier
        .map(
          ({ checkpoint, savepoint, job }) => `${savepoint ? "savepoint" : "checkpoint"} ${checkpoint} of job ${job}`,
        )
        .join(", "),
      checkpoints.length + earlier.length === 0 ? "empty" : null,
    ),
  role: (kind) => roles[kind],
  noFurther: (way) => ends[way],
  zoomIn: () => "Zoom in",
  zoomOut: () => "Zoom out",
  zoomFit: () => "Fit to the stage",
};
