/**
 * Restore: from which checkpoint (INV-028, INV-108), to which positions (INV-007, INV-109, INV-131), to which state
 * (INV-110), and who owns which key (INV-040). The contents of a completed checkpoint are looked up in the store, since
 * entries do not carry them; everything else is told by entries.
 */
import { at } from "../../base/assert.ts";
import { canRewind } from "../../protocol/job-graph.ts";
import { javaHash, keyGroup } from "../../protocol/key-groups.ts";
import { deciders } from "../../protocol/reasons.ts";
import { handleOf } from "../checkpoint-plan.ts";
import type { Kernel } from "../kernel.ts";
import { keyOf } from "../plan.ts";
import { Rows } from "../rows.ts";
import { Input } from "../layout.ts";
import { snapshotWord } from "../savepoints.ts";
import { isAsked } from "../sources/positions.ts";
import { ExecutionState } from "../states.ts";
import { type Scheme, schemeOf } from "./scheme.ts";
import { type Subject, TaskFact, type Watch, copyOf, tableOf } from "./watch.ts";

/** A split of a source: its position behind the last record, its position in the consumer group, and the one it was restored to. */
const Split = { position: 0, group: 1, SIZE: 2 } as const;
/** In the place of a position: told by the first record; or the subtask does not have the split. */
const UNKNOWN = -1;
const NOT_HERE = -2;
const NO_HANDLE = -1;
const RESTORE = deciders.indexOf("restore");

export class Restores implements Subject {
  static readonly ids = ["INV-007", "INV-028", "INV-040", "INV-108", "INV-109", "INV-110", "INV-131"] as const;
  private readonly watch: Watch;
  private readonly scheme: Scheme;
  private readonly splits: Rows;
  /** By task: the handle of the state it was given and has not been seen to load, or `NO_HANDLE`. */
  private readonly given: Rows;
  /** A row a pending checkpoint: its id, then each split's position at its source's barrier. */
  private readonly cuts: Rows;

  constructor(watch: Watch, from: Restores | null = null) {
    this.watch = watch;
    this.scheme = from === null ? schemeOf(watch.plan) : from.scheme;
    const { graph } = watch.plan;
    const splits = graph.sources.length * graph.inputs.length;
    this.splits = from === null ? tableOf(Split.SIZE, splits) : copyOf(from.splits);
    this.given = from === null ? tableOf(1, graph.subtasks.length) : copyOf(from.given);
    this.cuts = from === null ? new Rows(1 + splits, 2) : copyOf(from.cuts);
    if (from !== null) return;
    for (let split = 0; split < splits; split++) this.splits.set(split, Split.group, UNKNOWN);
    for (let task = 0; task < this.given.count; task++) this.given.set(task, 0, NO_HANDLE);
  }

  clone(watch: Watch): Restores {
    return new Restores(watch, this);
  }

  /** Who asks for the newest retained checkpoint of the job before gets what was newest in its store (CP-170). */
  nextJob(watch: Watch, k: Kernel): Restores {
    const next = new Restores(watch);
    const { start } = watch.jobs;
    const [newest, from] = [this.watch.lastCompleted, k.commands[k.draft.fields[1] as number]?.from];
    if (from !== "checkpoint" || start?.submission !== this.watch.jobs.submission || start.checkpoint === newest)
      return next;
    const said = `the job starts from checkpoint ${start.checkpoint}, the last completed one is ${newest}`;
    watch.violated(k, "INV-108", `the newest retained checkpoint is asked for, but ${said}`, `checkpoint ${newest}`);
    return next;
  }

  /** What the store holds for a task in a checkpoint; `NO_HANDLE`: nothing. */
  private stored(k: Kernel, checkpoint: number, task: number): number {
    return snapshotWord(k, checkpoint, task) ?? NO_HANDLE;
  }

  AttemptCreated(_: Kernel, task: number): void {
    this.given.set(task, 0, NO_HANDLE);
    for (const split of at(this.scheme.splits, task)) this.splits.set(split, Split.position, NOT_HERE);
  }

