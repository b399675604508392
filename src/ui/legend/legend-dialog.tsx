/** What the marks mean. What moves is drawn by the stage's own hand, states by their own tables. */
import "../styles/legend.css";
import { GitBranch, Zap } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { loadKinds } from "../../projection/load-view.ts";
import {
  type Look,
  checkpointLooks,
  jobLooks,
  taskLooks,
  transactionLooks,
} from "../../view/machines/presentations.ts";
import { showDialog } from "../app-actions.ts";
import { CheckpointFlag } from "../controls/checkpoint-flag.tsx";
import { Modal } from "../controls/modal.tsx";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { StateChip } from "../controls/state-chip.tsx";
import { legendText } from "../text/legend-text.ts";
import { TokenPicture } from "./token-picture.tsx";
import { legendTokens } from "./tokens.ts";

const outcomes = ["OK", "DUPLICATE", "LOSS", "STUCK"] as const;
const ownOfJob = ["RESTARTING", "FAILING", "CANCELLING", "SUSPENDED"] as const;
const checkpointStates = ["PENDING", "COMPLETED", "ABORTED", "SUBSUMED"] as const;

export default function LegendDialog(): ReactElement {
  const words = legendText();
  const { groups } = words;
  return (
    <Modal
      title={words.title}
      description={words.description}
      className="dialog legend"
      onClose={() => showDialog(null)}
    >
      <button type="button" className="link-button" onClick={() => showDialog("help")}>
        {words.keys}
      </button>
      <div className="legend-groups">
        <Group title={groups.moving}>
          {legendTokens.map(({ name, token }) => (
            <Line key={name} mark={<TokenPicture token={token} />}>
              {words.moving[name]}
            </Line>
          ))}
        </Group>
        <States />
        <Group title={groups.outcomes}>
          {outcomes.map((outcome) => (
            <Line key={outcome} mark={<OutcomeWord outcome={outcome} />}>
              {words.outcomes[outcome]}
            </Line>
          ))}
        </Group>
        <OfTime />
        <Group title={groups.loads}>
          {loadKinds.map((kind) => (
            <Line key={kind} mark={<i className="legend-load" style={{ background: `var(--load-${kind})` }} />}>
              {words.loads[kind]}
            </Line>
          ))}
        </Group>
      </div>
    </Modal>
  );
}

function States(): ReactElement {
  const words = legendText();
  const { groups } = words;
  return (
    <>
      <Group title={groups.tasks}>
        {Object.values(taskLooks).map((look) => (
          <State key={look.label} look={look} />
        ))}
      </Group>
      <Group title={groups.job}>
        {ownOfJob.map((state) => (
          <State key={state} look={jobLooks[state]} />
        ))}
      </Group>
      <Group title={groups.checkpoints}>
        {checkpointStates.map((state, index) => (
          <Line key={state} mark={<CheckpointFlag id={index + 1} />}>
            <StateChip look={checkpointLooks[state]} label={words.checkpoint[state]} />
          </Line>
        ))}
      </Group>
      <Group title={groups.transactions}>
        {Object.values(transactionLooks)
          .filter(({ icon }) => icon !== "")
          .map((look) => (
            <State key={look.label} look={look} />
          ))}
      </Group>
    </>
  );
}

function OfTime(): ReactElement {
  const { groups, time } = legendText();
  return (
    <Group title={groups.time}>
      <Line mark={<i className="legend-span epoch" data-epoch={1} />}>{time.checkpoint}</Line>
      <Line mark={<i className="legend-span failed" />}>{time.failed}</Line>
      <Line mark={<Zap className="legend-fault" aria-hidden />}>{time.fault}</Line>
      <Line mark={<GitBranch aria-hidden />}>{time.fork}</Line>
      <Line mark={<i className="fold legend-fold" />}>{time.fold}</Line>
      <Line mark={<i className="legend-cursor" />}>{time.cursor}</Line>
    </Group>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section>
      <h3 className="small-title">{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

function Line({ mark, children }: { readonly mark: ReactNode; readonly children: ReactNode }): ReactElement {
  return (
    <li>
      <span className="legend-mark">{mark}</span>
      <span>{children}</span>
    </li>
  );
}

function State({ look }: { readonly look: Look }): ReactElement {
  return (
    <Line mark={<span className="legend-icon">{look.icon}</span>}>
      <StateChip look={look} />
    </Line>
  );
}
