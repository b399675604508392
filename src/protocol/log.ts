/**
 * The log: one entry a step, in columns. A row is 32 bytes; moves, lists and further fields lie in a side pool. A branch
 * shares its parent's entries up to the fork and holds only its own.
 */
import { assert } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import { grown } from "../base/grown.ts";

const ROW = 8;
const CLOCK = 0;
const HEAD = 1;
const CAUSE = 2;
const FIRST_FIELD = 3;
const INLINE = 4;
const POOL = 7;

/** One state machine edge that an entry took. Numbers as in `machines` and in the table's order of states. */
export interface Move {
  readonly machine: number;
  readonly instance: number;
  readonly from: number;
  readonly to: number;
}

/** What a writer fills in for the next entry; reused from entry to entry. */
export class Draft {
  type = 0;
  clock = 0;
  cause = -1;
  /** Which of the run's jobs it is of; the log says so where one begins (`JobSubmitted`). */
  submission = 0;
  readonly fields = new Int32Array(8);
  fieldCount = 0;
  /** Two words a move: instance, then machine, from and to packed. */
  moves = new Int32Array(16);
  moveCount = 0;
  /** The items of the entry's one list field, if it has one; the list is its last field. */
  list: readonly number[] | null = null;

  addMove(machine: number, instance: number, from: number, to: number): void {
    if (this.moveCount * 2 === this.moves.length) this.moves = grown(this.moves);
    this.moves[this.moveCount * 2] = instance;
    this.moves[this.moveCount * 2 + 1] = (machine << 16) | (from << 8) | to;
    this.moveCount++;
  }
}

/** A run of entries as it crosses to another thread; both buffers can be transferred. */
export interface LogChunk {
  /** The step of the first entry. */
  readonly from: number;
  readonly rows: Int32Array<ArrayBuffer>;
  readonly pool: Int32Array<ArrayBuffer>;
}

export class EventLog {
  readonly parent: EventLog | null;
  /** Entries below this step are the parent's. */
  readonly base: number;
  private rows = new Int32Array(ROW * 64);
  private pool = new Int32Array(64);
  private poolLength = 0;
  private count = 0;
  private kept = true;

  constructor(parent: EventLog | null = null, base = 0) {
    assert(base === 0 || (parent !== null && base <= parent.length), "a branch starts within its parent");
    this.parent = parent;
    this.base = base;
  }

  /** Number of entries, the shared ones included; the next entry's step. */
  get length(): number {
    return this.base + this.count;
  }

  append(draft: Draft): void {
    const { fieldCount, moveCount, list } = draft;
    if ((this.count + 1) * ROW > this.rows.length) this.rows = grown(this.rows);
    const row = this.count * ROW;
    const { rows } = this;
    rows[row + CLOCK] = draft.clock;
    rows[row + HEAD] = draft.type | (moveCount << 8);
    rows[row + CAUSE] = draft.cause;
    for (let i = 0; i < INLINE; i++) rows[row + FIRST_FIELD + i] = i < fieldCount ? (draft.fields[i] as number) : -1;
    rows[row + POOL] = this.poolLength;
    if (moveCount > 0 || fieldCount > INLINE || list !== null) this.appendToPool(draft);
    this.count++;
  }

  private appendToPool(draft: Draft): void {
    const { fieldCount, moveCount, list } = draft;
    const more = Math.max(0, fieldCount - INLINE);
    const needed = this.poolLength + moveCount * 2 + more + (list === null ? 0 : list.length + 1);
    if (needed > this.pool.length) this.pool = grown(this.pool, needed);
    let at = this.poolLength;
    for (let i = 0; i < moveCount * 2; i++) this.pool[at++] = draft.moves[i] as number;
    for (let i = 0; i < more; i++) this.pool[at++] = draft.fields[INLINE + i] as number;
    if (list !== null) {
      this.pool[at++] = list.length;
      for (const item of list) this.pool[at++] = item;
    }
    this.poolLength = at;
  }

  /** Keeps no entry any more, only their number. */
  release(): void {
    this.kept = false;
    this.rows = new Int32Array(0);
    this.pool = new Int32Array(0);
  }

  /** All entries are there, the parent's too. */
  get isWhole(): boolean {
    return this.kept && (this.parent?.isWhole ?? true);
  }