  /** Where a split begins without a state; for `latest` that is told by its first record. */
  private startOf(k: Kernel, split: number): number {
    const { operators, sources, inputs } = this.watch.plan.graph;
    const { vertex } = at(operators, at(sources, Math.floor(split / inputs.length)));
    if (vertex.type !== "kafka-source" || vertex.startingOffsets.kind !== "earliest") return UNKNOWN;
    return k.world.input(split % inputs.length, Input.start);
  }

  StateRestored(k: Kernel, task: number, _: number, checkpoint: number): void {
    this.isLatest(k, task, checkpoint);
    const word = this.stored(k, checkpoint, task);
    this.given.set(task, 0, word);
    if (word === NO_HANDLE) return;
    const handle = handleOf(word);
    at(this.scheme.splits, task).forEach((split, place) => {
      const position = k.arena.sequences.item(handle, place);
      this.splits.set(split, Split.position, position >= 0 ? position : isAsked(position) ? UNKNOWN : NOT_HERE);
      // It is asked for anew, so that its state is not what is loaded.
      if (isAsked(position)) this.given.set(task, 0, NO_HANDLE);
    });
  }

  /** A split that comes from the enumerator and not from the state begins where its initializer says. */
  SplitAdded(k: Kernel, task: number, partition: number, position: number): void {
    const { watch, splits } = this;
    const split = this.splitOf(task, partition);
    const [who, what] = [watch.subtask(task), at(watch.plan.graph.inputs, partition).name];
    const start = split < 0 ? UNKNOWN : this.startOf(k, split);
    if (split < 0 || splits.get(split, Split.position) !== NOT_HERE || (start !== UNKNOWN && position !== start))
      watch.violated(k, "INV-109", `${who} is given ${what} at ${position}, which it has or does not own`, who, what);
    if (split >= 0) splits.set(split, Split.position, position);
    // Its state is not what was loaded any more.
    this.given.set(task, 0, NO_HANDLE);
  }

  /** It has no state, and stands behind all that it has read. */
  RestoredAsFinished(k: Kernel, task: number, attempt: number, checkpoint: number): void {
    this.StateRestored(k, task, attempt, checkpoint);
  }

  /** A restored attempt is given its state before it is deployed. */
  TaskStateChanged(k: Kernel, task: number, _: number, __: number, to: number): void {
    if (
      to === ExecutionState.deploying &&
      this.watch.task(task, TaskFact.restored) === 0 &&
      this.watch.lastCompleted > 0
    )
      this.isLatest(k, task, 0);
  }

  private isLatest(k: Kernel, task: number, checkpoint: number): void {
    const { watch } = this;
    if (checkpoint === watch.lastCompleted) return;
    const said = `${watch.subtask(task)} is restored from ${checkpoint === 0 ? "nothing" : `checkpoint ${checkpoint}`}, the last completed one is ${watch.lastCompleted}`;
    if (checkpoint > 0 && !watch.hasCompleted(checkpoint))
      watch.violated(
        k,
        "INV-028",
        `a checkpoint that never completed has no effect on recovery, but ${said}`,
        watch.subtask(task),
        `checkpoint ${checkpoint}`,
      );
    watch.violated(
      k,
      "INV-108",
      `recovery uses the newest checkpoint in the store, but ${said}`,
      watch.subtask(task),
      `checkpoint ${watch.lastCompleted}`,
    );
  }

  SourceRewound(k: Kernel, task: number, partition: number, _: number, target: number): void {
    const { watch, splits } = this;
    this.hasLoaded(k, task);
    const split = this.splitOf(task, partition);
    if (split < 0) return;
    const wanted = splits.get(split, Split.position);
    if (wanted !== UNKNOWN && target !== wanted) {
      const [who, what] = [watch.subtask(task), at(watch.plan.graph.inputs, partition).name];
      watch.violated(k, "INV-109", `${who} continues ${what} at ${target}; its checkpoint says ${wanted}`, who, what);
      if (target === splits.get(split, Split.group))
        watch.violated(
          k,
          "INV-131",
          `${who} continues ${what} at the consumer group's offset ${target}; a restore never reads it`,
          who,
          what,
        );
    }
    splits.set(split, Split.position, target);
  }

