/** Where on the page an element of the stage is, so that menus can open at it. */
import { elementKey, type StageElement, type Stop } from "../view/stage/elements.ts";
import { openMenu } from "./app-actions.ts";
import { appStore, graphOf } from "./store.ts";

function nodeOf(element: Stop): SVGElement | null {
  const graph = graphOf(appStore.getState());
  if (graph === null) return null;
  if (element.kind === "vertex") return document.querySelector(`[data-heading="${element.id}"]`);
  return document.querySelector(`[data-element="${CSS.escape(elementKey(graph, element))}"]`);
}

export function elementBox(element: Stop): DOMRect | null {
  return nodeOf(element)?.getBoundingClientRect() ?? null;
}

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
