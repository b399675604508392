/** One thing to try, at a task on the stage; gone for good once something was selected or it was put away. */
import { X } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { changeSettings } from "../app-actions.ts";
import { elementBox } from "../stage-anchor.ts";
import { appStore, graphOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { useFollow } from "../use-follow.ts";

export function Hint(): ReactElement | null {
  const graph = useApp(graphOf);
  const seen = useApp((app) => app.settings.hintSeen);
  useEffect(
    () =>
      appStore.subscribe(
        (app) => app.selection,
        (selection) => (selection === null ? undefined : changeSettings({ hintSeen: true })),
      ),
    [],
  );
  return seen || graph === null ? null : <Bubble graph={graph} />;
}

function Bubble({ graph }: { readonly graph: ExecutionGraph }): ReactElement {
  const { stage } = useText();
  const bubble = useRef<HTMLDivElement>(null);
  const target = { kind: "subtask", id: middleSubtask(graph) } as const;
  useFollow(bubble, () => {
    const box = elementBox(target);
    return box === null ? null : { x: box.left + box.width / 2, y: box.top };
  });
  return (
    <div ref={bubble} className="hint" role="note">
      <span>{stage.hint}</span>
      <button
        type="button"
        className="icon-button"
        aria-label={stage.dismiss}
        onClick={() => changeSettings({ hintSeen: true })}
      >
        <X aria-hidden />
      </button>
    </div>
  );
}

/** First subtask of a vertex in the middle of the job. */
function middleSubtask({ vertices }: ExecutionGraph): number {
  return at(at(vertices, Math.floor(vertices.length / 2)).subtasks, 0);
}
