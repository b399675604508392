/**
 * What only grows: histories of records, entries of the log's partitions, contents of snapshots. All branches of a
 * session share one arena; worlds hold handles. Equal content has the same handle (hash-consing), so worlds that hold
 * equal handles hold equal content, and a fingerprint of the handles is one of the content.
 */
import { assert } from "../base/assert.ts";
import { grown } from "../base/grown.ts";
import { finish, mix } from "../base/hash.ts";

/** Interned sequences of whole numbers. Handle 0 is the empty one. */
class Sequences {
  private data = new Int32Array(256);
  private dataLength = 0;
  private starts = new Int32Array(64);
  private lengths = new Int32Array(64);
  private count = 0;
  private table = new Int32Array(128).fill(-1);

  constructor() {
    this.intern(new Int32Array(0), 0, 0);
  }

  /** The handle of `words[from .. from + length)`. */
  intern(words: Int32Array | readonly number[], from = 0, length = words.length): number {
    let hash = length;
    for (let i = 0; i < length; i++) hash = mix(hash, words[from + i] as number);
    let slot = finish(hash) & (this.table.length - 1);
    for (let known = this.table[slot] as number; known >= 0; known = this.table[slot] as number) {
      if (this.equals(known, words, from, length)) return known;
      slot = (slot + 1) & (this.table.length - 1);
    }
    return this.add(words, from, length, slot);
  }

  private equals(handle: number, words: Int32Array | readonly number[], from: number, length: number): boolean {
    if (this.lengths[handle] !== length) return false;
    const start = this.starts[handle] as number;
    for (let i = 0; i < length; i++) if (this.data[start + i] !== words[from + i]) return false;
    return true;
  }

  private add(words: Int32Array | readonly number[], from: number, length: number, slot: number): number {
    const handle = this.count++;
    if (this.dataLength + length > this.data.length) this.data = grown(this.data, this.dataLength + length);
    if (handle >= this.starts.length) {
      this.starts = grown(this.starts);
      this.lengths = grown(this.lengths);
    }
    for (let i = 0; i < length; i++) this.data[this.dataLength + i] = words[from + i] as number;
    this.starts[handle] = this.dataLength;
    this.lengths[handle] = length;
    this.dataLength += length;
    this.table[slot] = handle;
    if (this.count * 2 > this.table.length) this.rehash();
    return handle;
  }

  private rehash(): void {
    const table = new Int32Array(this.table.length * 2).fill(-1);
    for (let handle = 0; handle < this.count; handle++) {
      const start = this.starts[handle] as number;
      const length = this.lengths[handle] as number;
      let hash = length;
      for (let i = 0; i < length; i++) hash = mix(hash, this.data[start + i] as number);
      let slot = finish(hash) & (table.length - 1);
      while ((table[slot] as number) >= 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = handle;
    }
    this.table = table;
  }

  length(handle: number): number {
    return this.lengths[handle] as number;
  }

  item(handle: number, index: number): number {
    assert(index >= 0 && index < this.length(handle), "no such item");
    return this.data[(this.starts[handle] as number) + index] as number;
  }

  /** Copies a sequence, or its first `length` words. */
  copyInto(handle: number, target: Int32Array, at: number, length = this.length(handle)): void {
    const start = this.starts[handle] as number;
    for (let i = 0; i < length; i++) target[at + i] = this.data[start + i] as number;
  }

  toArray(handle: number): number[] {
    return Array.from({ length: this.length(handle) }, (_, index) => this.item(handle, index));
  }
}

/** Interned lists: a list is its last element and the list before it. Handle 0 is the empty one. */
class Lists {
  private heads = new Int32Array(256);
  private tails = new Int32Array(256);
  private count = 1;
  private table = new Int32Array(512);

  /** The list `tail` with `head` behind it. */
  append(tail: number, head: number): number {
    let slot = finish(mix(mix(7, head), tail)) & (this.table.length - 1);
    for (let known = this.table[slot] as number; known !== 0; known = this.table[slot] as number) {
      if (this.heads[known] === head && this.tails[known] === tail) return known;
      slot = (slot + 1) & (this.table.length - 1);
    }
    const handle = this.count++;
    if (handle >= this.heads.length) {
      this.heads = grown(this.heads);
      this.tails = grown(this.tails);
    }
    this.heads[handle] = head;
    this.tails[handle] = tail;
    this.table[slot] = handle;
    if (this.count * 2 > this.table.length) this.rehash();
    return handle;
  }

  private rehash(): void {
    const table = new Int32Array(this.table.length * 2);
    for (let handle = 1; handle < this.count; handle++) {
      let slot = finish(mix(mix(7, this.heads[handle] as number), this.tails[handle] as number)) & (table.length - 1);
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = handle;
    }
    this.table = table;
  }

  last(handle: number): number {
    return this.heads[handle] as number;
  }

  before(handle: number): number {
    return this.tails[handle] as number;
  }

  /** Its elements, first to last. */
  toArray(handle: number): number[] {
    const items: number[] = [];
    for (let at = handle; at !== 0; at = this.before(at)) items.push(this.last(at));
    return items.reverse();
  }
}

export class Arena {
  /** Contents of snapshots, committables, small sets. */
  readonly sequences = new Sequences();
  /** Which records are in a piece of state; which entries are in a partition. */
  readonly lists = new Lists();
}
