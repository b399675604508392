/** The ledger by record: how often it is in state and visible, and what that comes to. */
import { isCommitted } from "../protocol/sinks.ts";
import type { LedgerView, SinkAccount } from "../projection/ledger.ts";

export type Fate = "lost" | "duplicated" | "doubledInState" | "pending" | "unprocessed" | "visible";
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

/** What is wrong comes first; else as the records lie in their partitions. */
export function ledgerRows(ledger: LedgerView, filter: LedgerFilter): readonly LedgerRow[] {
  const committed = ledger.sinks.filter(({ reader }) => isCommitted(reader));
  const uncommitted = ledger.sinks.filter(({ reader }) => !isCommitted(reader));
  const fates = fatesOf(ledger, committed);
  const rows: LedgerRow[] = [];
  const accounts = [...committed, ...ledger.states];
  const count = Math.max(0, ...accounts.map(({ expected }) => expected.length));
  for (let record = 0; record < count; record++) {
    // A number without a record: partitions are of different lengths.
    if (!accounts.some(({ expected, counts }) => (expected[record] ?? 0) > 0 || (counts[record] ?? 0) > 0)) continue;
    const fate = fates.get(record) ?? "visible";
    if (!passes(fate, filter)) continue;
    rows.push({
      record,
      inState: most(ledger.states, record),
      committed: sum(committed, record),
      uncommitted: sum(uncommitted, record),
      fate,
    });
  }
  return rows.sort((a, b) => Number(isProblem(b.fate)) - Number(isProblem(a.fate)));
}

function isProblem(fate: Fate): boolean {
  return fate === "lost" || fate === "duplicated" || fate === "doubledInState";
}

function passes(fate: Fate, filter: LedgerFilter): boolean {
  if (filter === "all") return true;
  return filter === "pending" ? fate === "pending" || fate === "unprocessed" : isProblem(fate);
}

/** The worst that is told of a record. */
function fatesOf(ledger: LedgerView, committed: readonly SinkAccount[]): ReadonlyMap<number, Fate> {
  const fates = new Map<number, Fate>();
  const note = (records: readonly number[], fate: Fate): void => {
    for (const record of records) fates.set(record, fate);
  };
  for (const { unprocessed } of committed) note(unprocessed, "unprocessed");
  for (const { pending } of committed) note(pending, "pending");
  for (const { duplicated } of ledger.states) note(duplicated, "doubledInState");
  for (const { duplicated } of committed) note(duplicated, "duplicated");
  for (const { lost } of [...ledger.states, ...committed]) note(lost, "lost");
  return fates;
}

function most(states: LedgerView["states"], record: number): number | null {
  return states.length === 0 ? null : Math.max(...states.map(({ counts }) => counts[record] ?? 0));
}

function sum(sinks: readonly SinkAccount[], record: number): number | null {
  return sinks.length === 0 ? null : sinks.reduce((total, { counts }) => total + (counts[record] ?? 0), 0);
}
