/** How a thread spends its time, as far as `loads.ts` writes it down. */

export const loadKinds = ["busy", "backpressured", "idle"] as const;
export type LoadKind = (typeof loadKinds)[number];

export interface LoadView {
  /** What it does now, and since when; `null`: it does not run. */
  kind: LoadKind | null;
  since: number;
  /** When it does something else without an entry that says so, and what; infinite: never. */
  until: number;
  after: LoadKind;
  /** Milliseconds by bucket of time and kind, in turn: the buckets of one window. */
  spent: Float64Array;
}