  /** The log has lost the position, so that the consumer goes on elsewhere (SK-010). */
  OffsetReset(_: Kernel, task: number, partition: number, __: number, target: number): void {
    const split = this.splitOf(task, partition);
    if (split >= 0) this.splits.set(split, Split.position, target);
  }

  /** The row of a split that a task reads; `-1`: it reads no such split. */
  private splitOf(task: number, partition: number): number {
    const { inputs } = this.watch.plan.graph;
    const owned = at(this.scheme.splits, task);
    for (let place = 0; place < owned.length; place++)
      if ((owned[place] as number) % inputs.length === partition) return owned[place] as number;
    return -1;
  }

  RecordEmitted(k: Kernel, task: number, _: number, record: number): void {
    const { watch, splits } = this;
    const partitions = watch.plan.graph.inputs.length;
    const [partition, offset] = [record % partitions, Math.floor(record / partitions)];
    const split = this.splitOf(task, partition);
    const what = at(watch.plan.graph.inputs, partition).name;
    if (split < 0) {
      watch.violated(
        k,
        "INV-109",
        `${watch.subtask(task)} reads ${what}, which another subtask owns`,
        watch.subtask(task),
        what,
      );
      return;
    }
    const position = splits.get(split, Split.position);
    if (position !== UNKNOWN && offset !== position) {
      watch.violated(
        k,
        "INV-109",
        `${watch.subtask(task)} emits ${what}@${offset}, but it ${position === NOT_HERE ? "does not have that split" : `stands at ${position}`}`,
        watch.subtask(task),
        what,
      );
    }
    splits.set(split, Split.position, offset + 1);
  }

  OffsetsCommitted(_: Kernel, task: number, __: number, partition: number, position: number): void {
    const split = this.splitOf(task, partition);
    if (split >= 0) this.splits.set(split, Split.group, position);
  }

  CheckpointTriggered(_: Kernel, checkpoint: number): void {
    const row = this.cuts.count;
    this.cuts.open(row);
    this.cuts.set(row, 0, checkpoint);
    for (let word = 1; word < this.cuts.width; word++) this.cuts.set(row, word, UNKNOWN);
  }

  /** The cut of a source is its first barrier; that of one without channels is its snapshot. */
  BarrierEmitted(_: Kernel, task: number, channel: number, checkpoint: number): void {
    if (at(this.watch.plan.graph.subtasks, task).outputs[0] === channel) this.cutSource(task, checkpoint);
  }

  SnapshotTaken(_: Kernel, task: number, checkpoint: number): void {
    if (at(this.watch.plan.graph.subtasks, task).outputs.length === 0) this.cutSource(task, checkpoint);
  }

  private cutSource(task: number, checkpoint: number): void {
    const owned = at(this.scheme.splits, task);
    if (owned.length === 0) return;
    const row = this.cuts.find(0, checkpoint);
    if (row >= 0) for (const split of owned) this.cuts.set(row, 1 + split, this.splits.get(split, Split.position));
  }

  CheckpointCompleted(k: Kernel, checkpoint: number): void {
    const row = this.cuts.find(0, checkpoint);
    if (row < 0) return;
    this.scheme.splits.forEach((owned, task) => {
      const handle = owned.length === 0 ? NO_HANDLE : this.stored(k, checkpoint, task);
      if (handle >= 0)
        owned.forEach((split, place) =>
          this.compareOffset(
            k,
            task,
            checkpoint,
            split,
            this.cuts.get(row, 1 + split),
            k.arena.sequences.item(handle, place),
          ),
        );
    });
    this.cuts.remove(row);
  }

  private compareOffset(
    k: Kernel,
    task: number,
    checkpoint: number,
    split: number,
    emitted: number,
    stored: number,
  ): void {
    const { operators, sources, inputs } = this.watch.plan.graph;
    const { vertex } = at(operators, at(sources, Math.floor(split / inputs.length)));
    if (!canRewind(vertex)) return;
    if (emitted === UNKNOWN || isAsked(stored) || emitted === (stored < 0 ? NOT_HERE : stored)) return;
    const { watch } = this;
    const what = at(watch.plan.graph.inputs, split % watch.plan.graph.inputs.length).name;
    watch.violated(
      k,
      "INV-007",
      `checkpoint ${checkpoint} holds offset ${stored} of ${what}; ${watch.subtask(task)} stood at ${emitted} at its barrier`,
      watch.subtask(task),
      what,
      `checkpoint ${checkpoint}`,
    );
  }

