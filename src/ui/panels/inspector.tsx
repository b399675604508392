/** The selected thing in full, at the cursor. */
import { Pin, PinOff, X, Zap } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { later } from "../later.tsx";
import { sameElement, type StageElement } from "../../view/stage/elements.ts";
import { select } from "../app-actions.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { elementName } from "../element-name.ts";
import { canFail } from "../can-fail.ts";
import { openMenuAtElement } from "../stage-anchor.ts";
import { appStore } from "../store.ts";
import { isPinned, pin, PINS } from "../pins.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { type Moment, useMoment } from "../use-view.ts";

/** The fields of each kind of thing: fetched when something is first selected. */
const Body = later(async () => ({ default: (await import("./inspect/body.tsx")).Body }));

export function Inspector(): ReactElement {
  const { inspector } = useText().panels;
  const selection = useApp((app) => app.selection);
  const pinned = useApp((app) => app.pinned);
  const others = pinned.filter((element) => !sameElement(element, selection));
  const moment = useMoment();
  const panel = useRef<HTMLElement>(null);
  const asked = useApp((app) => app.inspectorAsked);
  useEffect(() => {
    if (!asked) return;
    appStore.setState({ inspectorAsked: false });
    panel.current?.focus();
  }, [asked]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: a keyboard must get at all of it
    <section ref={panel} className="inspector" aria-label={inspector.title} tabIndex={0}>
      {moment === null || (selection === null && others.length === 0) ? <Guide /> : null}
      {moment === null
        ? null
        : [...(selection === null ? [] : [selection]), ...others].map((element) => (
            <article key={`${element.kind} ${element.id}`} className="inspected">
              <Head element={element} moment={moment} selected={element === selection} />
              <Body element={element} moment={moment} />
            </article>
          ))}
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

interface HeadProps {
  readonly element: StageElement;
  readonly moment: Moment;
  readonly selected: boolean;
}

function Head({ element, moment, selected }: HeadProps): ReactElement {
  const text = useText();
  const held = useApp((app) => isPinned(app, element));
  const full = useApp((app) => app.pinned.length >= PINS);
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
        {full && !held ? null : (
          <IconButton label={held ? inspector.unpin : inspector.pin} onClick={() => pin(element, !held)}>
            {held ? <PinOff aria-hidden /> : <Pin aria-hidden />}
          </IconButton>
        )}
        {selected ? (
          <IconButton label={inspector.clear} shortcut="Esc" onClick={() => select(null)}>
            <X aria-hidden />
          </IconButton>
        ) : null}
      </div>
    </div>
  );
}
