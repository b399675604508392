/**
 * All that changes during a run, small and flat: a few arrays of numbers behind named accessors. A clone is a handful of
 * memory copies and a fingerprint a hash of the numbers. Nothing here refers to an object; what only grows lies in the
 * arena and is held by handle. What decides what happens next comes first; then moments on the simulated clock, of which
 * only those of the job decide anything; then clock, step and order.
 */
import { assert } from "../base/assert.ts";
import { mix } from "../base/hash.ts";
import * as Columns from "./layout.ts";
import type { Layout } from "./places.ts";
import { Rows, widened } from "./rows.ts";

export class World {
  readonly layout: Layout;
  private readonly core: Int32Array<ArrayBuffer>;
  private readonly times: number;
  private readonly header: number;
  /** Operator state, one region a subtask (`plan.stateStart`). */
  readonly state: Int32Array<ArrayBuffer>;
  private readonly tables: Rows[] = [];
  readonly agenda = this.table(Columns.Due.SIZE, 0);
  readonly mails = this.table(Columns.Mail.SIZE, Columns.Mail.cause);
  readonly transactions = this.table(Columns.Txn.SIZE, Columns.Txn.start);
  readonly ongoing = this.table(Columns.Ongoing.SIZE);
  readonly lostRpcs = this.table(Columns.LostRpc.SIZE);
  readonly plans = this.table(Columns.RestartPlan.SIZE);
  readonly armed = this.table(Columns.Armed.SIZE);
  readonly cuts = this.table(Columns.Cut.SIZE, Columns.Cut.since);
  readonly held = this.table(Columns.Due.SIZE, Columns.Due.cause);
  readonly files = this.table(Columns.File.SIZE);
  readonly manifests = this.table(Columns.Manifest.SIZE);
  readonly readerOffsets = this.table(Columns.ReaderOffsets.SIZE);
  readonly tracked = this.table(Columns.Tracked.SIZE, Columns.Tracked.triggered);
  readonly captures = this.table(Columns.Capture.SIZE, Columns.Capture.began);
  readonly gates = this.table(Columns.Gate.SIZE);
  readonly operatorEvents = this.table(Columns.OperatorEvent.SIZE);
  readonly shelf = this.table(Columns.Shelf.SIZE);
  readonly rates = this.table(Columns.Rate.SIZE);
  readonly omitted = this.table(Columns.Omitted.SIZE);
  readonly recorded = this.table(Columns.BatchRecord.SIZE);
  readonly tableSnapshots = this.table(Columns.TableSnapshot.SIZE);
  readonly groupOffsets = this.table(Columns.GroupOffset.SIZE);
  readonly cutParts = this.table(Columns.CutPart.SIZE, Columns.CutPart.behind);
  readonly cutChannels = this.table(Columns.CutChannel.SIZE);
  readonly savepoints: Rows;
  private queues: Int32Array<ArrayBuffer>;
  /** Elements a channel has room for; grows where events pile up. */
  private room: number;
  /** Memory that tables begin in. */
  private readonly spare: Int32Array<ArrayBuffer>;

  /** `rows` are the words that its tables begin with: memory is asked for once, which is most of what a clone costs. */
  constructor(layout: Layout, stateWords: number, channels: number, room: number, rows = 0) {
    this.layout = layout;
    this.savepoints = this.table(Columns.Savepoint.SIZE + layout.pendingSize - Columns.Pending.SIZE);
    const state = layout.size;
    const queues = state + stateWords;
    const tables = queues + channels * room * Columns.Element.SIZE;
    const words = new Int32Array(tables + rows);
    this.core = words.subarray(0, state);
    this.times = layout.coreSize;
    this.header = layout.size - Columns.Header.SIZE;
    this.state = words.subarray(state, queues);
    this.room = room;
    this.queues = words.subarray(queues, tables);
    this.spare = words.subarray(tables);
  }

  private table(width: number, deciding = width): Rows {
    return this.tables[this.tables.push(new Rows(width, 0, deciding)) - 1] as Rows;
  }

  get taskManagers(): number {
    return (this.layout.slot - this.layout.taskManager) / Columns.TaskManager.SIZE;
  }

  get clock(): number {
    return this.core[this.header + Columns.Header.clock] as number;
  }

