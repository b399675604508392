/** The selected thing in full, at the cursor. */
import { X, Zap } from "lucide-react";
import type { ReactElement } from "react";
import { unreachable } from "../../base/assert.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import { select } from "../app-actions.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { elementName } from "../element-name.ts";
import { canFail } from "../can-fail.ts";
import { openMenuAtElement } from "../stage-anchor.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { type Moment, useMoment } from "../use-view.ts";
import { ChannelFields } from "./inspect/channel.tsx";
import { CheckpointFields } from "./inspect/checkpoint.tsx";
import { InputFields, OutputFields } from "./inspect/partitions.tsx";
import { JobManagerFields, StorageFields, TaskManagerFields } from "./inspect/processes.tsx";
import { SubtaskFields } from "./inspect/subtask.tsx";
import { TransactionFields } from "./inspect/transaction.tsx";

export function Inspector(): ReactElement {
  const { inspector } = useText().panels;
  const selection = useApp((app) => app.selection);
  const moment = useMoment();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: a keyboard must get at all of it
    <section className="inspector" aria-label={inspector.title} tabIndex={0}>
      {selection === null || moment === null ? (
        <Guide />
      ) : (
        <>
          <Head element={selection} moment={moment} />
          <Body element={selection} moment={moment} />
        </>
      )}
    </section>
  );
}

/** Where nothing is selected: what there is to try. */
function Guide(): ReactElement {
  const { guide } = useText().panels;
  return (
    <div className="guide">
      <h2 className="small-title">{guide.title}</h2>
      <ol>
        {guide.steps.map(({ title, body, keys }) => (
          <li key={title}>
            <strong>{title}</strong>
            <p>{body}</p>
            <p className="guide-keys wide-only">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface InspectorProps {
  readonly element: StageElement;
  readonly moment: Moment;
}

function Head({ element, moment }: InspectorProps): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  return (
    <div className="inspector-head">
      <div className="inspector-title">
        <p className="inspector-kind">{inspector.kinds[element.kind]}</p>
        <h2 className="inspector-name">{elementName(moment.graph, element, text)}</h2>
      </div>
      <div className="inspector-actions">
        {canFail(element) ? (
          <button
            type="button"
            className="button small danger"
            aria-haspopup="menu"
            onClick={() => openMenuAtElement(element)}
          >
            <Zap aria-hidden />
            {text.stage.fail}
          </button>
        ) : null}
        <IconButton label={inspector.clear} shortcut="Esc" onClick={() => select(null)}>
          <X aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

function Body({ element, moment }: InspectorProps): ReactElement | null {
  switch (element.kind) {
    case "subtask":
      return <SubtaskFields id={element.id} moment={moment} />;
    case "channel":
      return <ChannelFields id={element.id} moment={moment} />;
    case "checkpoint":
      return <CheckpointFields id={element.id} moment={moment} />;
    case "transaction":
      return <TransactionFields number={element.id} moment={moment} />;
    case "input":
      return <InputFields id={element.id} moment={moment} />;
    case "output":
      return <OutputFields id={element.id} moment={moment} />;
    case "taskManager":
      return <TaskManagerFields id={element.id} moment={moment} />;
    case "jobManager":
      return <JobManagerFields moment={moment} />;
    case "storage":
      return <StorageFields moment={moment} />;
    default:
      return unreachable(element.kind);
  }
}
