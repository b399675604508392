/**
 * The end of input and finished tasks (CP-190 to CP-196):
 *
 * - INV-034: with checkpoints after finished tasks, a task ends only when a checkpoint that it took since it finished its
 *   operators, or the savepoint that it is to stop with, has been reported complete to it.
 * - INV-035: a subtask is restored as finished if, and only if, its whole vertex had finished in the checkpoint.
 * - INV-036: on a channel no record comes out behind the end of data, and nothing goes in behind the end of partition.
 * - INV-037: when the savepoint of a stop is triggered nothing else is pending: only what it covers is committed.
 */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { endings, notificationKinds } from "../../protocol/reasons.ts";
import { matchedOperators } from "../../scenario/state-mapping.ts";
import type { Kernel } from "../kernel.ts";
import { Rows } from "../rows.ts";
import { Kind } from "../savepoints.ts";
import { ExecutionState } from "../states.ts";
import { type Subject, TaskFact, type Watch, copyOf, tableOf } from "./watch.ts";

const FINISHED = endings.indexOf("FINISHED");
const COMPLETE = notificationKinds.indexOf("complete");

/** A task: has it finished its operators (2: it is finished on restore), its first checkpoint since, the last reported complete, and whether it stops with a savepoint, which is then that checkpoint. */
const Task = { finished: 0, final: 1, reported: 2, stops: 3, SIZE: 4 } as const;
const RESTORED = 2;
/** A snapshot of a job that is over: by operator, whether its whole vertex had finished in it. */
interface Former {
  readonly submission: number;
  readonly checkpoint: number;
  readonly graph: ExecutionGraph;
  readonly finished: readonly boolean[];
}

/** A channel: is the end of data out of it, is the end of partition in it? */
const Channel = { dataEnded: 0, partitionEnds: 1, SIZE: 2 } as const;

export class Ends implements Subject {
  static readonly ids = ["INV-034", "INV-035", "INV-036", "INV-037"] as const;
  private readonly watch: Watch;
  private readonly tasks: Rows;
  private readonly channels: Rows;
  /** A row a checkpoint that is pending or stored: its id, then for each task whether it had finished. */
  private readonly finished: Rows;
  private former: readonly Former[];

  constructor(watch: Watch, from: Ends | null = null) {
    this.watch = watch;
    const { subtasks, channels } = watch.plan.graph;
    this.tasks = from === null ? tableOf(Task.SIZE, subtasks.length) : copyOf(from.tasks);
    this.channels = from === null ? tableOf(Channel.SIZE, channels.length) : copyOf(from.channels);
    this.finished = from === null ? new Rows(1 + subtasks.length, 2) : copyOf(from.finished);
    this.former = from?.former ?? [];
  }

  clone(watch: Watch): Ends {
    return new Ends(watch, this);
  }

  /**
   * What had finished in the snapshot that the next job starts from has finished in it, whatever its parallelism is now
   * (CP-196): a vertex whose operators all have.
   */
  nextJob(watch: Watch): Ends {
    const next = new Ends(watch);
    next.former = [...this.former, ...this.snapshots()];
    const { start } = watch.jobs;
    const former = next.former.find(
      ({ submission, checkpoint }) => submission === start?.submission && checkpoint === start.checkpoint,
    );
    if (former === undefined) return next;
    const from = matchedOperators(former.graph, watch.plan.graph);
    next.finished.push(
      former.checkpoint,
      ...watch.plan.graph.subtasks.map(({ taskVertex }) => {
        const { operators } = at(watch.plan.graph.vertices, taskVertex);
        return operators.every((operator) => former.finished[at(from, operator)] === true) ? 1 : 0;
      }),
    );
    return next;
  }

  /** The snapshots of this job that are not gone. */
  private snapshots(): Former[] {
    const { graph } = this.watch.plan;
    return Array.from({ length: this.finished.count }, (_, row) => {
      const checkpoint = this.finished.get(row, 0);
      const finished = graph.operators.map(({ taskVertex }) => this.allFinished(row, taskVertex));
      return { submission: this.watch.jobs.submission, checkpoint, graph, finished };
    });
  }

  AttemptCreated(_: Kernel, task: number): void {
    for (let field = 0; field < Task.SIZE; field++) this.tasks.set(task, field, 0);
    const { inputs, outputs } = at(this.watch.plan.graph.subtasks, task);
    for (const list of [inputs, outputs])
      for (const channel of list) for (let word = 0; word < Channel.SIZE; word++) this.channels.set(channel, word, 0);
  }

  OperatorsFinished(_: Kernel, task: number): void {
    this.tasks.set(task, Task.finished, 1);
  }

  SnapshotTaken(_: Kernel, task: number, checkpoint: number): void {
    const [final, reported] = [this.tasks.get(task, Task.final), this.tasks.get(task, Task.reported)];
    // One that has had its final checkpoint is on its way out and waits for nothing more.
    const stops = this.watch.kindOf(checkpoint) === Kind.synchronous && (final === 0 || reported < final);
    if (stops) {
      this.tasks.set(task, Task.final, checkpoint);
      this.tasks.set(task, Task.stops, 1);
    } else if (this.tasks.get(task, Task.finished) > 0 && this.tasks.get(task, Task.final) === 0)
      this.tasks.set(task, Task.final, checkpoint);
  }

