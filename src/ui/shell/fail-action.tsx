/** What can be done with the selected element, beside it on the stage. */
import { Zap } from "lucide-react";
import { type ReactElement, useRef } from "react";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import { elementName } from "../element-name.ts";
import { canFail } from "../can-fail.ts";
import { elementBox, openMenuAtElement } from "../stage-anchor.ts";
import { graphOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { type Point, useFollow } from "../use-follow.ts";

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
    return node === null || stage === undefined ? null : clearPlace(graph, selection, node.offsetWidth, stage.right);
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

/** The ground of a task vertex, with all that it says of its subtasks. */
function vertexBox(vertex: number): DOMRect | null {
  return document.querySelector(".layer-vertices")?.children[vertex]?.getBoundingClientRect() ?? null;
}

/**
 * Where something of that width and of the stage's, which ends at `right`, covers no word of the element's: beside a
 * subtask's vertex, or below it where there is no room; below any other element. The middle of its upper edge.
 */
function clearPlace(graph: ExecutionGraph, element: StageElement, width: number, right: number): Point | null {
  const box = elementBox(element);
  if (box === null) return null;
  const middle = box.left + box.width / 2;
  const vertex = element.kind === "subtask" ? graph.subtasks[element.id]?.taskVertex : undefined;
  const ground = vertex === undefined ? null : vertexBox(vertex);
  if (ground === null) return { x: middle, y: box.bottom - OVERLAP };
  const beside = ground.right + BESIDE + width / 2;
  return beside + width / 2 + BESIDE < right
    ? { x: beside, y: box.top }
    : { x: box.right - width / 2, y: ground.bottom + BESIDE };
}

const BESIDE = 6;
/** What belongs to a line or a small thing touches it. */
const OVERLAP = 7;
