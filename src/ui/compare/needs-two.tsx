/** E-45: a comparison of two runs where there is one. What can be done about it stands beside it. */
import { GitBranch, ListPlus } from "lucide-react";
import type { ReactElement } from "react";
import { canFail } from "../can-fail.ts";
import { openMenuAtElement } from "../stage-anchor.ts";
import { showDialog } from "../app-actions.ts";
import { appStore } from "../store.ts";
import { useCompareText } from "../text/compare-text.ts";

/** A branch begins with what is decided: the menu of what is selected, or of the JobManager. */
function fork(): void {
  showDialog(null);
  const { selection } = appStore.getState();
  // When the dialog is gone and the page can be reached again.
  setTimeout(() => openMenuAtElement(canFail(selection) ? selection : { kind: "jobManager", id: 0 }));
}

export function NeedsTwo({ choose }: { readonly choose: () => void }): ReactElement {
  const { needsTwo } = useCompareText();
  return (
    <section className="compare-needs" aria-label={needsTwo.title}>
      <p>
        <strong>{needsTwo.title}</strong> {needsTwo.body}
      </p>
      <p className="compare-needs-ways">
        <button type="button" className="button primary" data-first onClick={fork}>
          <GitBranch aria-hidden />
          {needsTwo.fork}
        </button>
        <button type="button" className="button" onClick={choose}>
          <ListPlus aria-hidden />
          {needsTwo.choose}
        </button>
      </p>
    </section>
  );
}
