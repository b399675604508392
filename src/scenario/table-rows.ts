/**
 * A table that a sink puts rows into by key, as one sees it who reads it again and again (SK-110, SK-111): the last put of
 * a key is its row. A reader sees a row step back when a put brings what was put before the row that is there, with
 * another value: that is a replay.
 */
import type { ExpectedOutput } from "./reference.ts";

interface Row {
  readonly record: number;
  readonly value: number;
}

export class TableRows {
  /** By key. */
  readonly rows = new Map<string, Row>();
  /** How often a row stepped back. */
  regressions = 0;
  /** By record: how many had been put before it was for the first time. */
  private readonly first = new Map<number, number>();

  put(key: string, record: number, value: number): void {
    const place = this.first.get(record) ?? this.first.size;
    this.first.set(record, place);
    const row = this.rows.get(key);
    if (row !== undefined && place < (this.first.get(row.record) ?? 0) && value !== row.value) this.regressions++;
    this.rows.set(key, { record, value });
  }

  /**
   * Records whose row is wrong: it has a value that the job graph does not give this record, nor its key in the end. An
   * aggregate over several inputs takes other ways to the same end, as they come.
   */
  wrong(yielded: readonly ExpectedOutput[]): number[] {
    const allowed = new Map<number, Set<number>>();
    const final = new Map<string, number>();
    for (const { record, key, value } of yielded) {
      const values = allowed.get(record) ?? new Set();
      allowed.set(record, values.add(value));
      final.set(key, value);
    }
    return [...this.rows]
      .filter(([key, { record, value }]) => allowed.get(record)?.has(value) !== true && final.get(key) !== value)
      .map(([, { record }]) => record)
      .sort((a, b) => a - b);
  }
}
