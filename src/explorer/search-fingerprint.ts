/**
 * A world as the search sees it, in 64 bits: what decides the future whatever is chosen. Left out are the clock, the
 * step, causes and measurements; threads that have nothing to do; what is left over of work that is done; and how rows of
 * the agenda came to lie that nothing orders. Messages enter by their place among those of their pair, timers by their
 * order. Where a decision looks at the clock (the minimum pause, a restart strategy), what it would see enters.
 */
import { finish, mix } from "../base/hash.ts";
import { hasWork, isThread, isTimer, orderedWith } from "../engine/choices.ts";
import type { Kernel } from "../engine/kernel.ts";
import {
  Capture,
  Channel,
  Cut,
  Due,
  Element,
  ElementKind,
  Job,
  JobTime,
  Mail,
  Ongoing,
  OutputPartition,
  Task,
  Tracked,
  Txn,
} from "../engine/layout.ts";
import { Entry, EntryKind } from "../engine/log-broker/partitions.ts";
import { MailKind } from "../engine/mailbox.ts";
import { Op } from "../engine/ops.ts";
import type { World } from "../engine/world.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** Words of the job that only chance, the clock or the end of a run by itself look at. */
const ignoredOfJob: readonly number[] = [
  Job.initialDelayStream,
  Job.jitterStream,
  Job.failureTimes,
  Job.rounds,
  Job.roundKey,
];
/** Words of a task: the order in which inputs take turns, and the work in hand, which only counts while there is any. */
const ignoredOfTask: readonly number[] = [Task.inChannel, Task.record, Task.value, Task.port];

/** The second half of the hash mixes in another way, so that the two do not collide together. */
function other(hash: number, word: number): number {
  const h = Math.imul(hash ^ word, 0x9e3779b1);
  return h ^ (h >>> 15);
}

export class Fingerprint {
  high = 0;
  low = 0;
  private readonly seed: number;
  /** Does anything ask what a group has committed? Else that decides nothing. */
  private readonly readsGroups: boolean;
  private readonly words: Int32Array;
  private readonly pairs: number[] = [];
  /** By the content of a partition: its hash. */
  private readonly logs = new Map<number, [number, number]>();

  constructor({ layout }: World, seed: number, { job }: Scenario) {
    this.seed = seed;
    this.readsGroups = job.vertices.some(
      (vertex) => vertex.type === "kafka-source" && vertex.startingOffsets.kind === "group",
    );
    const words: number[] = [];
    for (let word = 0; word < layout.coreSize; word++) if (!isIgnored(layout, word)) words.push(word);
    this.words = Int32Array.from(words);
  }

  take(k: Kernel): void {
    const { world } = k;
    this.high = mix(0x2545f491, this.seed);
    this.low = other(0x632be5ab, this.seed);
    const { words } = this;
    for (let i = 0; i < words.length; i++) this.add(world.job(words[i] as number));
    for (let i = 0; i < world.state.length; i++) this.add(world.state[i] as number);
    this.addTasks(world);
    this.addCheckpoints(world);
    this.addChannels(world);
    this.addLog(k);
    this.addAgenda(k);
    this.addTables(world);
    this.addClock(k);
    this.high = finish(this.high);
    this.low = finish(this.low);
  }

  private add(word: number): void {
    this.high = mix(this.high, word);
    this.low = other(this.low, word);
  }

  private addTasks(world: World): void {
    for (let task = 0; task < world.layout.tasks; task++) {
      if (world.task(task, Task.busy) === 0) continue;
      this.add(task);
      this.add(world.task(task, Task.record));
      this.add(world.task(task, Task.value));
      this.add(world.task(task, Task.port));
    }
  }

  private addCheckpoints(world: World): void {
    const { pendingSize } = world.layout;
    for (let row = 0; row < world.job(Job.pending); row++)
      for (let field = 0; field < pendingSize; field++) this.add(world.pending(row, field));
    for (let row = 0; row < world.job(Job.completed); row++)
      for (let field = 0; field < pendingSize; field++) this.add(world.completed(row, field));
    if (world.job(Job.uncertain) === 1)
      for (let field = 0; field < pendingSize; field++) this.add(world.job(world.layout.uncertain + field));
  }

  private addChannels(world: World): void {
    const channels = (world.layout.writer - world.layout.channel) / Channel.SIZE;
    for (let channel = 0; channel < channels; channel++) {
      const length = world.channel(channel, Channel.length);
      for (let i = 0; i < length; i++) {
        const kind = world.element(channel, i, Element.kind);
        this.add(kind);
        this.add(world.element(channel, i, Element.id));
        if (kind === ElementKind.record) this.add(world.element(channel, i, Element.value));
        // What goes before all data goes there once it has arrived.
        else if (kind === ElementKind.unaligned || kind === ElementKind.timeoutable)
          this.add(world.element(channel, i, Element.arrival) <= world.clock ? 1 : 0);
      }
    }
  }

  /** What readers of committed records see of the log, or may see yet: what was aborted leaves no trace but its offsets. */
  private addLog({ world, arena, plan }: Kernel): void {
    const { lists, sequences } = arena;
    for (let partition = 0; partition < plan.graph.outputs.length; partition++) {
      const content = world.output(partition, OutputPartition.content);
      let hash = this.logs.get(content);
      if (hash === undefined) {
        const entries = lists.toArray(content);
        const word = (entry: number, field: number): number => sequences.item(entry, field);
        const of = (entry: number): string => `${word(entry, Entry.transaction)}/${word(entry, Entry.epoch)}`;
        const aborted = new Set(
          entries.filter((entry) => word(entry, Entry.kind) === EntryKind.abortMarker).map((entry) => of(entry)),
        );
        hash = [1, 1];
        // Another producer's records decide nothing.
        const counts = (entry: number): boolean =>
          !aborted.has(of(entry)) && !(word(entry, Entry.kind) === EntryKind.record && word(entry, Entry.record) < 0);
        for (const entry of entries) if (counts(entry)) hash = [mix(hash[0], entry), other(hash[1], entry)];
        this.logs.set(content, hash);
      }
      this.high = mix(this.high, hash[0]);
      this.low = other(this.low, hash[1]);
    }
  }

