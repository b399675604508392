/** A browser can scroll some millions of pixels: of a longer list the part around the cursor is in the table. */

/** Rows that a table holds at most. */
export const MOST = 40_000;
/** Rows between which a list is scrolled rather than moved. */
const NEAR = 100;

/** Which part of a list is in the table, as the cursor goes through it; the list may grow. */
export class Part {
  private readonly list: { readonly length: number };
  private readonly most: number;
  private from = 0;
  private index = -1;

  constructor(list: { readonly length: number }, most = MOST) {
    this.list = list;
    this.most = most;
  }

  /**
   * The first row of the part that has the row at `index`: the same as before where that one is well inside it. Else,
   * where the cursor goes far, it comes to stand where it stood in the table, so that nothing has to be scrolled.
   */
  around(index: number): number {
    const { length: count } = this.list;
    if (!this.isInside(index) || this.from + this.most > count) {
      const isNear = this.index < 0 || Math.abs(index - this.index) <= NEAR;
      const place = isNear ? Math.floor(this.most / 2) : this.index - this.from;
      this.from = Math.max(0, Math.min(index - place, count - this.most));
    }
    this.index = index;
    return this.from;
  }

  private isInside(index: number): boolean {
    const edge = this.most / 8;
    return this.index >= 0 && index >= this.from + edge && index < this.from + this.most - edge;
  }
}
