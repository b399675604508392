/**
 * The life of checkpoints in the JobManager and at tasks: identity and order (INV-010, INV-013 to INV-015), acknowledgement and
 * completion (INV-020 to INV-024, INV-105, INV-111), notifications (INV-026, INV-027), savepoints (INV-031), failures counted once (INV-032).
 */
import { at } from "../../base/assert.ts";
import { Machine, machines } from "../../protocol/machines/all.ts";
import { checkpointFailureReasons, notificationKinds } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { Rows } from "../rows.ts";
import { Kind } from "../savepoints.ts";
import { ExecutionState, JobStatus, isTerminal } from "../states.ts";
import { type Subject, TaskFact, type Watch, copyOf, tableOf } from "./watch.ts";

const jobStatuses = Object.keys(machines[Machine.jobStatus].states);
const SUBSUMED = checkpointFailureReasons.indexOf("CHECKPOINT_SUBSUMED");
const COMPLETE = notificationKinds.indexOf("complete");
const name = (checkpoint: number): string => `checkpoint ${checkpoint}`;

export class Checkpoints implements Subject {
  static readonly ids = [
    "INV-010",
    "INV-013",
    "INV-014",
    "INV-015",
    "INV-020",
    "INV-021",
    "INV-022",
    "INV-023",
    "INV-024",
    "INV-026",
    "INV-027",
    "INV-031",
    "INV-032",
    "INV-105",
    "INV-111",
  ] as const;
  private readonly watch: Watch;
  /** For each pending checkpoint its id, then how often each subtask and each operator coordinator has acknowledged it. */
  private readonly acknowledged: Rows;
  /** By subtask: the id of its attempt's last snapshot. */
  private readonly snapshots: Rows;
  /** How many failed checkpoints in a row have counted. */
  private failures: number;

  constructor(watch: Watch, from: Checkpoints | null = null) {
    this.watch = watch;
    const tasks = watch.plan.graph.subtasks.length;
    this.acknowledged =
      from === null ? new Rows(1 + tasks + watch.plan.graph.sources.length, 2) : copyOf(from.acknowledged);
    this.snapshots = from === null ? tableOf(1, tasks) : copyOf(from.snapshots);
    this.failures = from?.failures ?? 0;
  }

  clone(watch: Watch): Checkpoints {
    return new Checkpoints(watch, this);
  }

  CheckpointTriggered(k: Kernel, checkpoint: number, kind: number): void {
    const { watch } = this;
    const { maxConcurrent, retained, unaligned } = watch.plan.scenario.config.checkpointing;
    if (checkpoint <= watch.lastTriggered) {
      watch.violated(
        k,
        "INV-010",
        `checkpoint ids increase and are used once, but ${checkpoint} is triggered after ${watch.lastTriggered}`,
        name(checkpoint),
      );
    }
    const forced = kind > Kind.checkpoint && !unaligned;
    if (watch.pending.count >= maxConcurrent && !forced) {
      watch.violated(
        k,
        "INV-022",
        `checkpoint ${checkpoint} is triggered beside ${watch.pending.count} pending ones; at most ${maxConcurrent} may be pending`,
        name(checkpoint),
      );
    }
    if (watch.status !== JobStatus.running) {
      watch.violated(
        k,
        "INV-105",
        `checkpoint ${checkpoint} is triggered while the job is ${at(jobStatuses, watch.status)}`,
        name(checkpoint),
      );
    }
    if (watch.stored.count > retained) {
      watch.violated(
        k,
        "INV-024",
        `the store holds ${watch.stored.count} checkpoints, ${retained} are to be retained`,
        name(watch.stored.get(0, 0)),
      );
    }
    this.noneInTriggerPhase(k, checkpoint);
    const row = this.acknowledged.count;
    this.acknowledged.open(row);
    for (let word = 0; word < this.acknowledged.width; word++) this.acknowledged.set(row, word, 0);
    this.acknowledged.set(row, 0, checkpoint);
    // What has finished is not waited for (CP-190).
    for (let task = 0; task < watch.tasks.count; task++) {
      const finished = watch.task(task, TaskFact.state) === ExecutionState.finished;
      this.acknowledged.set(row, 1 + task, finished ? 1 : 0);
    }
  }

  /** A trigger phase lasts until every operator coordinator has acknowledged, or the checkpoint ends. */
  private noneInTriggerPhase(k: Kernel, checkpoint: number): void {
    for (let row = 0; row < this.acknowledged.count; row++) {
      if (this.missingCoordinator(row) === null) continue;
      const other = this.acknowledged.get(row, 0);
      const said = `checkpoint ${checkpoint} is triggered while ${other} is in its trigger phase`;
      this.watch.violated(k, "INV-014", said, name(checkpoint), name(other));
    }
  }

