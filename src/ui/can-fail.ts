import type { StageElement } from "../view/stage/elements.ts";

const breakable: ReadonlySet<StageElement["kind"]> = new Set([
  "subtask",
  "channel",
  "storage",
  "taskManager",
  "jobManager",
  "transaction",
  "input",
  "output",
] as const);

/** Is there something that can be made to go wrong at this element? */
export function canFail(element: StageElement | null): element is StageElement {
  return element !== null && breakable.has(element.kind);
}
