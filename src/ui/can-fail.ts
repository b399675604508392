import type { StageElement } from "../view/stage/elements.ts";

/** Is there something that can be made to go wrong at this element? */
export function canFail(element: StageElement | null): element is StageElement {
  return (
    element !== null && (element.kind === "subtask" || element.kind === "taskManager" || element.kind === "jobManager")
  );
}
