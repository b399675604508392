/** What to try first; gone for good once it has been read, or a fault has been made. */
import type { ReactElement } from "react";
import { changeSettings } from "../app-actions.ts";
import { useApp } from "../store.ts";
import { useText } from "../text/use-text.ts";

export function Hint(): ReactElement | null {
  const { stage } = useText();
  const seen = useApp((app) => app.settings.hintSeen);
  const useful = useApp((app) => app.session !== null && app.session.branches.length === 1 && app.menu === null && app.selection === null);
  if (seen || !useful) return null;
  return (
    <div className="hint" role="note">
      <span>{stage.hint}</span>
      <span className="hint-keys wide-only">
        <kbd>Space</kbd> {stage.hintKeys.play} <kbd>.</kbd> {stage.hintKeys.step}
      </span>
      <button type="button" className="button small" onClick={() => changeSettings({ hintSeen: true })}>
        {stage.dismiss}
      </button>
    </div>
  );
}
