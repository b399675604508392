/** What lies in one partition that sinks write, by offset, in columns of numbers: of a long run there are as many as records. */
import { assert, at } from "../base/assert.ts";
import { grown } from "../base/grown.ts";
import type { CellView } from "./output-view.ts";

const KINDS: readonly CellView["kind"][] = ["record", "commit-marker", "abort-marker", "truncation", "background"];
const KIND_BITS = 3;
const KIND_MASK = 7;
const RECORD_KIND = 0;

/** Kind and pass in one word; the others as in `CellView`. */
const columns = ["head", "record", "value", "transaction", "place", "operator"] as const;
type Column = (typeof columns)[number];

export class OutputCells {
  /** For who goes through them all; the first `length` items of each count. */
  readonly columns = {} as { [C in Column]: Int32Array };
  private count = 0;

  constructor() {
    for (const column of columns) this.columns[column] = new Int32Array(0);
  }

  get length(): number {
    return this.count;
  }

  push(cell: CellView): void {
    const offset = this.count++;
    const put = (column: Column, word: number): void => {
      if (offset === this.columns[column].length) this.columns[column] = grown(this.columns[column]);
      this.columns[column][offset] = word;
    };
    put("head", KINDS.indexOf(cell.kind) | (cell.pass << KIND_BITS));
    put("record", cell.record);
    put("value", cell.value);
    put("transaction", cell.transaction);
    put("place", cell.place);
    put("operator", cell.operator);
  }

  private word(column: Column, offset: number): number {
    assert(offset >= 0 && offset < this.count, `no offset ${offset} of ${this.count}`);
    return this.columns[column][offset] as number;
  }

  get(offset: number): CellView {
    const head = this.word("head", offset);
    return {
      kind: at(KINDS, head & KIND_MASK),
      record: this.word("record", offset),
      value: this.word("value", offset),
      transaction: this.word("transaction", offset),
      place: this.word("place", offset),
      operator: this.word("operator", offset),
      pass: head >>> KIND_BITS,
    };
  }

  isRecord(offset: number): boolean {
    return (this.word("head", offset) & KIND_MASK) === RECORD_KIND;
  }

  /** The cells from `from` up to `to`. */
  slice(from: number, to: number): CellView[] {
    return Array.from({ length: Math.max(0, to - from) }, (_, place) => this.get(from + place));
  }

  /** A copy of the first `length` cells. */
  first(length: number): OutputCells {
    const copy = new OutputCells();
    for (const column of columns) copy.columns[column] = this.columns[column].slice(0, length);
    copy.count = length;
    return copy;
  }
}
