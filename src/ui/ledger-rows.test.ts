import { expect, test } from "vitest";
import { DUPLICATED, Fates, LOST, PENDING, UNPROCESSED } from "../projection/fates.ts";
import type { Account, LedgerView, SinkAccount } from "../projection/ledger.ts";
import { ledgerRecords, ledgerRow } from "./ledger-rows.ts";

type Fate = typeof LOST | typeof DUPLICATED | typeof PENDING | typeof UNPROCESSED;

function account(expected: readonly number[], counts: readonly number[], fates: readonly (Fate | 0)[]): Account {
  const noted = new Fates(fates.length);
  fates.forEach((fate, record) => {
    if (fate !== 0) noted.note(record, fate);
  });
  return {
    fates: noted,
    expected: Int32Array.from(expected),
    counts: Int32Array.from(counts),
    word: "broken",
    soFar: "broken",
  };
}

const sink = { operator: 2, wrong: [], regressions: 0, wanted: 6, seen: 4 };
const all = [1, 1, 1, 1, 1, 1, 0];
/** The last number is no record: its partition is shorter. */
const ledger: LedgerView = {
  step: 9,
  sinks: [
    {
      ...sink,
      reader: "read_committed",
      ...account(all, [1, 0, 2, 0, 0, 1, 0], [0, PENDING, DUPLICATED, LOST, UNPROCESSED, 0, 0]),
    },
    {
      ...sink,
      reader: "read_uncommitted",
      ...account(all, [1, 1, 3, 0, 0, 1, 0], [0, 0, DUPLICATED, LOST, UNPROCESSED, 0, 0]),
    },
  ] satisfies SinkAccount[],
  states: [{ operator: 1, ...account(all, [1, 1, 1, 1, 0, 2, 0], [0, 0, 0, 0, UNPROCESSED, DUPLICATED, 0]) }],
  verdict: { state: "at-least-once", endToEnd: "broken" },
  soFar: { state: "at-least-once", endToEnd: "broken" },
};

test("what is wrong comes first, and a filter leaves what it says", () => {
  expect(ledgerRecords(ledger, "all")).toEqual([2, 3, 5, 0, 1, 4]);
  expect(ledgerRecords(ledger, "problems")).toEqual([2, 3, 5]);
  expect(ledgerRecords(ledger, "pending")).toEqual([1, 4]);
});

test("a row tells the worst of its record, and how often it is in state and seen", () => {
  const fates = [0, 1, 2, 3, 4, 5].map((record) => ledgerRow(ledger, record).fate);
  expect(fates).toEqual(["visible", "pending", "duplicated", "lost", "unprocessed", "doubledInState"]);
  expect(ledgerRow(ledger, 2)).toEqual({ record: 2, inState: 1, committed: 2, uncommitted: 3, fate: "duplicated" });
  expect(ledgerRow({ ...ledger, states: [], sinks: [] }, 2)).toMatchObject({ inState: null, committed: null });
});

test("the ledger says how many have a fate and which, in order", () => {
  const { fates } = ledger.sinks[0] as SinkAccount;
  expect(fates.list("lost")).toEqual([3]);
  expect((["lost", "duplicated", "pending", "unprocessed"] as const).map((fate) => fates.count(fate))).toEqual([
    1, 1, 1, 1,
  ]);
  expect([fates.of(0), fates.of(4), fates.of(99)]).toEqual([null, "unprocessed", null]);
});
