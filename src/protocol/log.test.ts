/** Laws of the log's encoding, over entries drawn at random. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Draft, EventLog } from "./log.ts";

interface Entry {
  readonly type: number;
  readonly clock: number;
  readonly cause: number;
  readonly fields: readonly number[];
  readonly moves: readonly {
    readonly machine: number;
    readonly instance: number;
    readonly from: number;
    readonly to: number;
  }[];
  readonly list: readonly number[] | null;
}

const word = fc.integer({ min: -2_147_483_648, max: 2_147_483_647 });
const entry: fc.Arbitrary<Entry> = fc.record({
  type: fc.integer({ min: 0, max: 255 }),
  clock: fc.nat(),
  cause: fc.integer({ min: -1, max: 2_000_000 }),
  fields: fc.array(word, { maxLength: 8 }),
  moves: fc.array(
    fc.record({
      machine: fc.integer({ min: 0, max: 255 }),
      instance: word,
      from: fc.integer({ min: 0, max: 255 }),
      to: fc.integer({ min: 0, max: 255 }),
    }),
    { maxLength: 8 },
  ),
  list: fc.option(fc.array(word, { maxLength: 12 })),
});
const entries = fc.array(entry, { maxLength: 60, size: "max" });

/** One draft for all, as the engine has it: what an entry leaves behind must not show in the next. */
const draft = new Draft();

function append(log: EventLog, { type, clock, cause, fields, moves, list }: Entry): void {
  Object.assign(draft, { type, clock, cause, fieldCount: fields.length, moveCount: 0, list });
  fields.forEach((value, i) => (draft.fields[i] = value));
  for (const { machine, instance, from, to } of moves) draft.addMove(machine, instance, from, to);
  log.append(draft);
}

function logOf(list: readonly Entry[], parent: EventLog | null = null, base = 0): EventLog {
  const log = new EventLog(parent, base);
  for (const item of list) append(log, item);
  return log;
}

/** An entry as it is read back; what it is told of are the numbers of its fields and whether it has a list. */
function read(log: EventLog, step: number, like: Entry): Entry {
  return {
    type: log.type(step),
    clock: log.clock(step),
    cause: log.cause(step),
    fields: like.fields.map((_, i) => log.field(step, i)),
    moves: Array.from({ length: log.moveCount(step) }, (_, i) => log.move(step, i)),
    list: like.list === null ? null : log.list(step, like.fields.length),
  };
}

const readAll = (log: EventLog, like: readonly Entry[]): Entry[] => like.map((item, step) => read(log, step, item));

