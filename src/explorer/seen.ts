/**
 * Which worlds some run has been in, and what is known of each: 64-bit keys in a flat open table. Two worlds with one key are
 * taken for the same; with 64 bits and a million keys that happens by chance once in about 40 million sweeps.
 */
import { finish } from "../base/hash.ts";

const WIDTH = 3;

export class Seen {
  /** Rows of (low word, high word, value + 1); a value of 0 marks an empty row. */
  private rows = new Int32Array(WIDTH * 1024);
  private count = 0;

  /** What was stored under a key; `-1`: nothing. */
  get(low: number, high: number): number {
    const { rows } = this;
    const mask = rows.length / WIDTH - 1;
    for (let slot = finish(low ^ high) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * WIDTH;
      const value = rows[at + 2] as number;
      if (value === 0) return -1;
      if (rows[at] === low && rows[at + 1] === high) return value - 1;
    }
  }

  /** Stores a value under a key; false: it has one, which stays. */
  add(low: number, high: number, value: number): boolean {
    if (this.get(low, high) >= 0) return false;
    if (this.count * 2 * WIDTH > this.rows.length) this.grow();
    this.put(low, high, value + 1);
    this.count++;
    return true;
  }

  private put(low: number, high: number, stored: number): void {
    const { rows } = this;
    const mask = rows.length / WIDTH - 1;
    let slot = finish(low ^ high) & mask;
    while (rows[slot * WIDTH + 2] !== 0) slot = (slot + 1) & mask;
    rows[slot * WIDTH] = low;
    rows[slot * WIDTH + 1] = high;
    rows[slot * WIDTH + 2] = stored;
  }

  private grow(): void {
    const old = this.rows;
    const capacity = (old.length / WIDTH) * 2;
    this.rows = new Int32Array(WIDTH * capacity);
    for (let at = 0; at < old.length; at += WIDTH) {
      const stored = old[at + 2] as number;
      if (stored !== 0) this.put(old[at] as number, old[at + 1] as number, stored);
    }
  }
}