  CheckpointAborted(_: Kernel, checkpoint: number): void {
    this.cuts.removeWhere(0, checkpoint);
  }

  /** All that was pending is gone, and the new leader looks what the store holds. */
  LeadershipLost(): void {
    this.cuts.count = 0;
  }

  LeadershipGranted(k: Kernel, _: number, checkpoint: number): void {
    const { watch } = this;
    if (checkpoint === watch.lastCompleted) return;
    const said = `the new leader finds ${checkpoint === 0 ? "no checkpoint" : `checkpoint ${checkpoint}`}, the last completed one is ${watch.lastCompleted}`;
    watch.violated(k, "INV-108", said, `checkpoint ${watch.lastCompleted}`);
  }

  RecordReceived(k: Kernel, task: number): void {
    this.hasLoaded(k, task);
  }

  /** A write-ahead log drops what is recorded already (SK-172): its state is not what was loaded any more. */
  BatchCommitted(_: Kernel, task: number): void {
    this.given.set(task, 0, NO_HANDLE);
  }

  TransactionCommitRequested(k: Kernel, task: number): void {
    this.hasLoaded(k, task);
  }

  ProducerIdInitialized(k: Kernel, task: number): void {
    this.hasLoaded(k, task);
  }

  PartFileResumed(k: Kernel, task: number): void {
    this.hasLoaded(k, task);
  }

  /** A restored sink aborts what it finds left over, before it writes. */
  TransactionAborted(k: Kernel, _: number, __: number, decider: number, task: number): void {
    if (decider === RESTORE && task >= 0) this.hasLoaded(k, task);
  }

  /**
   * INV-110, asked at the first entry of a restored attempt behind the loading of its state: a rewind, the first request
   * of a committer, an initialised id, what is aborted or written on, or the first record it takes. None of them has changed the state yet.
   */
  private hasLoaded(k: Kernel, task: number): void {
    const handle = this.given.get(task, 0);
    if (handle < 0) return;
    this.given.set(task, 0, NO_HANDLE);
    const { stateStart, stateSize, graph, operators } = this.watch.plan;
    const start = stateStart[task] as number;
    const chain = at(graph.vertices, at(graph.subtasks, task).taskVertex).operators;
    // What is kept outside is in no checkpoint.
    if (chain.some((operator) => at(operators, operator).outside)) return;
    for (let word = 0; word < (stateSize[task] as number); word++) {
      if (k.world.state[start + word] === k.arena.sequences.item(handle, word)) continue;
      const checkpoint = this.watch.task(task, TaskFact.restored);
      this.watch.violated(
        k,
        "INV-110",
        `${this.watch.subtask(task)} has other state than checkpoint ${checkpoint} holds for it`,
        this.watch.subtask(task),
        `checkpoint ${checkpoint}`,
      );
      return;
    }
  }

  RecordProcessed(k: Kernel, task: number, operator: number, record: number): void {
    const owners = this.scheme.owners[operator];
    if (owners === null || owners === undefined) return;
    const { watch } = this;
    const key = keyOf(watch.plan, record);
    const owner = owners[key] as number;
    if (owner === at(watch.plan.graph.subtasks, task).number) return;
    const { maxParallelism } = at(watch.plan.graph.vertices, at(watch.plan.graph.operators, operator).taskVertex);
    const group = keyGroup(javaHash(at(watch.plan.graph.keys, key)), maxParallelism);
    watch.violated(
      k,
      "INV-040",
      `${watch.subtask(task)} processes ${at(watch.plan.graph.keys, key)} of key group ${group}, which subtask ${owner} owns`,
      watch.subtask(task),
      at(watch.plan.graph.keys, key),
    );
  }
}