  /** Forgets the entries from `length` on; they must be this log's own. */
  truncate(length: number): void {
    assert(length >= this.base && length <= this.length, "only own entries can be forgotten");
    if (length < this.length) this.poolLength = this.rows[(length - this.base) * ROW + POOL] as number;
    this.count = length - this.base;
  }

  private word(step: number, word: number): number {
    const log = this.ownerOf(step);
    return log.rows[(step - log.base) * ROW + word] as number;
  }

  private ownerOf(step: number): EventLog {
    if (step < 0 || step >= this.length) throw new Error(`assertion failed: no entry ${step} of ${this.length}`);
    return step >= this.base || this.parent === null ? this : this.parent.ownerOf(step);
  }

  clock(step: number): number {
    return this.word(step, CLOCK);
  }

  /** Number of the entry's type, as in `eventTypes`. */
  type(step: number): number {
    return this.word(step, HEAD) & 0xff;
  }

  /** The step that caused this one; `-1`: nothing did. */
  cause(step: number): number {
    return this.word(step, CAUSE);
  }

  moveCount(step: number): number {
    return this.word(step, HEAD) >>> 8;
  }

  move(step: number, index: number): Move {
    const log = this.ownerOf(step);
    const at = (log.rows[(step - log.base) * ROW + POOL] as number) + index * 2;
    const packed = log.pool[at + 1] as number;
    return { machine: packed >>> 16, instance: log.pool[at] as number, from: (packed >>> 8) & 0xff, to: packed & 0xff };
  }

  /** A field by its place in the type's declaration. */
  field(step: number, index: number): number {
    if (index < INLINE) return this.word(step, FIRST_FIELD + index);
    const log = this.ownerOf(step);
    const pool = log.rows[(step - log.base) * ROW + POOL] as number;
    return log.pool[pool + this.moveCount(step) * 2 + index - INLINE] as number;
  }

  /** The list field of an entry whose last field, at `index`, is a list. */
  list(step: number, index: number): readonly number[] {
    const log = this.ownerOf(step);
    const pool = log.rows[(step - log.base) * ROW + POOL] as number;
    const at = pool + this.moveCount(step) * 2 + Math.max(0, index - INLINE);
    return Array.from(log.pool.subarray(at + 1, at + 1 + (log.pool[at] as number)));
  }

  /** The first step whose clock is at least `clock`, or `length`. */
  firstAt(clock: number): number {
    return firstPlace(this.length, (step) => this.clock(step) >= clock);
  }

  /** Own entries from `from` on, copied for another thread. */
  chunk(from: number): LogChunk {
    assert(from >= this.base, "a chunk holds own entries only");
    const poolFrom = from < this.length ? (this.rows[(from - this.base) * ROW + POOL] as number) : this.poolLength;
    const rows = this.rows.slice((from - this.base) * ROW, this.count * ROW);
    for (let at = POOL; at < rows.length; at += ROW) rows[at] = (rows[at] as number) - poolFrom;
    return { from, rows, pool: this.pool.slice(poolFrom, this.poolLength) };
  }

  appendChunk(chunk: LogChunk): void {
    assert(chunk.from === this.length, "chunks arrive in order");
    const rowsFrom = this.count * ROW;
    const poolFrom = this.poolLength;
    const rowsTo = rowsFrom + chunk.rows.length;
    const poolTo = poolFrom + chunk.pool.length;
    if (rowsTo > this.rows.length) this.rows = grown(this.rows, rowsTo);
    if (poolTo > this.pool.length) this.pool = grown(this.pool, poolTo);
    this.rows.set(chunk.rows, rowsFrom);
    this.pool.set(chunk.pool, poolFrom);
    for (let at = POOL; at < chunk.rows.length; at += ROW) {
      this.rows[rowsFrom + at] = (chunk.rows[at] as number) + poolFrom;
    }
    this.poolLength += chunk.pool.length;
    this.count += chunk.rows.length / ROW;
  }

  /** What it keeps of its own. */
  get bytes(): number {
    return this.rows.byteLength + this.pool.byteLength;
  }

  /** Keeps no more room than its entries take; of a run that is at its end. */
  fit(): void {
    if (this.rows.length > this.count * ROW) this.rows = this.rows.slice(0, this.count * ROW);
    if (this.pool.length > this.poolLength) this.pool = this.pool.slice(0, this.poolLength);
  }
}
