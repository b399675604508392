/** What a sink's subtask has in hand (a part of `views.ts`). */

export interface SinkView {
  readonly operator: number;
  /** The transaction that it writes into; `-1`: none. */
  current: number;
  /** The transaction that its committer has asked the log to commit; `-1`: none. */
  committing: number;
  /** Records that are on their way to the log, oldest first. */
  unwritten: UnwrittenView[];
}

export interface UnwrittenView {
  readonly record: number;
  readonly value: number;
  readonly pass: number;
  readonly sentAt: number;
  /** At the latest: a flush sends at once. */
  readonly arrivesAt: number;
}
