/** The branches at hand, as soon as there is more than one. */
import { GitBranch, Redo2, Undo2 } from "lucide-react";
import type { ReactElement } from "react";
import { nameOfBranch } from "../branches.ts";
import { useController } from "../controller-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { redo, undo, useCanRedo, useCanUndo } from "../history.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";

export function BranchSwitcher(): ReactElement | null {
  const { panels } = useText();
  const controller = useController();
  const session = useApp((app) => app.session);
  const current = useApp((app) => app.branch);
  const canUndo = useCanUndo();
  const canRedo = useCanRedo();
  const branches = session?.branches.filter(({ removed }) => !removed) ?? [];
  if (session === null || branches.length < 2) return null;
  return (
    <nav className="branch-bar" aria-label={panels.tabs.branches}>
      <GitBranch aria-hidden />
      <div className="branch-list">
        {branches.map(({ branch: { id } }) => (
          <button
            key={id}
            type="button"
            className="branch-button"
            aria-pressed={id === current}
            aria-keyshortcuts={id < 9 ? `Alt+${id + 1}` : undefined}
            onClick={() => controller.switchBranch(id)}
          >
            {nameOfBranch(session, id)}
          </button>
        ))}
      </div>
      <IconButton label={panels.branches.undo} keyOf="undo" disabled={!canUndo} onClick={() => undo(controller)}>
        <Undo2 aria-hidden />
      </IconButton>
      <IconButton label={panels.branches.redo} keyOf="redo" disabled={!canRedo} onClick={() => redo(controller)}>
        <Redo2 aria-hidden />
      </IconButton>
    </nav>
  );
}
