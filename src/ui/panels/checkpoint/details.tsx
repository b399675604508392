/** Below a row of the history: its tasks, its transactions, what each crash now would come to, why it is as it is, and where. */
import { CircleQuestionMark, SkipBack, SkipForward } from "lucide-react";
import type { ReactElement } from "react";
import { transactionName } from "../../../protocol/ids.ts";
import type { CheckpointStats } from "../../../projection/checkpoint-stats.ts";
import { checkpointTimeline } from "../../../projection/checkpoint-timeline.ts";
import { isAtStake, transactionsOf } from "../../../projection/checkpoint-transactions.ts";
import type { CheckpointView } from "../../../projection/views.ts";
import { transactionLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { OutcomeWord } from "../../controls/outcome-word.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { useController } from "../../controller-context.ts";
import { commandName } from "../../fault-name.ts";
import { clockTime } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { explain } from "../../why/explain.ts";
import { fateOf } from "./if-crashed.ts";
import { isPending } from "./lab-cells.tsx";
import { Tasks } from "./tasks.tsx";
import type { IfCrashed } from "./use-if-crashed.ts";

interface DetailsProps {
  readonly stats: CheckpointStats;
  readonly checkpoint: CheckpointView;
  readonly moment: Moment;
  readonly ifCrashed: IfCrashed;
}

export function Details({ stats, checkpoint, moment, ifCrashed }: DetailsProps): ReactElement {
  return (
    <>
      <Acts checkpoint={checkpoint} moment={moment} />
      <Tasks stats={stats} moment={moment} />
      <Transactions checkpoint={checkpoint} moment={moment} />
      <Crashes checkpoint={checkpoint} moment={moment} ifCrashed={ifCrashed} />
    </>
  );
}

type PartProps = Pick<DetailsProps, "checkpoint" | "moment">;

/** Why it is as it is, and the way to where it began and where it ended. */
function Acts({ checkpoint, moment }: PartProps): ReactElement {
  const words = useCheckpointsText().lab;
  const controller = useController();
  const { id } = checkpoint;
  const { triggered, completed, aborted } = checkpointTimeline(moment.log, checkpoint);
  const end = completed ?? aborted;
  return (
    <p className="checkpoint-acts">
      <button
        type="button"
        className="button small"
        aria-label={words.whyOf(id)}
        onClick={() => explain({ kind: "checkpoint", id })}
      >
        <CircleQuestionMark aria-hidden />
        {words.why}
      </button>
      <button type="button" className="button small" onClick={() => controller.goTo(triggered.step)}>
        <SkipBack aria-hidden />
        {words.goToTrigger(clockTime(triggered.clock))}
      </button>
      {end === null || end.step > moment.step ? null : (
        <button type="button" className="button small" onClick={() => controller.goTo(end.step)}>
          <SkipForward aria-hidden />
          {words.goToEnd(clockTime(end.clock))}
        </button>
      )}
    </p>
  );
}

/** So many are told one by one. */
const SHOWN = 8;

function Transactions({ checkpoint, moment }: PartProps): ReactElement | null {
  const words = useCheckpointsText();
  const { stageText } = useText();
  const all = transactionsOf(moment.view, checkpoint);
  if (all.length === 0) return null;
  return (
    <section className="checkpoint-part" aria-label={words.labColumns.transactions}>
      <h3 className="small-title">{words.labColumns.transactions}</h3>
      <ul className="checkpoint-chips">
        {all.slice(0, SHOWN).map(({ number, state, step }) => (
          <li key={step}>
            <ElementLink element={{ kind: "transaction", id: number }} name={transactionName(moment.graph, number)} />{" "}
            <StateChip look={transactionLooks[state]} label={stageText.transactionState(state)} />
          </li>
        ))}
        {all.length > SHOWN ? <li className="muted">{words.lab.more(all.length - SHOWN)}</li> : null}
      </ul>
    </section>
  );
}

/** One by one, once somebody has asked. */
function Crashes({
  checkpoint,
  moment,
  ifCrashed: { asked, possible, ask },
}: Pick<DetailsProps, "checkpoint" | "moment" | "ifCrashed">): ReactElement | null {
  const words = useCheckpointsText();
  const text = useText();
  if (!possible || !isAtStake(moment.view, checkpoint)) return null;
  return (
    <section className="checkpoint-part" aria-label={words.labColumns.ifCrashed}>
      <h3 className="small-title">{words.labColumns.ifCrashed}</h3>
      {asked === null ? (
        <p className="muted">
          {words.lab.notAsked}{" "}
          <button type="button" className="link-button" onClick={ask}>
            {words.lab.tryAll}
          </button>
        </p>
      ) : (
        <ul className="checkpoint-chips">
          {asked.known.map((crashed) => (
            <li key={JSON.stringify(crashed.command)}>
              {commandName(crashed.command, text)}: <OutcomeWord outcome={crashed.outcome} />{" "}
              <span className="muted">{words.lab.fate[fateOf(crashed, checkpoint.id, isPending(checkpoint))]}</span>
            </li>
          ))}
          {asked.known.length < asked.of ? (
            <li className="muted">{words.lab.trying(asked.known.length, asked.of)}</li>
          ) : null}
        </ul>
      )}
    </section>
  );
}