  set clock(time: number) {
    this.core[this.header + Columns.Header.clock] = time;
  }

  /** Number of entries so far: the step of the next one. */
  get step(): number {
    return this.core[this.header + Columns.Header.step] as number;
  }

  set step(step: number) {
    this.core[this.header + Columns.Header.step] = step;
  }

  /** Goes on where another stands: its clock, its steps, its order of creation. */
  continueFrom({ core, header }: World): void {
    for (let i = 0; i < Columns.Header.SIZE; i++) this.core[this.header + i] = core[header + i] as number;
  }

  /** Takes over what the log, TaskManagers and faults are like: the same places in the worlds of all of a run's jobs. */
  takeOutside(other: World): void {
    const { layout, core } = this;
    const spans = [
      [layout.output, other.layout.output, other.layout.taskManager],
      [layout.taskManager, other.layout.taskManager, other.layout.slot],
      [layout.fault, other.layout.fault, other.layout.input],
      [layout.input, other.layout.input, other.layout.split],
    ] as const;
    for (const [to, from, end] of spans) core.set(other.core.subarray(from, end), to);
  }

  /** Breaks ties at one time by order of creation. */
  nextOrder(): number {
    return (this.core[this.header + Columns.Header.order] =
      (this.core[this.header + Columns.Header.order] as number) + 1);
  }

  job(field: number): number {
    return this.core[field] as number;
  }

  setJob(field: number, value: number): void {
    this.core[field] = value;
  }

  addJob(field: number, by: number): void {
    this.core[field] = (this.core[field] as number) + by;
  }

  task(task: number, field: number): number {
    return this.core[this.layout.task + task * Columns.Task.SIZE + field] as number;
  }

  setTask(task: number, field: number, value: number): void {
    this.core[this.layout.task + task * Columns.Task.SIZE + field] = value;
  }

  channel(channel: number, field: number): number {
    return this.core[this.layout.channel + channel * Columns.Channel.SIZE + field] as number;
  }

  setChannel(channel: number, field: number, value: number): void {
    this.core[this.layout.channel + channel * Columns.Channel.SIZE + field] = value;
  }

  writer(writer: number, field: number): number {
    return this.core[this.layout.writer + writer * Columns.Writer.SIZE + field] as number;
  }

  setWriter(writer: number, field: number, value: number): void {
    this.core[this.layout.writer + writer * Columns.Writer.SIZE + field] = value;
  }

  output(partition: number, field: number): number {
    return this.core[this.layout.output + partition * Columns.OutputPartition.SIZE + field] as number;
  }

  setOutput(partition: number, field: number, value: number): void {
    this.core[this.layout.output + partition * Columns.OutputPartition.SIZE + field] = value;
  }

  taskManager(taskManager: number, field: number): number {
    return this.core[this.layout.taskManager + taskManager * Columns.TaskManager.SIZE + field] as number;
  }

  setTaskManager(taskManager: number, field: number, value: number): void {
    this.core[this.layout.taskManager + taskManager * Columns.TaskManager.SIZE + field] = value;
  }

  /** The TaskManager that a slot is on; `-1`: none. */
  slot(slot: number): number {
    return this.core[this.layout.slot + slot] as number;
  }

  setSlot(slot: number, taskManager: number): void {
    this.core[this.layout.slot + slot] = taskManager;
  }

  roundRobin(task: number, edge: number): number {
    return this.core[this.layout.roundRobin + task * this.layout.edges + edge] as number;
  }

  setRoundRobin(task: number, edge: number, value: number): void {
    this.core[this.layout.roundRobin + task * this.layout.edges + edge] = value;
  }

  /** One of the columns of `Fault`. */
  fault(fault: number, field: number): number {
    return this.core[this.layout.fault + fault * Columns.Fault.SIZE + field] as number;
  }

  setFault(fault: number, field: number, value: number): void {
    this.core[this.layout.fault + fault * Columns.Fault.SIZE + field] = value;
  }

  input(partition: number, field: number): number {
    return this.core[this.layout.input + partition * Columns.Input.SIZE + field] as number;
  }

  setInput(partition: number, field: number, value: number): void {
    this.core[this.layout.input + partition * Columns.Input.SIZE + field] = value;
  }

  /** With whom a split is (`Split`), by its source's place among sources. */
  split(source: number, partition: number): number {
    return this.core[this.layout.split + source * this.layout.inputs + partition] as number;
  }

