import { mix } from "../base/hash.ts";

/** Most tables of most worlds are empty; they need no memory of their own. */
const EMPTY = new Int32Array(0);

/** A growable table of whole numbers: rows of a fixed width, in an order that their owner keeps. */
export class Rows {
  readonly width: number;
  /** How many of its columns decide what comes next. */
  private readonly deciding: number;
  count = 0;
  private words: Int32Array<ArrayBuffer>;

  constructor(width: number, capacity = 0, deciding = width) {
    this.width = width;
    this.deciding = deciding;
    this.words = capacity === 0 ? EMPTY : new Int32Array(width * capacity);
  }

  /** Words that its rows take. */
  get length(): number {
    return this.count * this.width;
  }

  /** Uses memory of others' as long as its rows fit there. */
  beginIn(words: Int32Array<ArrayBuffer>): void {
    this.words = words;
  }

  get(row: number, column: number): number {
    return this.words[row * this.width + column] as number;
  }

  set(row: number, column: number, value: number): void {
    this.words[row * this.width + column] = value;
  }

  /** Makes room for a row at `row` and moves those behind it; the new row's words are to be set. */
  open(row: number): void {
    const { width } = this;
    if ((this.count + 1) * width > this.words.length) {
      const larger = new Int32Array(Math.max(this.words.length * 2, width * 8));
      larger.set(this.words);
      this.words = larger;
    }
    if (row < this.count) this.words.copyWithin((row + 1) * width, row * width, this.count * width);
    this.count++;
  }

  push(...values: readonly number[]): void {
    const row = this.count;
    this.open(row);
    for (let i = 0; i < this.width; i++) this.set(row, i, values[i] as number);
  }

  remove(row: number): void {
    const at = row * this.width;
    this.words.copyWithin(at, at + this.width, this.count * this.width);
    this.count--;
  }

  /** The first row whose `column` is `value`, or `-1`. */
  find(column: number, value: number): number {
    for (let row = 0; row < this.count; row++) if (this.get(row, column) === value) return row;
    return -1;
  }

  /** Removes every row whose `column` is `value`. */
  removeWhere(column: number, value: number): void {
    let kept = 0;
    for (let row = 0; row < this.count; row++) {
      if (this.get(row, column) === value) continue;
      if (kept !== row) this.words.copyWithin(kept * this.width, row * this.width, (row + 1) * this.width);
      kept++;
    }
    this.count = kept;
  }

  copyFrom(other: Rows): void {
    const length = other.count * other.width;
    if (this.words.length < length) this.words = new Int32Array(length);
    if (length < 64) {
      for (let i = 0; i < length; i++) this.words[i] = other.words[i] as number;
    } else {
      this.words.set(length === other.words.length ? other.words : other.words.subarray(0, length));
    }
    this.count = other.count;
  }

  /** Mixes the columns that decide into a hash. */
  mixInto(hash: number): number {
    let mixed = mix(hash, this.count);
    for (let row = 0; row < this.count; row++)
      for (let column = 0; column < this.deciding; column++) mixed = mix(mixed, this.get(row, column));
    return mixed;
  }
}

/** The same parts of `size` words, each with as much room again behind it. */
export function widened(words: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(words.length * 2);
  for (let from = 0; from < words.length; from += size) wider.set(words.subarray(from, from + size), from * 2);
  return wider;
}
