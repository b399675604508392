/** One entry with its fields by name, in words where it has words: what the sentences are made from. */
import { at } from "../base/assert.ts";
import { EventNumber, type EventType, eventTypes, type events } from "../protocol/events.ts";
import { recordName, recordOffset, recordPartition, transactionName, ownerOfTransaction } from "../protocol/ids.ts";
import type { StoreKind } from "../protocol/sinks.ts";
import { places } from "./fields.ts";
import type { Facts } from "./facts.ts";
import { type Shared, keyOfRecord } from "./shared.ts";

type FieldOf<T extends EventType> = keyof (typeof events)[T]["fields"] & string;

// `Object.fromEntries` forgets which keys it was given; they are all types there are.
const placesByType = Object.fromEntries(eventTypes.map((type) => [type, places(type)])) as unknown as {
  readonly [T in EventType]: { readonly [field: string]: number };
};

export class Entry<T extends EventType> {
  readonly facts: Facts;
  readonly shared: Shared;
  readonly step: number;
  private readonly type: T;

  constructor(facts: Facts, step: number, type: T) {
    this.facts = facts;
    this.shared = facts.sharedAt(step);
    this.step = step;
    this.type = type;
  }

  get clock(): number {
    return this.facts.log.clock(this.step);
  }

  number(field: FieldOf<T>): number {
    return this.facts.log.field(this.step, fieldPlace(placesByType[this.type], field));
  }

  flag(field: FieldOf<T>): boolean {
    return this.number(field) === 1;
  }

  list(field: FieldOf<T>): readonly number[] {
    return this.facts.log.list(this.step, fieldPlace(placesByType[this.type], field));
  }

  /** The word that a field's number stands for. */
  word<W>(field: FieldOf<T>, list: readonly W[]): W {
    return at(list, this.number(field));
  }

  private named(field: FieldOf<T>, names: (index: number) => string): string | null {
    const index = this.number(field);
    return index < 0 ? null : names(index);
  }

  /** The subtask's name; an entry without one has none to give. */
  task(field: FieldOf<T> = "subtask" as FieldOf<T>): string {
    return this.taskOrNull(field) ?? "";
  }

  taskOrNull(field: FieldOf<T>): string | null {
    return this.named(field, (index) => at(this.shared.graph.subtasks, index).name);
  }

  channel(field: FieldOf<T>): string {
    return this.named(field, (index) => at(this.shared.graph.channels, index).name) ?? "";
  }

  taskManager(field: FieldOf<T>): string | null {
    return this.named(field, (index) => at(this.shared.graph.taskManagers, index));
  }

  input(field: FieldOf<T>): string {
    return this.named(field, (index) => at(this.shared.graph.inputs, index).name) ?? "";
  }

  output(field: FieldOf<T>): string {
    return this.named(field, (index) => at(this.shared.graph.outputs, index).name) ?? "";
  }

  /** What keeps the records of an output. */
  store(field: FieldOf<T>): StoreKind {
    return at(this.shared.graph.outputs, this.number(field)).store;
  }

  uid(field: FieldOf<T>): string | null {
    return this.named(field, (place) => at(this.shared.graph.uids, place));
  }

  operator(field: FieldOf<T>): string {
    return this.named(field, (index) => at(this.shared.graph.operators, index).vertex.uid) ?? "";
  }

  transaction(field: FieldOf<T>): string | null {
    return this.named(field, (index) => transactionName(this.shared.graph, index));
  }

  /** Name, key and pass of the record that the entry is about. */
  record(field: FieldOf<T>): { readonly record: string; readonly key: string; readonly pass: number } {
    const { shared } = this;
    const record = this.number(field);
    const key = shared.graph.keys[keyOfRecord(shared, record)] ?? "";
    return { record: recordName(shared.graph, record), key, pass: passOf(this.facts, this.step) };
  }

  /** Partition and offset of a record. */
  origin(field: FieldOf<T>): { readonly partition: string; readonly offset: number } {
    const { graph } = this.shared;
    const record = this.number(field);
    return { partition: at(graph.inputs, recordPartition(graph, record)).name, offset: recordOffset(graph, record) };
  }

  /** Channels into the entry's subtask. */
  inputs(field: FieldOf<T>): number {
    return at(this.shared.graph.subtasks, this.number(field)).inputs.length;
  }

  /** The subtask whose sink a transactional id belongs to; `null`: none has that number. */
  ownerOf(field: FieldOf<T>): string | null {
    const { graph } = this.shared;
    const subtask = ownerOfTransaction(graph, this.number(field));
    return subtask < 0 ? null : at(graph.subtasks, subtask).name;
  }
}

function fieldPlace(fields: { readonly [field: string]: number }, field: string): number {
  const place = fields[field];
  if (place === undefined) throw new Error(`assertion failed: no field ${field}`);
  return place;
}

/** For how many times the record of an entry was read: told from the source's entry at the root of its causes. */
function passOf(facts: Facts, step: number): number {
  let cause = step;
  while (cause >= 0 && facts.log.type(cause) !== EventNumber.RecordEmitted) cause = facts.log.cause(cause);
  return cause < 0 ? 1 : facts.emissions.passOf(facts.log, cause);
}
