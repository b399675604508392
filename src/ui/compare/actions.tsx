/** What can be done with a comparison of two: B becomes the main run, the difference is saved as a file. */
import { FileDown, Maximize2 } from "lucide-react";
import { type ReactElement, useEffect } from "react";
import { tinykeys } from "tinykeys";
import { save } from "../save-run.ts";
import { useCompareText } from "../text/compare-text.ts";
import { currentStageText } from "../text/stage-text.ts";
import { useText } from "../text/use-text.ts";
import { differenceFile, differenceMarkdown } from "./difference-file.ts";
import { keyed } from "./keyed.ts";
import type { Two } from "./two.ts";

interface ActionsProps {
  readonly two: Two;
  readonly makeMain: () => void;
}

export function Actions({ two, makeMain }: ActionsProps): ReactElement {
  const words = useCompareText();
  const text = useText();
  const given = { words, text, stage: currentStageText() };
  const saveJson = (): void =>
    save("difference.json", "application/json", [`${JSON.stringify(differenceFile(two, given), null, 2)}\n`]);
  const saveMarkdown = (): void =>
    save("difference.md", "text/markdown", [differenceMarkdown(differenceFile(two, given), given)]);
  useEffect(() => tinykeys(window, { e: keyed(saveMarkdown), "Shift+B": keyed(makeMain) }));
  return (
    <div className="compare-actions">
      <button type="button" className="button small" aria-keyshortcuts="Shift+B" onClick={makeMain}>
        <Maximize2 aria-hidden />
        {words.makeMain}
      </button>
      <button type="button" className="button small" aria-keyshortcuts="E" onClick={saveMarkdown}>
        <FileDown aria-hidden />
        {words.exportMarkdown}
      </button>
      <button type="button" className="button small" onClick={saveJson}>
        <FileDown aria-hidden />
        {words.exportJson}
      </button>
    </div>
  );
}