  setSplit(source: number, partition: number, value: number): void {
    this.core[this.layout.split + source * this.layout.inputs + partition] = value;
  }

  /** Did its enumerator find a split behind its first look? Then it is read from its beginning (SK-007). */
  isLate(source: number, partition: number): boolean {
    return this.core[this.layout.late + source * this.layout.inputs + partition] === 1;
  }

  setLate(source: number, partition: number, late: boolean): void {
    this.core[this.layout.late + source * this.layout.inputs + partition] = late ? 1 : 0;
  }

  jobTime(field: number): number {
    return this.core[this.times + field] as number;
  }

  setJobTime(field: number, time: number): void {
    this.core[this.times + field] = time;
  }

  taskTime(task: number, field: number): number {
    return this.core[this.times + Columns.JobTime.SIZE + task * Columns.TaskTime.SIZE + field] as number;
  }

  setTaskTime(task: number, field: number, time: number): void {
    this.core[this.times + Columns.JobTime.SIZE + task * Columns.TaskTime.SIZE + field] = time;
  }

  pending(row: number, field: number): number {
    return this.core[this.layout.pending + row * this.layout.pendingSize + field] as number;
  }

  setPending(row: number, field: number, value: number): void {
    this.core[this.layout.pending + row * this.layout.pendingSize + field] = value;
  }

  completed(row: number, field: number): number {
    return this.core[this.layout.completed + row * this.layout.pendingSize + field] as number;
  }

  addPending(id: number): void {
    const row = this.job(Columns.Job.pending);
    assert(row < this.layout.pendingRows, "no room for another pending checkpoint");
    for (let i = 0; i < this.layout.pendingSize; i++) this.setPending(row, i, i < Columns.Pending.SIZE ? 0 : -1);
    this.setPending(row, Columns.Pending.id, id);
    this.setJob(Columns.Job.pending, row + 1);
  }

  pendingRow(id: number): number {
    const count = this.job(Columns.Job.pending);
    for (let row = 0; row < count; row++) if (this.pending(row, Columns.Pending.id) === id) return row;
    return -1;
  }

  removePending(row: number): void {
    const { pending, pendingSize } = this.layout;
    const count = this.job(Columns.Job.pending);
    this.core.copyWithin(pending + row * pendingSize, pending + (row + 1) * pendingSize, pending + count * pendingSize);
    this.setJob(Columns.Job.pending, count - 1);
  }

  /** Puts a pending checkpoint behind the completed ones. */
  storePending(row: number): void {
    const { pending, completed, pendingSize } = this.layout;
    const count = this.job(Columns.Job.completed);
    const from = pending + row * pendingSize;
    this.core.copyWithin(completed + count * pendingSize, from, from + pendingSize);
    this.setJob(Columns.Job.completed, count + 1);
  }

  removeOldestCompleted(): void {
    const { completed, pendingSize } = this.layout;
    const count = this.job(Columns.Job.completed);
    this.core.copyWithin(completed, completed + pendingSize, completed + count * pendingSize);
    this.setJob(Columns.Job.completed, count - 1);
  }

  element(channel: number, index: number, field: number): number {
    return this.queues[(channel * this.room + index) * Columns.Element.SIZE + field] as number;
  }

  enqueue(channel: number, kind: number, id: number, value: number, arrival: number, step: number): void {
    const length = this.channel(channel, Columns.Channel.length);
    if (length === this.room) this.widen();
    const at = (channel * this.room + length) * Columns.Element.SIZE;
    const { queues } = this;
    queues[at + Columns.Element.kind] = kind;
    queues[at + Columns.Element.id] = id;
    queues[at + Columns.Element.value] = value;
    queues[at + Columns.Element.arrival] = arrival;
    queues[at + Columns.Element.step] = step;
    this.setChannel(channel, Columns.Channel.length, length + 1);
    if (kind !== Columns.ElementKind.record) return;
    this.setChannel(channel, Columns.Channel.records, this.channel(channel, Columns.Channel.records) + 1);
    this.addJob(Columns.Job.recordsInChannels, 1);
  }

  setElement(channel: number, index: number, field: number, value: number): void {
    this.queues[(channel * this.room + index) * Columns.Element.SIZE + field] = value;
  }

