/** What became of each input record, in a byte: most of a long run's records have the same fate, and nobody lists them. */

export const LOST = 1;
export const DUPLICATED = 2;
export const PENDING = 3;
export const UNPROCESSED = 4;

const numbers = { lost: LOST, duplicated: DUPLICATED, pending: PENDING, unprocessed: UNPROCESSED } as const;
export type FateName = keyof typeof numbers;
type Fate = (typeof numbers)[FateName];
/** By their numbers, from 1. */
export const fateNames = Object.keys(numbers) as FateName[];

export class Fates {
  /** By record; 0: it is as it should be. */
  private readonly bytes: Uint8Array;
  private readonly counts = new Int32Array(fateNames.length + 1);

  constructor(records: number) {
    this.bytes = new Uint8Array(records);
  }

  /** Each record at most once. */
  note(record: number, fate: Fate): void {
    this.bytes[record] = fate;
    this.counts[fate] = (this.counts[fate] as number) + 1;
  }

  /** `null`: it is as it should be. */
  of(record: number): FateName | null {
    return fateNames[(this.bytes[record] ?? 0) - 1] ?? null;
  }

  /** The same as a number; 0: it is as it should be. */
  numberOf(record: number): number {
    return this.bytes[record] ?? 0;
  }

  count(fate: FateName): number {
    return this.counts[numbers[fate]] as number;
  }

  /** Their numbers, in order. */
  list(fate: FateName): readonly number[] {
    const found: number[] = [];
    const count = this.count(fate);
    for (let record = 0; found.length < count; record++) if (this.bytes[record] === numbers[fate]) found.push(record);
    return found;
  }
}