  /** Rows that nothing orders are summed; those of a pair with their place in it, timers with theirs. */
  private addAgenda(k: Kernel): void {
    const { agenda } = k.world;
    const { pairs } = this;
    for (let row = 0; row < agenda.count; row++) pairs[row] = orderedWith(k, row);
    let [high, low, timers] = [0, 0, 0];
    for (let row = agenda.count - 1; row >= 0; row--) {
      const op = agenda.get(row, Due.op);
      if (isThread(op)) continue;
      const place = isTimer(op) ? ++timers : (pairs[row] as number) < 0 ? 0 : this.placeOf(k, row);
      let [h, l] = [mix(op, place), other(op, place)];
      for (let column: number = Due.a; column <= Due.d; column++) {
        // When a checkpoint was triggered is for its report.
        const word = column === Due.d && op === Op.receiveTrigger ? 0 : agenda.get(row, column);
        h = mix(h, word);
        l = other(l, word);
      }
      high = (high + finish(h)) | 0;
      low = (low + finish(l)) | 0;
    }
    this.add(high);
    this.add(low);
    for (let task = 0; task < k.world.layout.tasks; task++) if (isAwake(k, task)) this.add(task);
  }

  private placeOf({ world: { agenda } }: Kernel, row: number): number {
    const { pairs } = this;
    let place = 0;
    for (let before = 0; before < agenda.count; before++)
      if (pairs[before] === pairs[row] && agenda.get(before, Due.order) < agenda.get(row, Due.order)) place++;
    return place;
  }

  private addTables(world: World): void {
    const { mails, transactions, ongoing, readerOffsets, manifests, files, cuts } = world;
    for (let task = 0; task < world.layout.tasks; task++) {
      for (let row = 0; row < mails.count; row++) {
        if (mails.get(row, Mail.task) !== task) continue;
        const kind = mails.get(row, Mail.kind);
        this.add(task);
        this.add(kind);
        this.add(mails.get(row, Mail.checkpoint));
        if (kind !== MailKind.trigger) this.add(mails.get(row, Mail.more));
      }
    }
    this.addUnordered(transactions, Txn.start, Txn.used, Txn.records);
    this.addUnordered(ongoing, Ongoing.first);
    this.addUnordered(readerOffsets);
    this.addUnordered(manifests);
    this.addUnordered(files);
    this.addUnordered(cuts, Cut.since);
    if (this.readsGroups) this.addUnordered(world.groupOffsets);
    this.addUnordered(world.recorded);
    this.addUnordered(world.tableSnapshots);
    this.addOrdered(world.rates, 0, world.rates.width);
    this.addUnordered(world.gates);
    this.addOrdered(world.operatorEvents, 0, world.operatorEvents.width);
    for (const rows of [world.lostRpcs, world.plans, world.armed, world.savepoints, world.shelf])
      this.addOrdered(rows, 0, rows.width);
    this.addOrdered(world.held, Due.op, Due.cause);
    this.addOrdered(world.tracked, 0, Tracked.triggered);
    this.addOrdered(world.captures, 0, Capture.began);
  }

  private addOrdered(rows: World["mails"], from: number, to: number): void {
    this.add(rows.count);
    for (let row = 0; row < rows.count; row++)
      for (let column = from; column < to; column++) this.add(rows.get(row, column));
  }

  private addUnordered(rows: World["mails"], ...ignored: readonly number[]): void {
    let [high, low] = [rows.count, 0];
    for (let row = 0; row < rows.count; row++) {
      let [h, l] = [1, 1];
      for (let column = 0; column < rows.width; column++) {
        if (ignored.includes(column)) continue;
        h = mix(h, rows.get(row, column));
        l = other(l, rows.get(row, column));
      }
      high = (high + finish(h)) | 0;
      low = (low + finish(l)) | 0;
    }
    this.add(high);
    this.add(low);
  }

  private addClock({ world, arena, plan }: Kernel): void {
    const { checkpointing, restartStrategy } = plan.scenario.config;
    const { clock } = world;
    if (checkpointing.minPause > 0)
      this.add(Math.max(0, world.jobTime(JobTime.lastCompletion) + checkpointing.minPause - clock));
    if (restartStrategy.type === "exponential-delay")
      this.add(Math.min(restartStrategy.resetThreshold, clock - world.jobTime(JobTime.backoffEnd)));
    if (restartStrategy.type === "failure-rate")
      for (const time of arena.sequences.toArray(world.job(Job.failureTimes)))
        this.add(Math.min(restartStrategy.interval + 1, clock - time));
  }
}

function isIgnored(layout: World["layout"], word: number): boolean {
  if (word < Job.SIZE) return ignoredOfJob.includes(word);
  if (word < layout.channel) return ignoredOfTask.includes((word - layout.task) % Task.SIZE);
  if (word >= layout.output && word < layout.taskManager) return true;
  return word >= layout.pending && word < layout.fault;
}

/** Would this task's thread look for work and find some? */
function isAwake(k: Kernel, task: number): boolean {
  const { agenda } = k.world;
  for (let row = 0; row < agenda.count; row++)
    if (agenda.get(row, Due.a) === task && isThread(agenda.get(row, Due.op))) return hasWork(k, task);
  return false;
}
