/**
 * The sink's side of the log and what its readers see (INV-119, INV-121, INV-127, INV-129). Offsets and the last stable
 * offset are worked out from the entries and compared with those of the log's partitions.
 *
 * INV-121 holds for exactly-once sinks over replayable sources, deterministic operators and automatic recovery, and from one
 * job to the next as `jobs.ts` says. What the input allows comes from the reference evaluator.
 */
import { at } from "../../base/assert.ts";
import { recordName } from "../../protocol/ids.ts";
import { matchedOperators } from "../../scenario/state-mapping.ts";
import type { Kernel } from "../kernel.ts";
import { OutputPartition } from "../layout.ts";
import { Entry, EntryKind, lastStableOffset } from "../log-broker/partitions.ts";
import { Rows } from "../rows.ts";
import { Counts } from "./counts.ts";
import { allowanceOf } from "./expected.ts";
import { type Subject, type Watch, copyOf, tableOf } from "./watch.ts";

const Partition = { end: 0, stable: 1, SIZE: 2 } as const;
/** A partition's part of a transaction that is under way, and the offset of its first record. */
const Part = { transaction: 0, partition: 1, first: 2, SIZE: 3 } as const;
/** A record in a transaction that is under way. */
const Held = { transaction: 0, operator: 1, record: 2, partition: 3, SIZE: 4 } as const;
/** In the place of a partition: all of them. */
const ANY = -1;

export class Log implements Subject {
  static readonly ids = ["INV-119", "INV-121", "INV-122", "INV-127", "INV-129"] as const;
  private readonly watch: Watch;
  private readonly partitions: Rows;
  private readonly parts: Rows;
  private readonly held: Rows;
  /** By sink: how often each input record is committed. */
  private readonly committed: Counts[];

  constructor(watch: Watch, from: Log | null = null) {
    this.watch = watch;
    this.partitions =
      from === null ? tableOf(Partition.SIZE, watch.plan.graph.outputs.length) : copyOf(from.partitions);
    this.parts = from === null ? new Rows(Part.SIZE, 2) : copyOf(from.parts);
    this.held = from === null ? new Rows(Held.SIZE) : copyOf(from.held);
    this.committed =
      from === null ? watch.plan.graph.sinks.map(() => new Counts()) : from.committed.map((counts) => counts.clone());
  }

  clone(watch: Watch): Log {
    return new Log(watch, this);
  }

  /** What is in the log stays there; what a sink of the next job does not go on with has no sink in it. */
  nextJob(watch: Watch): Log {
    const next = new Log(watch);
    next.partitions.copyFrom(this.partitions);
    next.parts.copyFrom(this.parts);
    const [before, after] = [this.watch.plan.graph, watch.plan.graph];
    const from = matchedOperators(before, after);
    after.sinks.forEach((operator, sink) => {
      const counts = this.committed[before.sinks.indexOf(at(from, operator))];
      if (counts !== undefined) next.committed[sink] = counts.clone();
    });
    for (let row = 0; row < this.held.count; row++) {
      const operator = from.indexOf(this.held.get(row, Held.operator));
      if (operator >= 0)
        next.held.push(this.held.get(row, Held.transaction), operator, this.held.get(row, Held.record));
    }
    return next;
  }

  private name(partition: number): string {
    return at(this.watch.plan.graph.outputs, partition).name;
  }

  RecordWritten(
    k: Kernel,
    _: number,
    operator: number,
    record: number,
    value: number,
    partition: number,
    offset: number,
    transaction: number,
  ): void {
    const { watch, partitions, parts } = this;
    const end = partitions.get(partition, Partition.end);
    if (offset !== end)
      watch.violated(
        k,
        "INV-127",
        `a record is said to be at offset ${offset} of ${this.name(partition)}, whose end is ${end}`,
        this.name(partition),
      );
    if (!holds(k, partition, record, value, transaction)) {
      watch.violated(
        k,
        "INV-127",
        `${recordName(watch.plan.graph, record)} is said to be written to ${this.name(partition)} at ${offset}, but no reader finds it there`,
        this.name(partition),
        recordName(watch.plan.graph, record),
      );
    }
    partitions.set(partition, Partition.end, offset + 1);
    if (transaction >= 0) {
      if (this.partOf(transaction, partition) < 0) parts.push(transaction, partition, offset);
      if (at(watch.plan.operators, operator).sink?.guarantee === "exactly-once")
        this.held.push(transaction, operator, record, partition);
    }
    this.isStable(k, partition);
  }

  BackgroundRecordWritten(k: Kernel, partition: number, offset: number): void {
    const end = this.partitions.get(partition, Partition.end);
    if (offset !== end || !holds(k, partition, -1, 0, -1)) {
      const name = this.name(partition);
      const said = `another producer's record is said to be at offset ${offset} of ${name}, whose end is ${end}`;
      this.watch.violated(k, "INV-127", said, name);
    }
    this.partitions.set(partition, Partition.end, offset + 1);
    this.isStable(k, partition);
  }

  private partOf(transaction: number, partition: number): number {
    for (let row = this.parts.count - 1; row >= 0; row--) {
      if (this.parts.get(row, Part.transaction) === transaction && this.parts.get(row, Part.partition) === partition)
        return row;
    }
    return -1;
  }

