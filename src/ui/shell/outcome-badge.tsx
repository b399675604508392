/** The result as readers outside see it: hollow while it can still change, solid once the run has ended. */
import { type ReactElement, useEffect } from "react";
import type { FateName } from "../../projection/fates.ts";
import type { EndToEnd } from "../../projection/ledger.ts";
import type { Outcome } from "../../view/theme.ts";
import { changeSettings } from "../app-actions.ts";
import { OutcomeGlyph } from "../controls/outcome-word.tsx";
import { outcomeAt } from "../outcome.ts";
import { branchOf, appStore } from "../store.ts";
import { useApp } from "../use-app.ts";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";
import { useEndToEnd } from "../use-view.ts";

export function OutcomeBadge(): ReactElement | null {
  const text = useText();
  const ledger = useEndToEnd();
  const report = useApp((app) => branchOf(app)?.report ?? null);
  const atEnd = useApp((app) => app.panelStep >= (branchOf(app)?.length ?? 0) - 1);
  const result = ledger === null ? null : outcomeAt(ledger, atEnd ? report : null);
  const outcomeNow = result?.outcome ?? null;
  const word = result === null ? "" : text.outcome.words[result.outcome];
  useEffect(() => {
    if (outcomeNow !== null) appStore.setState({ announcement: { says: "outcome", outcome: outcomeNow } });
  }, [outcomeNow]);
  if (result === null || ledger === null) return null;
  const { outcome, settled } = result;
  return (
    <button
      type="button"
      className={settled ? "outcome-badge solid" : "outcome-badge"}
      data-outcome={outcome}
      title={detail(outcome, ledger, text)}
      aria-label={`${text.outcome.title}: ${settled ? word : text.outcome.soFar(word)}. ${text.outcome.open}`}
      onClick={() => changeSettings({ dock: "ledger" })}
    >
      <OutcomeGlyph outcome={outcome} solid={settled} />
      {settled ? word : text.outcome.soFar(word)}
    </button>
  );
}

function detail(outcome: Outcome, { sinks }: EndToEnd, { outcome: words }: Text): string {
  const count = (fate: FateName): number => sinks.reduce((sum, { fates }) => sum + fates.count(fate), 0);
  if (outcome === "DUPLICATE") return words.detail.DUPLICATE(count("duplicated"));
  return outcome === "LOSS" ? words.detail.LOSS(count("lost")) : words.detail[outcome];
}
