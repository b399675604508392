/** The scenario as text. What is wrong with it stands beside it; what was open stays open. */
import { type ReactElement, useRef, useState } from "react";
import type { Problem } from "../../base/result.ts";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { openText } from "../opening.ts";
import { placeOfPath } from "../json-place.ts";
import { appStore } from "../store.ts";
import { useText } from "../text/use-text.ts";

export default function EditDialog(): ReactElement {
  const { edit } = useText();
  const controller = useController();
  const [text, setText] = useState(() => {
    const { draft, session } = appStore.getState();
    return draft ?? session?.text ?? "";
  });
  const [problems, setProblems] = useState<readonly Problem[]>(() => appStore.getState().refused?.problems ?? []);
  const area = useRef<HTMLTextAreaElement>(null);
  const run = (): void => setProblems(openText(controller, text));
  const close = (): void => {
    appStore.setState({ refused: null });
    showDialog(null);
  };
  const show = (path: string): void => {
    const place = placeOfPath(text, path);
    if (place !== null && area.current !== null) selectAndReveal(area.current, place.from, place.to);
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={close}>
        {edit.cancel}
      </button>
      <button type="button" className="button primary" onClick={run}>
        {edit.run}
      </button>
    </>
  );
  return (
    <Modal title={edit.title} description={edit.description} onClose={close} foot={foot}>
      <textarea
        ref={area}
        className="code-area tall"
        aria-label={edit.area}
        aria-describedby={problems.length > 0 ? "edit-problems" : undefined}
        aria-invalid={problems.length > 0}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
        }}
      />
      <Problems problems={problems} show={show} />
    </Modal>
  );
}

function Problems({
  problems,
  show,
}: {
  readonly problems: readonly Problem[];
  readonly show: (path: string) => void;
}): ReactElement {
  const { edit } = useText();
  return (
    <div id="edit-problems" className="problems" role="alert">
      {problems.length === 0 ? null : (
        <>
          <p className="problems-title">{edit.problems(problems.length)}</p>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{edit.path}</th>
                <th scope="col">{edit.value}</th>
                <th scope="col">{edit.message}</th>
              </tr>
            </thead>
            <tbody>
              {problems.map(({ path, value, message }) => (
                <tr key={`${path} ${message}`}>
                  <td className="mono">
                    {path === "" ? (
                      edit.whole
                    ) : (
                      <button type="button" className="link-button" title={edit.goTo(path)} onClick={() => show(path)}>
                        {path}
                      </button>
                    )}
                  </td>
                  <td className="mono">{value}</td>
                  <td>{message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  );
}

function selectAndReveal(area: HTMLTextAreaElement, from: number, to: number): void {
  area.focus();
  area.setSelectionRange(from, to);
  const line = area.value.slice(0, from).split("\n").length - 1;
  const height = area.scrollHeight / area.value.split("\n").length;
  area.scrollTop = Math.max(0, line * height - area.clientHeight / 3);
}