  NotificationDelivered(_: Kernel, task: number, checkpoint: number, kind: number): void {
    if (kind === COMPLETE) this.tasks.set(task, Task.reported, checkpoint);
  }

  TaskStopped(k: Kernel, task: number, attempt: number, ending: number): void {
    const { watch, tasks } = this;
    const { interval, afterTasksFinish } = watch.plan.scenario.config.checkpointing;
    const stops = tasks.get(task, Task.stops) === 1;
    if (ending !== FINISHED || (!stops && (interval === null || !afterTasksFinish))) return;
    const [final, reported] = [tasks.get(task, Task.final), tasks.get(task, Task.reported)];
    if (final > 0 && reported >= final) return;
    const said = final === 0 ? "has taken no checkpoint since its data ended" : `waits for checkpoint ${final}`;
    watch.violated(
      k,
      "INV-034",
      `a task ends with a completed checkpoint that it took behind its data, but ${watch.subtask(task)}#${attempt} ends and ${said}`,
      watch.subtask(task),
    );
  }

  CheckpointTriggered(k: Kernel, checkpoint: number, kind: number): void {
    const { pending } = this.watch;
    if (kind === Kind.synchronous && pending.count > 0) {
      const said = `savepoint ${checkpoint} is to stop the job while ${pending.get(0, 0)} is pending`;
      this.watch.violated(k, "INV-037", said, `checkpoint ${checkpoint}`);
    }
    const row = this.finished.count;
    this.finished.open(row);
    this.finished.set(row, 0, checkpoint);
    for (let task = 0; task < this.watch.tasks.count; task++)
      this.finished.set(row, 1 + task, this.watch.task(task, TaskFact.state) === ExecutionState.finished ? 1 : 0);
  }

  CheckpointAcknowledged(_: Kernel, task: number, checkpoint: number): void {
    const row = this.finished.find(0, checkpoint);
    if (row >= 0 && this.tasks.get(task, Task.finished) === RESTORED) this.finished.set(row, 1 + task, 1);
  }

  CheckpointAborted(_: Kernel, checkpoint: number): void {
    this.finished.removeWhere(0, checkpoint);
  }

  LeadershipLost(): void {
    const { pending } = this.watch;
    for (let row = 0; row < pending.count; row++) this.finished.removeWhere(0, pending.get(row, 0));
  }

  CheckpointSubsumed(_: Kernel, checkpoint: number): void {
    this.finished.removeWhere(0, checkpoint);
  }

  StateRestored(k: Kernel, task: number, _: number, checkpoint: number): void {
    if (!this.wasFinished(task, checkpoint)) return;
    const name = this.watch.subtask(task);
    const said = `${name} is given state of checkpoint ${checkpoint}, in which its whole vertex had finished`;
    this.watch.violated(k, "INV-035", `what has finished runs no operator again, but ${said}`, name);
  }

  RestoredAsFinished(k: Kernel, task: number, _: number, checkpoint: number): void {
    this.tasks.set(task, Task.finished, RESTORED);
    if (this.wasFinished(task, checkpoint)) return;
    const name = this.watch.subtask(task);
    const said = `${name} is finished on restore from checkpoint ${checkpoint}, in which its vertex had not finished`;
    this.watch.violated(k, "INV-035", `what has not finished runs again, but ${said}`, name);
  }

  /** Had the whole vertex of a task finished in a checkpoint? */
  private wasFinished(task: number, checkpoint: number): boolean {
    const row = this.finished.find(0, checkpoint);
    return row >= 0 && this.allFinished(row, at(this.watch.plan.graph.subtasks, task).taskVertex);
  }

  private allFinished(row: number, vertex: number): boolean {
    const { subtasks } = at(this.watch.plan.graph.vertices, vertex);
    return subtasks.every((task) => this.finished.get(row, 1 + task) === 1);
  }

  EndOfDataReceived(_: Kernel, __: number, channel: number): void {
    this.channels.set(channel, Channel.dataEnded, 1);
  }

  RecordReceived(k: Kernel, _: number, channel: number): void {
    if (this.channels.get(channel, Channel.dataEnded) === 1) this.behindEnd(k, channel, "a record comes out", "data");
  }

  EndOfPartitionEmitted(_: Kernel, __: number, channel: number): void {
    this.channels.set(channel, Channel.partitionEnds, 1);
  }

  RecordSent(k: Kernel, _: number, channel: number): void {
    this.isOpen(k, channel, "a record goes in");
  }

  BarrierEmitted(k: Kernel, _: number, channel: number): void {
    this.isOpen(k, channel, "a barrier goes in");
  }

  private isOpen(k: Kernel, channel: number, what: string): void {
    if (this.channels.get(channel, Channel.partitionEnds) === 1) this.behindEnd(k, channel, what, "partition");
  }

  private behindEnd(k: Kernel, channel: number, what: string, end: string): void {
    const name = this.watch.channel(channel);
    this.watch.violated(k, "INV-036", `${what} of ${name} behind its end of ${end}`, name);
  }
}
