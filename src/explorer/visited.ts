/** A set of 64-bit fingerprints: open addressing in one growing array. */
export class Visited {
  size = 0;
  private table = new Int32Array(1 << 15);

  /** False: it was there already. */
  add(high: number, low: number): boolean {
    // Two zeros mark a free place.
    const key = high === 0 && low === 0 ? 1 : low;
    const at = this.placeOf(this.table, high, key);
    if (this.table[at] === high && this.table[at + 1] === key && (high !== 0 || key !== 0)) return false;
    this.table[at] = high;
    this.table[at + 1] = key;
    this.size++;
    if (this.size * 4 > this.table.length) this.grow();
    return true;
  }

  /** Where a fingerprint lies, or the free place where it belongs. */
  private placeOf(table: Int32Array, high: number, low: number): number {
    const last = table.length - 2;
    let at = (low << 1) & last;
    while (!(table[at] === 0 && table[at + 1] === 0) && !(table[at] === high && table[at + 1] === low))
      at = (at + 2) & last;
    return at;
  }

  private grow(): void {
    const old = this.table;
    const table = new Int32Array(old.length * 2);
    for (let from = 0; from < old.length; from += 2) {
      const [high, low] = [old[from] as number, old[from + 1] as number];
      if (high === 0 && low === 0) continue;
      const at = this.placeOf(table, high, low);
      table[at] = high;
      table[at + 1] = low;
    }
    this.table = table;
  }
}
