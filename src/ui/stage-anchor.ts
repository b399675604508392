/** Where on the page an element of the stage is, so that menus can open at it. */
import { elementKey, type StageElement, type Stop } from "../view/stage/elements.ts";
import { openMenu } from "./app-actions.ts";
import { appStore, graphOf } from "./store.ts";
import type { Point } from "./use-follow.ts";

function nodeOf(element: Stop): SVGElement | null {
  const graph = graphOf(appStore.getState());
  if (graph === null) return null;
  if (element.kind === "vertex") return document.querySelector(`[data-heading="${element.id}"]`);
  return document.querySelector(`[data-element="${CSS.escape(elementKey(graph, element))}"]`);
}

export function elementBox(element: Stop): DOMRect | null {
  return nodeOf(element)?.getBoundingClientRect() ?? null;
}

/** The ground of a task vertex, with all that it says of its subtasks. */
function vertexBox(vertex: number): DOMRect | null {
  return document.querySelector(".layer-vertices")?.children[vertex]?.getBoundingClientRect() ?? null;
}

/**
 * Where something of that width and of the stage's, which ends at `right`, covers no word of the element's: beside a
 * subtask's vertex, or below it where there is no room; below any other element. The middle of its upper edge.
 */
export function clearPlace(element: StageElement, width: number, right: number): Point | null {
  const box = elementBox(element);
  if (box === null) return null;
  const middle = box.left + box.width / 2;
  const graph = graphOf(appStore.getState());
  const vertex = element.kind === "subtask" ? graph?.subtasks[element.id]?.taskVertex : undefined;
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

/** Gives the keyboard back to an element; `false`: it is not drawn. */
export function focusElement(element: Stop): boolean {
  const node = nodeOf(element);
  node?.focus({ preventScroll: true });
  return node !== null;
}

/** Below the element; in the middle of the page where it is not drawn. */
export function openMenuAtElement(element: StageElement): void {
  const box = elementBox(element);
  if (box === null) openMenu(element, window.innerWidth / 2, window.innerHeight / 3);
  else openMenu(element, box.left + box.width / 2, box.bottom - Math.min(8, box.height / 2));
}

/** Is this a part of the element's picture? */
export function isOn(target: EventTarget | null, element: Stop): boolean {
  return target instanceof Node && nodeOf(element)?.contains(target) === true;
}