describe("the log", () => {
  test("what is read back is what was appended", () => {
    fc.assert(
      fc.property(entries, (list) => {
        const log = logOf(list);
        expect(log.length).toBe(list.length);
        expect(readAll(log, list)).toEqual(list);
      }),
    );
  });

  test("a field that the entry does not have reads as -1", () => {
    const log = logOf([{ type: 1, clock: 0, cause: -1, fields: [7], moves: [], list: null }]);
    expect([0, 1, 2, 3].map((i) => log.field(0, i))).toEqual([7, -1, -1, -1]);
  });

  test("there is no entry before the first and behind the last", () => {
    const log = logOf([{ type: 1, clock: 0, cause: -1, fields: [], moves: [], list: null }]);
    expect(() => log.clock(-1)).toThrow("no entry -1 of 1");
    expect(() => log.clock(1)).toThrow("no entry 1 of 1");
  });

  test("chunks of any sizes make the same log elsewhere", () => {
    fc.assert(
      fc.property(entries, fc.array(fc.nat({ max: 50 })), (list, cuts) => {
        const from = new EventLog();
        const to = new EventLog();
        let done = 0;
        for (const size of [...cuts, list.length]) {
          for (const item of list.slice(done, done + size)) append(from, item);
          const chunk = from.chunk(done);
          expect(chunk.from).toBe(done);
          to.appendChunk(chunk);
          done = from.length;
        }
        expect(readAll(to, list)).toEqual(list);
      }),
    );
  });

  test("fitted, it keeps what its entries take and no more, and can be written on", () => {
    fc.assert(
      fc.property(entries, entries, (list, rest) => {
        const log = logOf(list);
        log.fit();
        const fitted = log.bytes;
        const exact = new EventLog();
        exact.appendChunk(log.chunk(0));
        exact.fit();
        expect(exact.bytes).toBe(fitted);
        const words = log.chunk(0);
        expect(fitted).toBe(words.rows.byteLength + words.pool.byteLength);
        for (const item of rest) append(log, item);
        expect(readAll(log, [...list, ...rest])).toEqual([...list, ...rest]);
      }),
    );
  });

  test("a chunk is a copy, and chunks come in order", () => {
    const item: Entry = { type: 1, clock: 5, cause: -1, fields: [1, 2, 3, 4, 5], moves: [], list: [9] };
    const log = logOf([item, item]);
    const chunk = log.chunk(0);
    log.truncate(0);
    append(log, { ...item, clock: 6 });
    const other = new EventLog();
    other.appendChunk(chunk);
    expect(readAll(other, [item, item])).toEqual([item, item]);
    expect(() => other.appendChunk(chunk)).toThrow("chunks arrive in order");
  });

  test("cut back and written on, it is as if the rest had never been", () => {
    fc.assert(
      fc.property(entries, entries, fc.nat(), (list, rest, at) => {
        const length = list.length === 0 ? 0 : at % (list.length + 1);
        const log = logOf(list);
        log.truncate(length);
        expect(log.length).toBe(length);
        for (const item of rest) append(log, item);
        const whole = [...list.slice(0, length), ...rest];
        expect(readAll(log, whole)).toEqual(whole);
        const copy = new EventLog();
        copy.appendChunk(log.chunk(0));
        expect(readAll(copy, whole)).toEqual(whole);
      }),
    );
  });

  test("a branch has its parent's entries up to its fork and its own behind; each writes on without the other's knowledge", () => {
    fc.assert(
      fc.property(entries, entries, entries, fc.nat(), fc.nat(), (list, own, later, at, again) => {
        const parent = logOf(list);
        const base = at % (list.length + 1);
        const branch = logOf(own, parent, base);
        const ofBranch = [...list.slice(0, base), ...own];
        const second = again % (ofBranch.length + 1);
        const twig = logOf(later, branch, second);
        for (const item of later) append(parent, item);
        expect(readAll(branch, ofBranch)).toEqual(ofBranch);
        expect(readAll(parent, [...list, ...later])).toEqual([...list, ...later]);
        expect(readAll(twig, [...ofBranch.slice(0, second), ...later])).toEqual([
          ...ofBranch.slice(0, second),
          ...later,
        ]);
      }),
    );
  });

  test("a branch's chunks hold its own entries only, and it cannot be cut back into its parent", () => {
    const item: Entry = { type: 1, clock: 5, cause: -1, fields: [], moves: [], list: null };
    const branch = logOf([item], logOf([item, item, item]), 2);
    expect(branch.length).toBe(3);
    expect(branch.chunk(2).rows.length).toBe(8);
    expect(() => branch.chunk(1)).toThrow("own entries");
    expect(() => branch.truncate(1)).toThrow("own entries");
    expect(() => new EventLog(branch, 4)).toThrow("within its parent");
  });

  test("the first step at a time is found", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100 })), fc.nat({ max: 120 }), (times, time) => {
        const sorted = times.toSorted((a, b) => a - b);
        const log = logOf(
          sorted.map((clock): Entry => ({ type: 1, clock, cause: -1, fields: [], moves: [], list: null })),
        );
        const found = sorted.findIndex((clock) => clock >= time);
        expect(log.firstAt(time)).toBe(found < 0 ? sorted.length : found);
      }),
    );
  });
});
