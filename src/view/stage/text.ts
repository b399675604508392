/**
 * All words on the stage, as functions that whoever mounts it provides: the view holds no language. States, ship
 * strategies and reasons come as the log spells them.
 */
import type { ShipStrategy } from "../../protocol/job-graph.ts";
import type { Reader } from "../../protocol/sinks.ts";
import type { CheckpointState, JobState, TaskState, TransactionState } from "../machines/actors.ts";
import type { ElementKind } from "./elements.ts";
import type { LegendMark } from "./marks/legend.ts";
import type { NextTrigger } from "../../projection/next-trigger.ts";
import type { RestartBudget } from "../../projection/restart-budget.ts";
import type {
  Alignment,
  ChannelFrame,
  CheckpointFrame,
  EdgeFrame,
  JobManagerFrame,
  Scene,
  Standing,
  StorageFrame,
  SubtaskFrame,
  SummaryFrame,
  TaskManagerFrame,
  TransactionFrame,
  VertexFrame,
} from "./frame-types.ts";
import type { InputFrame, OutputFrame } from "./frame-types-outside.ts";

/** Why an arrow key did not move the focus. */
export type NoFurther = "input" | "output" | "before" | "after" | "gone";

/** Words that no first picture has: they are fetched behind it. */
export interface LaterText {
  readonly legend: (mark: LegendMark) => string;
  /** What pointing at a line of the legend does. */
  readonly highlight: (mark: LegendMark) => string;
  /** Whose a snapshot of an earlier job is: its user's, or a job's; and the job that took it. */
  readonly ownedBy: (owner: "user" | number, job: number) => string;
  /** Of a timeout what is left, in whole seconds. */
  readonly left: (ms: number) => string;
  /** So many snapshots of earlier jobs have no row. */
  readonly earlier: (count: number) => string;
  /** A JobManager that waits to take over. */
  readonly standby: () => string;
  /** Of a fencing token the end, which is what changes. */
  readonly token: (token: string) => string;
}

/** What cells are hatched for: a record that is not committed yet, one that retention took. */
export type Hatched = "open" | "gone";

export interface StageText {
  readonly later: () => Promise<LaterText>;
  readonly jobManager: () => string;
  readonly sources: () => string;
  /** Checkpoint storage. */
  readonly storage: () => string;
  /** What lies beyond the job: its sinks' topics and their readers. */
  readonly outside: () => string;

  readonly jobState: (state: JobState) => string;
  readonly taskState: (state: TaskState) => string;
  readonly checkpointState: (state: CheckpointState) => string;
  readonly transactionState: (state: TransactionState) => string;
  readonly ship: (strategy: ShipStrategy) => string;
  /** Of an attempt, a checkpoint's end, …: a word of the log's reasons. */
  readonly reason: (word: string) => string;

  /** `Checkpoint 3`, `Savepoint 3`. */
  readonly checkpoint: (id: number, savepoint: boolean) => string;
  /** `3/6`, spoken of as acknowledgements. */
  readonly acknowledged: (count: number, expected: number) => string;
  readonly noCheckpoint: () => string;
  /** All have acknowledged, metadata is written, the pointer is not stored yet. */
  readonly finalizing: () => string;
  readonly completedStore: () => string;
  /** `none` where the store is empty. */
  readonly storeEmpty: () => string;
  readonly restores: () => string;
  /** Simulated milliseconds until the restart. */
  readonly restartIn: (ms: number) => string;
  /** Failed checkpoints in a row, and how many are tolerated. */
  readonly failures: (count: number, tolerable: number) => string;
  /** Why a checkpoint failed, in Flink's words, and whether that counts. */
  readonly failed: (reason: string, counts: boolean) => string;
  /** When the next checkpoint begins, or why it does not. */
  readonly next: (next: NextTrigger) => string;
  readonly alignment: (alignment: Alignment) => string;
  readonly busy: () => string;
  readonly percent: (share: number) => string;
  readonly attempt: (number: number) => string;
  readonly region: (number: number) => string;
  /** What the restart strategy has left. */
  readonly budget: (budget: RestartBudget) => string;
  readonly stalled: () => string;
  readonly parallelism: (count: number) => string;
  readonly running: (count: number, of: number) => string;
  /** `12 queued`, on a bundle of channels. */
  readonly queued: (count: number) => string;
  readonly blockedChannels: (count: number, of: number) => string;
  /** `41/48`. */
  readonly ratio: (count: number, of: number) => string;
  /** Why a subtask is told apart from the others of its vertex. */
  readonly standing: (why: Standing) => string;
  readonly noneStandsOut: () => string;
  /** `46 running`, `2 failed`: of a vertex's subtasks. */
  readonly inState: (count: number, state: TaskState) => string;
  /** What the bars of a large vertex count. */
  readonly bars: (kind: "fill" | "alignment") => string;
  /** Of a heading: what pressing it does. */
  readonly describeVertex: (vertex: VertexFrame, summary: SummaryFrame | null, scene: Scene) => string;
  readonly lost: () => string;
  readonly lastStableOffset: () => string;
  /** Whoever reads what a sink has written; `whole`: there is room for all of it. */
  readonly reader: (reader: Reader, whole: boolean) => string;
  /** `read_committed sees 12`; of a table its rows. */
  readonly sees: (reader: Reader, count: number) => string;
  /** What a part file is called in the state of its transaction. */
  readonly file: (state: TransactionState) => string;
  /** Who may delete a savepoint. */
  readonly owner: (owner: CheckpointFrame["owner"]) => string;
  /** The letter of the consumer group's offset. */
  readonly groupOffset: () => string;
  /** A letter for what others hatch. */
  readonly hatched: (what: Hatched) => string;
  readonly moreBefore: (count: number) => string;

  /** Accessible names: everything the picture says of an element, in a fixed order. */
  readonly describeStage: (scene: Scene) => string;
  readonly describeSubtask: (subtask: SubtaskFrame, scene: Scene) => string;
  /** All of it, with what waits before it and what it has sent. */
  readonly describeFocused: (subtask: SubtaskFrame, scene: Scene) => string;
  readonly describeChannel: (channel: ChannelFrame) => string;
  readonly describeEdge: (edge: EdgeFrame, scene: Scene) => string;
  readonly describeCheckpoint: (checkpoint: CheckpointFrame) => string;
  readonly describeTransaction: (transaction: TransactionFrame) => string;
  readonly describeInput: (input: InputFrame) => string;
  readonly describeOutput: (output: OutputFrame) => string;
  readonly describeTaskManager: (taskManager: TaskManagerFrame, scene: Scene) => string;
  readonly describeJobManager: (jobManager: JobManagerFrame) => string;
  readonly describeStorage: (storage: StorageFrame) => string;
  /** What kind of thing an element is: `aria-roledescription`. */
  readonly role: (kind: ElementKind | "graph") => string;
  readonly noFurther: (way: NoFurther) => string;
  readonly zoomIn: () => string;
  readonly zoomOut: () => string;
  readonly zoomFit: () => string;
}
