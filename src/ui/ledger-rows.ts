/** The ledger by record: how often it is in state and visible, and what that comes to. */
import { isCommitted } from "../protocol/sinks.ts";
import { type FateName, fateNames } from "../projection/fates.ts";
import type { Account, LedgerView, SinkAccount } from "../projection/ledger.ts";

export type Fate = FateName | "doubledInState" | "visible";
export type LedgerFilter = "all" | "problems" | "pending";

export interface LedgerRow {
  readonly record: number;
  /** The most that one stateful operator holds of it; `null`: the job keeps no state. */
  readonly inState: number | null;
  /** Summed over the sinks; `null`: there is none. */
  readonly committed: number | null;
  readonly uncommitted: number | null;
  readonly fate: Fate;
}

const filters: { readonly [F in LedgerFilter]: (fate: Fate) => boolean } = {
  all: () => true,
  problems: isProblem,
  pending: (fate) => fate === "pending" || fate === "unprocessed",
};

/** Numbers of the records that a filter leaves: what is wrong comes first, else as they lie in their partitions. */
export function ledgerRecords(ledger: LedgerView, filter: LedgerFilter): readonly number[] {
  const committed = ledger.sinks.filter(({ reader }) => isCommitted(reader));
  const accounts: readonly Account[] = [...committed, ...ledger.states];
  const passes = filters[filter];
  const [wrong, others]: [number[], number[]] = [[], []];
  const count = accounts.reduce((most, { expected }) => Math.max(most, expected.length), 0);
  for (let record = 0; record < count; record++) {
    if (!isThere(accounts, record)) continue;
    const fate = fateOf(committed, ledger.states, record);
    if (passes(fate)) (isProblem(fate) ? wrong : others).push(record);
  }
  return [...wrong, ...others];
}

/** A number without a record is in no account: partitions are of different lengths. */
function isThere(accounts: readonly Account[], record: number): boolean {
  for (const { expected, counts } of accounts)
    if ((expected[record] ?? 0) > 0 || (counts[record] ?? 0) > 0) return true;
  return false;
}

export function ledgerRow(ledger: LedgerView, record: number): LedgerRow {
  const committed = ledger.sinks.filter(({ reader }) => isCommitted(reader));
  const uncommitted = ledger.sinks.filter(({ reader }) => !isCommitted(reader));
  return {
    record,
    inState: most(ledger.states, record),
    committed: sum(committed, record),
    uncommitted: sum(uncommitted, record),
    fate: fateOf(committed, ledger.states, record),
  };
}

function isProblem(fate: Fate): boolean {
  return fate === "lost" || fate === "duplicated" || fate === "doubledInState";
}

/** What is worse comes first. */
const order: readonly Fate[] = ["lost", "duplicated", "doubledInState", "pending", "unprocessed", "visible"];
const FINE = order.indexOf("visible");

/** By the number of a fate, its place in `order`: for committed readers, and in state, where what is missing is nothing yet. */
const forReaders = places({ lost: "lost", duplicated: "duplicated", pending: "pending", unprocessed: "unprocessed" });
const inState = places({ lost: "lost", duplicated: "doubledInState", pending: "visible", unprocessed: "visible" });

function places(fates: { readonly [F in FateName]: Fate }): readonly number[] {
  return [FINE, ...fateNames.map((name) => order.indexOf(fates[name]))];
}

/** The worst that is told of a record, by committed readers and in state. */
function fateOf(committed: readonly Account[], states: readonly Account[], record: number): Fate {
  let worst = FINE;
  for (const { fates } of committed) worst = Math.min(worst, forReaders[fates.numberOf(record)] ?? FINE);
  for (const { fates } of states) worst = Math.min(worst, inState[fates.numberOf(record)] ?? FINE);
  return order[worst] ?? "visible";
}

function most(states: LedgerView["states"], record: number): number | null {
  return states.length === 0 ? null : Math.max(...states.map(({ counts }) => counts[record] ?? 0));
}

function sum(sinks: readonly SinkAccount[], record: number): number | null {
  return sinks.length === 0 ? null : sinks.reduce((total, { counts }) => total + (counts[record] ?? 0), 0);
}
