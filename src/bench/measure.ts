/** Timing in ratios: peers run interleaved in one run, and the medians of several rounds are compared. */

export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly peer: string | null;
  readonly peerValue: number | null;
  readonly ratio: number | null;
  readonly floor: number | null;
  readonly aim: number | null;
  /** Is the floor reached? */
  readonly met: boolean;
}

export interface Bench {
  readonly name: string;
  readonly unit: string;
  readonly floor: number | null;
  readonly aim: number | null;
  /** More is better, as of events a second; else less is, as of microseconds. */
  readonly more: boolean;
  /** One round: its value in the unit. */
  readonly run: () => number;
  readonly peer?: { readonly name: string; readonly run: () => number };
}

/** Rounds that are measured, after one that warms up. */
const ROUNDS = 7;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

export function measure({ name, unit, floor, aim, more, run, peer }: Bench): Row {
  const own: number[] = [];
  const others: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const value = run();
    const other = peer?.run();
    if (round === 0) continue;
    own.push(value);
    if (other !== undefined) others.push(other);
  }
  const value = rounded(median(own));
  const peerValue = others.length === 0 ? null : rounded(median(others));
  const ratio = peerValue === null ? null : rounded(more ? value / peerValue : peerValue / value);
  return {
    name,
    value,
    unit,
    peer: peer?.name ?? null,
    peerValue,
    ratio,
    floor,
    aim,
    met: floor === null || (more ? value >= floor : value <= floor),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
