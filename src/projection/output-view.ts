/** What a sink has written, where it is kept (a part of `views.ts`). */

/** One partition of a sink's topic. */
export interface OutputView {
  /** Offsets below it are there: the high watermark. The cells are `Shared.cells`. */
  length: number;
  /** Committed readers may read below it (KF-030). */
  lastStableOffset: number;
  /** Transactions under way on it and their first offsets: what holds the last stable offset. */
  ongoing: readonly { readonly transaction: number; readonly first: number }[];
}

/** What is at one offset. A value. */
export interface CellView {
  /**
   * A truncation cuts a part file back: the records of it that are still there number `value`. `background`: another producer's record.
   */
  readonly kind: "record" | "commit-marker" | "abort-marker" | "truncation" | "background";
  readonly record: number;
  readonly value: number;
  /** Place in `transactions`; `-1`: written outside of one. */
  readonly transaction: number;
  /** How many records of its transaction are before it. */
  readonly place: number;
  /** The sink (`ExecutionGraph.identities`); `-1` for a marker, and for what no sink wrote. */
  readonly operator: number;
  readonly pass: number;
}
