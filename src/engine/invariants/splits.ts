/**
 * Splits that an urgent trigger overtakes. Since 2.1 the trigger of an unaligned checkpoint goes ahead of other mails at a
 * source (FLINK-35051), also of the event that brings a split. The enumerator's snapshot says that the split is assigned,
 * the reader's does not have it, and whoever restores that checkpoint never reads it. Flink loses these records, so behind
 * such a restore nothing is claimed of state (INV-033), of committed readers (INV-120), or of flushed sinks (INV-125).
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { Rows } from "../rows.ts";
import { type Subject, type Watch, copyOf, tableOf } from "./watch.ts";

/** A split on its way to a reader, and the newest snapshot of its enumerator in which it was not assigned. */
const Way = { partition: 0, task: 1, before: 2, SIZE: 3 } as const;
/** A snapshot that lacks a split, by the job that took it. */
const Lacking = { submission: 0, checkpoint: 1, SIZE: 2 } as const;

export class Splits implements Subject {
  static readonly ids = [] as const;
  private readonly watch: Watch;
  /** By operator: the last checkpoint in which its coordinator took a snapshot. */
  private readonly coordinators: Rows;
  private readonly ways: Rows;
  private readonly lacking: Rows;

  constructor(watch: Watch, from: Splits | null = null) {
    this.watch = watch;
    this.coordinators = from === null ? tableOf(1, watch.plan.graph.operators.length) : copyOf(from.coordinators);
    this.ways = from === null ? new Rows(Way.SIZE) : copyOf(from.ways);
    this.lacking = from === null ? new Rows(Lacking.SIZE) : copyOf(from.lacking);
  }

  clone(watch: Watch): Splits {
    return new Splits(watch, this);
  }

  nextJob(watch: Watch): Splits {
    const next = new Splits(watch);
    next.lacking.copyFrom(this.lacking);
    return next;
  }

  CoordinatorSnapshotTaken(_: Kernel, operator: number, checkpoint: number): void {
    this.coordinators.set(operator, 0, checkpoint);
  }

  SplitAssigned(_: Kernel, task: number, partition: number): void {
    const { vertices, subtasks } = this.watch.plan.graph;
    const source = at(at(vertices, at(subtasks, task).taskVertex).operators, 0);
    this.ways.push(partition, task, this.coordinators.get(source, 0));
  }

  SplitAdded(_: Kernel, task: number, partition: number): void {
    const { ways } = this;
    for (let row = ways.count - 1; row >= 0; row--)
      if (ways.get(row, Way.partition) === partition && ways.get(row, Way.task) === task) ways.remove(row);
  }

  AttemptCreated(_: Kernel, task: number): void {
    this.ways.removeWhere(Way.task, task);
  }

  SnapshotTaken(_: Kernel, task: number, checkpoint: number): void {
    const { ways, lacking, watch } = this;
    for (let row = 0; row < ways.count; row++)
      if (ways.get(row, Way.task) === task && ways.get(row, Way.before) < checkpoint)
        lacking.push(watch.jobs.submission, checkpoint);
  }

  StateRestored(_: Kernel, __: number, ___: number, checkpoint: number): void {
    const { lacking, watch } = this;
    for (let row = 0; row < lacking.count; row++) {
      const submission = lacking.get(row, Lacking.submission);
      if (lacking.get(row, Lacking.checkpoint) !== checkpoint) continue;
      if (submission === watch.jobs.submission || submission === watch.jobs.start?.submission)
        watch.waive(["INV-033", "INV-120", "INV-122", "INV-123", "INV-124", "INV-125"]);
    }
  }
}