  /** An operator coordinator that has not acknowledged the checkpoint of a row; `null`: all have. */
  private missingCoordinator(row: number): string | null {
    const { graph } = this.watch.plan;
    const missing = graph.sources.find((_, source) => this.isMissing(row, source));
    return missing === undefined ? null : at(graph.operators, missing).vertex.uid;
  }

  private isMissing(row: number, source: number): boolean {
    return this.watch.plan.coordinated[source] === true && this.coordinatorCount(row, source) === 0;
  }

  private coordinatorCount(row: number, source: number): number {
    return this.acknowledged.get(row, 1 + this.watch.tasks.count + source);
  }

  CoordinatorSnapshotTaken(_: Kernel, operator: number, checkpoint: number): void {
    const row = this.acknowledged.find(0, checkpoint);
    if (row < 0) return;
    const source = this.watch.plan.graph.sources.indexOf(operator);
    const word = 1 + this.watch.tasks.count + source;
    this.acknowledged.set(row, word, this.coordinatorCount(row, source) + 1);
  }

  /** The first that is seen of a checkpoint at tasks comes behind the snapshots of all operator coordinators. */
  BarrierEmitted(k: Kernel, task: number, _: number, checkpoint: number): void {
    this.comesBehindCoordinators(k, task, checkpoint);
  }

  private comesBehindCoordinators(k: Kernel, task: number, checkpoint: number): void {
    const row = this.acknowledged.find(0, checkpoint);
    const missing = row < 0 ? null : this.missingCoordinator(row);
    if (missing === null) return;
    const said = `${this.watch.subtask(task)} takes part in checkpoint ${checkpoint} before the operator coordinator of ${missing} has taken its snapshot`;
    this.watch.violated(k, "INV-015", said, this.watch.subtask(task), name(checkpoint));
  }

  /** What has ended is out of the way: only pending checkpoints make a request wait. */
  TriggerQueued(k: Kernel, pending: number): void {
    const { watch } = this;
    if (pending === watch.pending.count) return;
    const said = `a request waits for ${pending} pending checkpoints, but ${watch.pending.count} have not ended`;
    watch.violated(k, "INV-020", said, name(watch.lastTriggered));
  }

  CheckpointAcknowledged(k: Kernel, task: number, checkpoint: number, attempt: number): void {
    const { watch } = this;
    const current = watch.task(task, TaskFact.attempt);
    if (attempt !== current || isTerminal(watch.task(task, TaskFact.state))) {
      watch.violated(
        k,
        "INV-111",
        `the acknowledgement of ${watch.subtask(task)}#${attempt} for checkpoint ${checkpoint} is accepted, but ${attempt === current ? "that attempt has ended" : `its current attempt is ${current}`}`,
        watch.subtask(task),
        name(checkpoint),
      );
    }
    const row = this.acknowledged.find(0, checkpoint);
    if (row >= 0) this.acknowledged.set(row, 1 + task, this.acknowledged.get(row, 1 + task) + 1);
  }

  CheckpointMetadataWritten(k: Kernel, checkpoint: number): void {
    const { watch, acknowledged } = this;
    if (!watch.isPending(checkpoint)) this.endedBefore(k, checkpoint, "is finalised");
    const row = acknowledged.find(0, checkpoint);
    for (let task = 0; row >= 0 && task < watch.tasks.count; task++) {
      const count = acknowledged.get(row, 1 + task);
      if (count === 1) continue;
      watch.violated(
        k,
        "INV-021",
        `checkpoint ${checkpoint} is finalised with ${count} acknowledgements of ${watch.subtask(task)}; it needs exactly one`,
        watch.subtask(task),
        name(checkpoint),
      );
    }
    watch.plan.graph.sources.forEach((source, number) => {
      const count = row < 0 ? 1 : this.coordinatorCount(row, number);
      if (count === 1 || !at(watch.plan.coordinated, number)) return;
      const { uid } = at(watch.plan.graph.operators, source).vertex;
      const said = `checkpoint ${checkpoint} is finalised with ${count} snapshots of the operator coordinator of ${uid}; it needs exactly one`;
      watch.violated(k, "INV-021", said, uid, name(checkpoint));
    });
  }

