/** How long a log or a database still waits for the decision about a transaction (KF-013). */
import { at } from "../base/assert.ts";
import { isSink, transactionTimeoutOf } from "../protocol/sinks.ts";
import type { RunView, TransactionView } from "./views.ts";

export interface TransactionClock {
  /** When its first record was there, and when it is given up unless somebody has decided: simulated time. */
  readonly from: number;
  readonly to: number;
}

/** `null`: nothing runs out, since it has no record yet, is decided, or may stay open for ever. */
export function transactionClock(
  { shared: { graph } }: RunView,
  { operator, firstWriteAt }: TransactionView,
  state: TransactionView["state"],
): TransactionClock | null {
  if (firstWriteAt < 0 || (state !== "OPEN" && state !== "PRE_COMMITTED")) return null;
  const { vertex } = at(graph.operators, operator);
  const timeout = isSink(vertex) ? transactionTimeoutOf(vertex) : 0;
  return timeout === 0 ? null : { from: firstWriteAt, to: firstWriteAt + timeout };
}
