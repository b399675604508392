/** Mouse, pen and touch: a click selects, a right click or a long press asks what should go wrong. */
import { askForCell } from "./cells.ts";
import { elementAt, headingAt, type StageElement, type Stop, stopUnder } from "./elements.ts";

const LONG_PRESS = 500;
/** A finger that moves farther than this pans. */
const STILL_WITHIN = 8;

export interface Anchor {
  /** In client coordinates. */
  readonly x: number;
  readonly y: number;
}

export interface PointerHandlers {
  readonly select: (element: StageElement | null) => void;
  readonly menu: (stop: Stop, anchor: Anchor) => void;
  /** Opens or closes a vertex. */
  readonly fold: (vertex: number) => void;
}

/** Folds the vertex whose heading was clicked, opens the record whose cell was, else selects the element, or nothing. */
function choose(target: EventTarget | null, { fold, select }: PointerHandlers): void {
  const heading = headingAt(target);
  const hit = elementAt(target);
  (heading ?? hit)?.node.focus({ preventScroll: true });
  if (heading !== null) fold(heading.vertex);
  else if (target instanceof Element && askForCell(target, "open")) return;
  else select(hit?.element ?? null);
}

/** Tells which element the mouse is over, until the returned function is called. */
export function listenToHover(svg: SVGSVGElement, hover: (element: StageElement | null) => void): () => void {
  const over = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") hover(elementAt(event.target)?.element ?? null);
  };
  const leave = (): void => hover(null);
  svg.addEventListener("pointerover", over);
  svg.addEventListener("pointerleave", leave);
  return () => {
    svg.removeEventListener("pointerover", over);
    svg.removeEventListener("pointerleave", leave);
  };
}

/** Listens on the stage until the returned function is called. */
export function listenToPointer(svg: SVGSVGElement, handlers: PointerHandlers): () => void {
  let press: { timer: ReturnType<typeof setTimeout>; x: number; y: number } | null = null;
  let swallowClick = false;
  const release = (): void => {
    if (press !== null) clearTimeout(press.timer);
    press = null;
  };
  const down = (event: PointerEvent): void => {
    swallowClick = false;
    const stop = stopUnder(event.target);
    if (stop === null || event.pointerType === "mouse") return;
    const timer = setTimeout(() => {
      swallowClick = true;
      press = null;
      handlers.menu(stop, { x: event.clientX, y: event.clientY });
    }, LONG_PRESS);
    press = { timer, x: event.clientX, y: event.clientY };
  };
  const move = (event: PointerEvent): void => {
    if (press !== null && Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL_WITHIN) release();
  };
  const click = (event: MouseEvent): void => {
    release();
    // The end of a pan is no click, and neither is the end of a long press.
    if (swallowClick || event.defaultPrevented) return;
    choose(event.target, handlers);
  };
  const context = (event: MouseEvent): void => {
    const stop = stopUnder(event.target);
    if (stop === null) return;
    event.preventDefault();
    release();
    // A touch screen sends this for a long press as well, which has opened the menu itself.
    if (!swallowClick) handlers.menu(stop, { x: event.clientX, y: event.clientY });
    swallowClick = true;
  };
  const listeners = {
    pointerdown: down,
    pointermove: move,
    pointerup: release,
    pointercancel: release,
    click,
    contextmenu: context,
  } as const;
  for (const [type, listener] of Object.entries(listeners)) svg.addEventListener(type, listener as EventListener);
  return () => {
    release();
    for (const [type, listener] of Object.entries(listeners)) svg.removeEventListener(type, listener as EventListener);
  };
}
