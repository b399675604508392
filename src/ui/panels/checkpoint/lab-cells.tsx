/** Two columns that Flink's history does not have: which transactions hang on a checkpoint, and what a crash would come to. */
import type { ReactElement } from "react";
import type { CheckpointView, TransactionView } from "../../../projection/views.ts";
import { isAtStake, transactionsOf } from "../../../projection/checkpoint-transactions.ts";
import { transactionLooks } from "../../../view/machines/presentations.ts";
import { OutcomeWord } from "../../controls/outcome-word.tsx";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { type FateWord, fateOf, worstOf } from "./if-crashed.ts";
import type { IfCrashed } from "./use-if-crashed.ts";

interface LabProps {
  readonly checkpoint: CheckpointView;
  readonly moment: Moment;
}

/** Signs that stand one by one; more are counted. */
const SINGLE = 6;

export function TransactionsCell({ checkpoint, moment }: LabProps): ReactElement {
  const { common, stageText } = useText();
  const words = useCheckpointsText().lab;
  const all = transactionsOf(moment.view, checkpoint);
  if (all.length === 0) return <td className="lab-first">{common.none}</td>;
  const states = countsOf(all);
  return (
    <td className="lab-first">
      <span className="checkpoint-transactions" aria-hidden>
        {states.map(([state, count]) => {
          const { icon, tone } = transactionLooks[state];
          const signs = all.length <= SINGLE ? Array.from({ length: count }, () => icon) : [`${icon} ${count}`];
          return signs.map((sign, place) => (
            <i key={`${state} ${place}`} style={{ borderColor: `var(--tone-${tone}-edge)` }}>
              {sign}
            </i>
          ));
        })}
      </span>
      <span className="visually-hidden">
        {states.map(([state, count]) => words.transactions(count, stageText.transactionState(state))).join(", ")}
      </span>
    </td>
  );
}

/** How many are in each state, in the order in which the first of them began. */
function countsOf(all: readonly TransactionView[]): [TransactionView["state"], number][] {
  const counts = new Map<TransactionView["state"], number>();
  for (const { state } of all) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts];
}

export function isPending({ state }: CheckpointView): boolean {
  return state === "PENDING" || state === "FINALIZING";
}

export function IfCrashedCell({
  checkpoint,
  moment,
  ifCrashed: { asked, possible, ask },
}: LabProps & { readonly ifCrashed: IfCrashed }): ReactElement {
  const { common } = useText();
  const words = useCheckpointsText().lab;
  if (!possible || !isAtStake(moment.view, checkpoint)) return <td>{common.none}</td>;
  if (asked === null)
    return (
      <td>
        <button type="button" className="button small" aria-label={words.askOf(checkpoint.id)} onClick={ask}>
          {words.ask}
        </button>
      </td>
    );
  const { known, of } = asked;
  if (known.length < of) return <td className="muted">{words.trying(known.length, of)}</td>;
  const { outcome, count } = worstOf(known);
  const pending = isPending(checkpoint);
  const fates = known.map((crashed) => fateOf(crashed, checkpoint.id, pending));
  return (
    <td>
      <span className="if-crashed">
        <OutcomeWord outcome={outcome} />
        {count < of ? <span className="muted">{words.times(count, of)}</span> : null}
        <span className="muted">
          {words.fates(mostOf(fates), fates.filter((each) => each === mostOf(fates)).length, of)}
        </span>
      </span>
    </td>
  );
}

function mostOf(fates: readonly FateWord[]): FateWord {
  const count = (fate: FateWord): number => fates.filter((each) => each === fate).length;
  return fates.reduce((most, fate) => (count(fate) > count(most) ? fate : most), "stays");
}