  /** Moves the element at `from` ahead of the one at `to`, which is before it. */
  advanceElement(channel: number, from: number, to: number): void {
    const start = channel * this.room * Columns.Element.SIZE;
    const moved = this.queues.slice(start + from * Columns.Element.SIZE, start + (from + 1) * Columns.Element.SIZE);
    this.queues.copyWithin(
      start + (to + 1) * Columns.Element.SIZE,
      start + to * Columns.Element.SIZE,
      start + from * Columns.Element.SIZE,
    );
    this.queues.set(moved, start + to * Columns.Element.SIZE);
  }

  /** Takes the head of a channel away, or a barrier behind it. */
  dequeue(channel: number, index = 0): void {
    const start = channel * this.room * Columns.Element.SIZE;
    const at = start + index * Columns.Element.SIZE;
    const length = this.channel(channel, Columns.Channel.length);
    if (this.queues[at] === Columns.ElementKind.record) {
      this.setChannel(channel, Columns.Channel.records, this.channel(channel, Columns.Channel.records) - 1);
      this.addJob(Columns.Job.recordsInChannels, -1);
    }
    this.queues.copyWithin(at, at + Columns.Element.SIZE, start + length * Columns.Element.SIZE);
    this.setChannel(channel, Columns.Channel.length, length - 1);
  }

  clearChannel(channel: number): void {
    this.addJob(Columns.Job.recordsInChannels, -this.channel(channel, Columns.Channel.records));
    for (let field = 0; field < Columns.Channel.SIZE; field++)
      if (field !== Columns.Channel.slow) this.setChannel(channel, field, 0);
  }

  private widen(): void {
    this.queues = widened(this.queues, this.room * Columns.Element.SIZE);
    this.room *= 2;
  }

  clone(): World {
    const channels = this.queues.length / (this.room * Columns.Element.SIZE);
    let rows = 0;
    for (const table of this.tables) rows += table.length;
    const clone = new World(this.layout, this.state.length, channels, this.room, rows);
    let used = 0;
    for (let i = 0; i < this.tables.length; i++) {
      const { length } = this.tables[i] as Rows;
      if (length > 0) (clone.tables[i] as Rows).beginIn(clone.spare.subarray(used, (used += length)));
    }
    clone.copyFrom(this);
    return clone;
  }

  /** Makes this world the other one, without allocating where it has room. */
  copyFrom(other: World): void {
    this.core.set(other.core);
    this.state.set(other.state);
    if (this.queues.length !== other.queues.length) this.queues = new Int32Array(other.queues.length);
    this.queues.set(other.queues);
    this.room = other.room;
    for (let i = 0; i < this.tables.length; i++) (this.tables[i] as Rows).copyFrom(other.tables[i] as Rows);
  }

  /** A hash of all that decides the future; clock, step, causes and measurements are left out. */
  fingerprint(seed: number): number {
    let hash = seed;
    const { state, clock } = this;
    for (let i = 0; i < this.times; i++) hash = mix(hash, this.core[i] as number);
    for (let i = 0; i < state.length; i++) hash = mix(hash, state[i] as number);
    for (let i = 0; i < Columns.JobTime.SIZE; i++) hash = mix(hash, this.jobTime(i) - clock);
    hash = this.mixQueues(hash);
    for (let row = 0; row < this.agenda.count; row++) {
      hash = mix(hash, this.agenda.get(row, Columns.Due.time) - clock);
      for (let column: number = Columns.Due.op; column < Columns.Due.cause; column++)
        hash = mix(hash, this.agenda.get(row, column));
    }
    for (const table of this.tables) hash = table.mixInto(hash);
    return hash;
  }

  private mixQueues(hash: number): number {
    const channels = this.queues.length / (this.room * Columns.Element.SIZE);
    let mixed = hash;
    for (let channel = 0; channel < channels; channel++) {
      const length = this.channel(channel, Columns.Channel.length);
      for (let i = 0; i < length; i++) {
        for (const field of [Columns.Element.kind, Columns.Element.id, Columns.Element.value])
          mixed = mix(mixed, this.element(channel, i, field));
        mixed = mix(mixed, Math.max(0, this.element(channel, i, Columns.Element.arrival) - this.clock));
      }
    }
    return mixed;
  }
}
