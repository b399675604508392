/**
 * All words on the stage, as functions that whoever mounts it provides: the view holds no language. States, ship
 * strategies and reasons come as the log spells them.
 */
import type { ShipStrategy } from "../../protocol/job-graph.ts";
import type { CheckpointState, JobState, TaskState, TransactionState } from "../machines/actors.ts";
import type { ElementKind } from "./elements.ts";
import type {
  ChannelFrame, CheckpointFrame, InputFrame, JobManagerFrame, OutputFrame, Scene, SubtaskFrame, TaskManagerFrame, TransactionFrame,
} from "./frame-types.ts";

/** Why an arrow key did not move the focus. */
export type NoFurther = "input" | "output" | "before" | "after";

export interface StageText {
  jobManager(): string;
  sources(): string;
  /** Checkpoint storage. */
  storage(): string;
  /** What lies beyond the job: its sinks' topics and their readers. */
  outside(): string;

  jobState(state: JobState): string;
  taskState(state: TaskState): string;
  checkpointState(state: CheckpointState): string;
  transactionState(state: TransactionState): string;
  ship(strategy: ShipStrategy): string;
  /** Of an attempt, a checkpoint's end, …: a word of the log's reasons. */
  reason(word: string): string;

  /** `Checkpoint 3`, `Savepoint 3`. */
  checkpoint(id: number, savepoint: boolean): string;
  /** `3/6`, spoken of as acknowledgements. */
  acknowledged(count: number, expected: number): string;
  noCheckpoint(): string;
  /** All have acknowledged, metadata is written, the pointer is not stored yet. */
  finalizing(): string;
  completedStore(): string;
  /** `none` where the store is empty. */
  storeEmpty(): string;
  restores(): string;
  /** Simulated milliseconds until the restart. */
  restartIn(ms: number): string;
  /** Failed checkpoints in a row, and how many are tolerated. */
  failures(count: number, tolerable: number): string;
  attempt(number: number): string;
  stalled(): string;
  parallelism(count: number): string;
  running(count: number, of: number): string;
  /** `12 queued`, on a bundle of channels. */
  queued(count: number): string;
  blockedChannels(count: number, of: number): string;
  lost(): string;
  lastStableOffset(): string;
  committedReader(): string;
  uncommittedReader(): string;
  moreBefore(count: number): string;

  /** Accessible names: everything the picture says of an element, in a fixed order. */
  describeStage(scene: Scene): string;
  describeSubtask(subtask: SubtaskFrame, scene: Scene): string;
  describeChannel(channel: ChannelFrame): string;
  describeCheckpoint(checkpoint: CheckpointFrame): string;
  describeTransaction(transaction: TransactionFrame): string;
  describeInput(input: InputFrame): string;
  describeOutput(output: OutputFrame): string;
  describeTaskManager(taskManager: TaskManagerFrame, scene: Scene): string;
  describeJobManager(jobManager: JobManagerFrame): string;
  describeStorage(checkpoints: readonly CheckpointFrame[]): string;
  /** What kind of thing an element is: `aria-roledescription`. */
  role(kind: ElementKind | "graph"): string;
  noFurther(way: NoFurther): string;
  zoomIn(): string;
  zoomOut(): string;
  zoomFit(): string;
}
