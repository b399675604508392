/** Keys on the stage, one tab stop: arrows walk, also along a partition's records, Space selects, Enter tells all of it, F and Shift+F10 ask what should go wrong. */
import { leaveCells, walkCells } from "./cells.ts";
import { elementAt, headingAt, type StageElement, type Stop } from "./elements.ts";
import type { Anchor } from "./pointer.ts";
import type { Step } from "./walk.ts";
import type { ZoomWay } from "./zoom.ts";

export interface KeyHandlers {
  readonly select: (element: StageElement) => void;
  /** Tells all of it. */
  readonly inspect: (element: StageElement) => void;
  readonly menu: (stop: Stop, anchor: Anchor) => void;
  readonly step: (from: Stop, step: Step) => void;
  /** Opens or closes a vertex. */
  readonly fold: (vertex: number) => void;
  readonly zoom: (way: ZoomWay) => void;
}

const steps: { readonly [key: string]: Step } = {
  ArrowRight: "right",
  ArrowLeft: "left",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
  PageDown: "nextVertex",
  PageUp: "previousVertex",
};

const zooms: { readonly [key: string]: ZoomWay } = { "+": "in", "=": "in", "-": "out", "0": "fit" };

function stepFor(event: KeyboardEvent): Step | null {
  const step = steps[event.key] ?? null;
  if (event.altKey) return step === "right" ? "skipRight" : step === "left" ? "skipLeft" : null;
  return step;
}

function isMenuKey(event: KeyboardEvent): boolean {
  return (
    event.key === "f" || event.key === "F" || event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)
  );
}

/** Does what the key says for the element in focus; `false`: the key is not the stage's. */
function act(event: KeyboardEvent, handlers: KeyHandlers): boolean {
  const zoom = event.ctrlKey || event.metaKey || event.altKey ? undefined : zooms[event.key];
  if (zoom !== undefined) {
    handlers.zoom(zoom);
    return true;
  }
  const heading = headingAt(event.target);
  if (heading !== null) return actOnHeading(event, heading, handlers);
  const hit = elementAt(event.target);
  if (hit === null || event.ctrlKey || event.metaKey) return false;
  if (!event.altKey && walkCells(hit, event.key)) return true;
  const step = stepFor(event);
  if (step !== null) handlers.step(hit.element, step);
  else if (event.key === "Enter") handlers.inspect(hit.element);
  else if (event.key === " ") handlers.select(hit.element);
  else if (isMenuKey(event) && !event.altKey) handlers.menu(hit.element, below(hit.node));
  else return false;
  return true;
}

function actOnHeading(
  event: KeyboardEvent,
  { vertex, node }: { readonly vertex: number; readonly node: SVGGElement },
  handlers: KeyHandlers,
): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  const step = stepFor(event);
  if (step !== null) handlers.step({ kind: "vertex", id: vertex }, step);
  else if (event.key === "Enter" || event.key === " ") handlers.fold(vertex);
  else if (isMenuKey(event) && !event.altKey) handlers.menu({ kind: "vertex", id: vertex }, below(node));
  else return false;
  return true;
}

/** A menu opened by key stands under the element, a little inside it. */
function below(node: SVGGElement): Anchor {
  const box = node.getBoundingClientRect();
  return { x: box.left + Math.min(24, box.width / 2), y: box.bottom - Math.min(8, box.height / 2) };
}

export function listenToKeys(svg: SVGSVGElement, handlers: KeyHandlers): () => void {
  const listener = (event: KeyboardEvent): void => {
    if (!act(event, handlers)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const left = ({ target }: FocusEvent): void => {
    if (target instanceof Element) leaveCells(target);
  };
  svg.addEventListener("keydown", listener);
  // Not on the SVG: Chromium would make a tab stop of it.
  const host = svg.parentElement;
  host?.addEventListener("focusout", left);
  return () => {
    svg.removeEventListener("keydown", listener);
    host?.removeEventListener("focusout", left);
  };
}