  /** INV-129: the last stable offset is where the first transaction under way began, it only grows, and the log's end bounds it. */
  private isStable(k: Kernel, partition: number): void {
    const { watch, partitions, parts } = this;
    const end = partitions.get(partition, Partition.end);
    const before = partitions.get(partition, Partition.stable);
    let wanted = end;
    const blocks = at(watch.plan.graph.outputs, partition).store === "log";
    for (let row = 0; row < parts.count; row++)
      if (blocks && parts.get(row, Part.partition) === partition) wanted = Math.min(wanted, parts.get(row, Part.first));
    const stable = lastStableOffset(k, partition);
    const name = this.name(partition);
    if (stable < before)
      watch.violated(k, "INV-129", `the last stable offset of ${name} goes back from ${before} to ${stable}`, name);
    if (stable > k.world.output(partition, OutputPartition.next))
      watch.violated(k, "INV-129", `the last stable offset ${stable} of ${name} is beyond its end`, name);
    if (stable !== wanted)
      watch.violated(
        k,
        "INV-129",
        `committed readers of ${name} get to ${stable}, but its first transaction under way begins at ${wanted}`,
        name,
      );
    partitions.set(partition, Partition.stable, stable);
  }

  TransactionCommitted(k: Kernel, transaction: number, _: number, __: number, ___: number, again: number): void {
    if (again === 0) {
      this.publish(k, transaction, ANY);
      this.end(k, transaction, ANY);
      return;
    }
    for (let partition = 0; partition < this.partitions.count; partition++)
      this.endsWhereItShould(k, transaction, partition);
  }

  /** A part file that is cut back keeps its first records. */
  PartFileResumed(
    _: Kernel,
    __: number,
    transaction: number,
    ___: number,
    partition: number,
    records: number,
    dropped: number,
  ): void {
    const { held, partitions } = this;
    if (dropped > 0) partitions.set(partition, Partition.end, partitions.get(partition, Partition.end) + 1);
    let kept = 0;
    for (let row = 0; row < held.count; row++) {
      if (held.get(row, Held.transaction) !== transaction || ++kept <= records) continue;
      held.remove(row--);
    }
  }

  /** The second phase: on this partition, and there alone, the transaction is over (KF-016). */
  TransactionMarkerWritten(
    k: Kernel,
    transaction: number,
    _: number,
    partition: number,
    __: number,
    commits: number,
  ): void {
    if (commits === 1) this.publish(k, transaction, partition);
    this.end(k, transaction, partition);
  }

  TransactionAborted(k: Kernel, transaction: number): void {
    this.end(k, transaction, ANY);
  }

  TransactionTimedOut(k: Kernel, transaction: number): void {
    this.end(k, transaction, ANY);
  }

  /** INV-121, INV-122: what is committed now, with all that was before, is within what the input allows. */
  private publish(k: Kernel, transaction: number, partition: number): void {
    const { held, watch } = this;
    const { graph, scenario } = watch.plan;
    const allowance = allowanceOf(scenario);
    for (let row = 0; row < held.count; row++) {
      if (held.get(row, Held.transaction) !== transaction) continue;
      if (partition !== ANY && held.get(row, Held.partition) !== partition) continue;
      const sink = graph.sinks.indexOf(held.get(row, Held.operator));
      const record = held.get(row, Held.record);
      const count = at(this.committed, sink).add(record);
      const allowed = at(allowance, sink)[record] ?? 0;
      if (count <= allowed) continue;
      const [sinkName, name] = [at(graph.operators, at(graph.sinks, sink)).vertex.uid, recordName(graph, record)];
      watch.violated(
        k,
        watch.plan.operators[held.get(row, Held.operator)]?.sink?.store === "files" ? "INV-122" : "INV-121",
        `${sinkName} commits ${name} ${count} times, now with ${watch.transaction(transaction)}; the input allows ${allowed}`,
        sinkName,
        name,
        watch.transaction(transaction),
      );
    }
  }

  /** The end of a transaction puts one marker on each partition it wrote to (INV-119), and none where it did not. */
  private end(k: Kernel, transaction: number, only: number): void {
    const { parts, partitions, held } = this;
    const isMeant = (partition: number): boolean => only === ANY || partition === only;
    for (let row = held.count - 1; row >= 0; row--)
      if (held.get(row, Held.transaction) === transaction && isMeant(held.get(row, Held.partition))) held.remove(row);
    for (let row = parts.count - 1; row >= 0; row--) {
      const partition = parts.get(row, Part.partition);
      if (parts.get(row, Part.transaction) !== transaction || !isMeant(partition)) continue;
      parts.remove(row);
      partitions.set(partition, Partition.end, partitions.get(partition, Partition.end) + 1);
      this.endsWhereItShould(k, transaction, partition);
      this.isStable(k, partition);
    }
  }

  private endsWhereItShould(k: Kernel, transaction: number, partition: number): void {
    const wanted = this.partitions.get(partition, Partition.end);
    const end = k.world.output(partition, OutputPartition.next);
    if (end === wanted) return;
    this.watch.violated(
      k,
      "INV-119",
      `ending ${this.watch.transaction(transaction)} leaves one marker on a partition, however often it is asked; ${this.name(partition)} ends at ${end}, not at ${wanted}`,
      this.watch.transaction(transaction),
      this.name(partition),
    );
  }
}

/** Is this record the last entry of the partition, as any reader of uncommitted data finds it? */
function holds(k: Kernel, partition: number, record: number, value: number, transaction: number): boolean {
  const content = k.world.output(partition, OutputPartition.content);
  if (content === 0) return false;
  const entry = k.arena.lists.last(content);
  const word = (field: number): number => k.arena.sequences.item(entry, field);
  return (
    word(Entry.kind) === EntryKind.record &&
    word(Entry.record) === record &&
    word(Entry.value) === value &&
    word(Entry.transaction) === transaction
  );
}
