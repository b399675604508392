import type { ReactElement } from "react";
import type { FateName } from "../../projection/fates.ts";
import type { LedgerView } from "../../projection/ledger.ts";
import { isCommitted } from "../../protocol/sinks.ts";
import type { Report } from "../../scenario/report.ts";
import { count } from "../format.ts";
import { useText } from "../text/use-text.ts";

interface LedgerTotalsProps {
  readonly ledger: LedgerView;
  /** Of the run, where the cursor is at its end. */
  readonly report: Report | null;
}

/** As committed readers see it, over all sinks. */
export function LedgerTotals({ ledger, report }: LedgerTotalsProps): ReactElement {
  const words = useText().panels.ledger;
  const committed = ledger.sinks.filter(({ reader }) => isCommitted(reader));
  const sum = (of: (account: (typeof committed)[number]) => number): number =>
    committed.reduce((total, account) => total + of(account), 0);
  const sumOf = (fate: FateName): number => sum(({ fates }) => fates.count(fate));
  return (
    <div className="ledger-totals">
      <Total name={words.expected} value={sum(({ wanted }) => wanted)} id="expected" />
      <Total name={words.seen} value={sum(({ seen }) => seen)} id="seen" />
      <Total name={words.lost} value={sumOf("lost")} id="lost" bad />
      <Total name={words.duplicated} value={sumOf("duplicated")} id="duplicated" bad />
      <Total name={words.pending} value={sumOf("pending")} id="pending" />
      <Total name={words.unprocessed} value={sumOf("unprocessed")} id="unprocessed" />
      <p className="ledger-verdict" data-testid="verdict">
        {report === null ? words.notEnded : words.verdict(report.verdict.state, report.verdict.endToEnd)}
        {report?.ended === "stuck" ? ` ${words.stuckOn}` : ""}
      </p>
    </div>
  );
}

interface TotalProps {
  readonly name: string;
  readonly value: number;
  readonly id: string;
  /** Anything but none is a failure. */
  readonly bad?: boolean;
}

function Total({ name, value, id, bad }: TotalProps): ReactElement {
  return (
    <dl className={bad === true && value > 0 ? "total bad" : "total"}>
      <dt>{name}</dt>
      <dd data-testid={`total-${id}`}>{count(value)}</dd>
    </dl>
  );
}
