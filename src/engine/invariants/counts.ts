/** How often each of many numbers was counted; clones share what none of them has changed since. */
const CHUNK = 256;

export class Counts {
  private readonly chunks: (Uint16Array | undefined)[];
  /** The chunks that no clone shares. */
  private readonly own = new Set<Uint16Array>();

  constructor(chunks: readonly (Uint16Array | undefined)[] = []) {
    this.chunks = [...chunks];
  }

  clone(): Counts {
    this.own.clear();
    return new Counts(this.chunks);
  }

  /** Counts a number once more and returns how often it was. */
  add(number: number): number {
    const place = Math.floor(number / CHUNK);
    let chunk = this.chunks[place];
    if (chunk === undefined || !this.own.has(chunk)) {
      chunk = chunk === undefined ? new Uint16Array(CHUNK) : chunk.slice();
      this.chunks[place] = chunk;
      this.own.add(chunk);
    }
    const count = (chunk[number % CHUNK] as number) + 1;
    chunk[number % CHUNK] = count;
    return count;
  }
}
