/** What can be done with the selected element, beside it on the stage. */
import { Zap } from "lucide-react";
import { type ReactElement, useRef } from "react";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import { elementName } from "../element-name.ts";
import { canFail } from "../can-fail.ts";
import { clearPlace, openMenuAtElement } from "../stage-anchor.ts";
import { graphOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { useFollow } from "../use-follow.ts";

export function FailAction(): ReactElement | null {
  const selection = useApp((app) => app.selection);
  const graph = useApp(graphOf);
  const menu = useApp((app) => app.menu);
  return graph !== null && menu === null && canFail(selection) ? <Action graph={graph} selection={selection} /> : null;
}

function Action({
  graph,
  selection,
}: {
  readonly graph: ExecutionGraph;
  readonly selection: StageElement;
}): ReactElement {
  const text = useText();
  const button = useRef<HTMLButtonElement>(null);
  useFollow(button, () => {
    const node = button.current;
    const stage = node?.parentElement?.getBoundingClientRect();
    return node === null || stage === undefined ? null : clearPlace(selection, node.offsetWidth, stage.right);
  });
  return (
    <button
      ref={button}
      type="button"
      className="button small danger fail-action"
      aria-haspopup="menu"
      aria-label={text.stage.failElement(elementName(graph, selection, text))}
      onClick={() => openMenuAtElement(selection)}
    >
      <Zap aria-hidden />
      {text.stage.fail}
    </button>
  );
}
