/** The end of a run (E-34): nothing is left to happen, and what can be done about it. */
import { Plus, RotateCcw, Zap } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { canFail } from "../can-fail.ts";
import { useController } from "../controller-context.ts";
import { restart } from "../keyboard.ts";
import { openMenuAtElement } from "../stage-anchor.ts";
import { appStore } from "../store.ts";
import { enQuiet } from "../text/en-quiet.ts";
import { useApp } from "../use-app.ts";
import { moreInput } from "./more-input.ts";

export default function Quiet(): ReactElement | null {
  const controller = useController();
  const session = useApp((app) => app.session);
  const branch = useApp((app) => app.branch);
  const more = useMemo(() => (session === null ? null : moreInput(session, branch)), [session, branch]);
  if (session === null) return null;
  const drained = session.scenario.until.kind === "drained";
  const fail = (): void => {
    const { selection } = appStore.getState();
    openMenuAtElement(canFail(selection) ? selection : { kind: "jobManager", id: 0 });
  };
  const addInput = (): void => {
    if (more !== null) controller.open({ ...more, library: null }, { keepTime: true, play: true });
  };
  return (
    <div className="quiet" data-id="E-34">
      <p>{drained ? enQuiet.quiet : enQuiet.ends}</p>
      <div className="quiet-actions">
        {more === null ? null : (
          <button type="button" className="button small" title={enQuiet.addInputNote} onClick={addInput}>
            <Plus aria-hidden />
            {enQuiet.addInput}
          </button>
        )}
        <button type="button" className="button small" onClick={fail}>
          <Zap aria-hidden />
          {enQuiet.fail}
        </button>
        <button type="button" className="button small" onClick={() => restart(controller)}>
          <RotateCcw aria-hidden />
          {enQuiet.restart}
        </button>
      </div>
    </div>
  );
}