  CheckpointCompleted(k: Kernel, checkpoint: number): void {
    const { watch } = this;
    if (!watch.isPending(checkpoint)) this.endedBefore(k, checkpoint, "completes");
    const stored = watch.kindOf(checkpoint) === Kind.checkpoint;
    if (checkpoint <= watch.lastCompleted && stored) {
      watch.violated(
        k,
        "INV-023",
        `ids in the store ascend, but ${checkpoint} is added behind ${watch.lastCompleted}`,
        name(checkpoint),
        name(watch.lastCompleted),
      );
    }
    if (watch.status !== JobStatus.running) {
      watch.violated(
        k,
        "INV-105",
        `checkpoint ${checkpoint} completes while the job is ${at(jobStatuses, watch.status)}`,
        name(checkpoint),
      );
    }
    if (watch.stored.count > watch.plan.scenario.config.checkpointing.retained && stored) {
      watch.violated(
        k,
        "INV-024",
        `a checkpoint is added to a store that holds ${watch.stored.count} already`,
        name(checkpoint),
      );
    }
    this.acknowledged.removeWhere(0, checkpoint);
    this.failures = 0;
  }

  CheckpointAborted(k: Kernel, checkpoint: number, reason: number, failures: number, counts: number): void {
    const { watch } = this;
    if (!watch.isPending(checkpoint)) this.endedBefore(k, checkpoint, "is aborted");
    if (reason === SUBSUMED && watch.kindOf(checkpoint) !== Kind.checkpoint)
      watch.violated(
        k,
        "INV-031",
        `a newer checkpoint ends those that are pending before it, but no savepoint; ${checkpoint} is one`,
        name(checkpoint),
      );
    this.acknowledged.removeWhere(0, checkpoint);
    if (failures !== this.failures + counts) {
      watch.violated(
        k,
        "INV-032",
        `the end of checkpoint ${checkpoint} takes the counter of failures from ${this.failures} to ${failures}; it adds ${counts}`,
        name(checkpoint),
      );
    }
    this.failures = failures > watch.plan.scenario.config.checkpointing.tolerableFailed ? 0 : failures;
  }

  /** A new leader counts anew. */
  LeadershipLost(): void {
    this.acknowledged.count = 0;
    this.failures = 0;
  }

  CheckpointSubsumed(k: Kernel, checkpoint: number): void {
    if (this.watch.stored.find(0, checkpoint) < 0) {
      this.watch.violated(
        k,
        "INV-020",
        `checkpoint ${checkpoint} is subsumed but is not in the store`,
        name(checkpoint),
      );
    }
  }

  private endedBefore(k: Kernel, checkpoint: number, what: string): void {
    const before = this.watch.hasCompleted(checkpoint)
      ? "completed"
      : checkpoint <= this.watch.lastTriggered
        ? "aborted"
        : "not triggered";
    this.watch.violated(
      k,
      "INV-020",
      `checkpoint ${checkpoint} ${what}, but it was ${before}: each id reaches one end and stays there`,
      name(checkpoint),
    );
  }

  JobStatusChanged(k: Kernel, _: number, to: number): void {
    if (to === JobStatus.running) this.nonePending(k, "runs again");
  }

  RestartScheduled(k: Kernel): void {
    this.nonePending(k, "restarts");
  }

  private nonePending(k: Kernel, what: string): void {
    const { pending } = this.watch;
    if (pending.count === 0) return;
    this.watch.violated(
      k,
      "INV-105",
      `the job ${what} with checkpoint ${pending.get(0, 0)} pending: leaving RUNNING aborts every pending checkpoint`,
      name(pending.get(0, 0)),
    );
  }

  AttemptCreated(_: Kernel, task: number): void {
    this.snapshots.set(task, 0, 0);
  }

  SnapshotTaken(k: Kernel, task: number, checkpoint: number): void {
    const last = this.snapshots.get(task, 0);
    if (checkpoint <= last) {
      this.watch.violated(
        k,
        "INV-013",
        `one attempt's snapshots ascend, but ${this.watch.subtask(task)} takes ${checkpoint} after ${last}`,
        this.watch.subtask(task),
        name(checkpoint),
      );
    }
    this.snapshots.set(task, 0, checkpoint);
    this.comesBehindCoordinators(k, task, checkpoint);
  }

  NotificationDelivered(k: Kernel, task: number, checkpoint: number, kind: number): void {
    if (kind !== COMPLETE) return;
    const { watch } = this;
    const who = watch.subtask(task);
    if (!watch.hasCompleted(checkpoint)) {
      watch.violated(
        k,
        "INV-026",
        `${who} is told that checkpoint ${checkpoint} is complete, but it is not in the store, nor the savepoint of a stop`,
        who,
        name(checkpoint),
      );
    }
    const reported = watch.task(task, TaskFact.reported);
    if (checkpoint <= reported) {
      watch.violated(
        k,
        "INV-027",
        `completion ids at one attempt ascend from the restored one, but ${who} is told of ${checkpoint} after ${reported}`,
        who,
        name(checkpoint),
      );
    }
  }
}
