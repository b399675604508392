/** What a person does on the stage, by hand and by key. Fetched after the first picture. */
import type { TouchHandlers } from "./touch.ts";
import { type KeyHandlers, listenToKeys } from "./keyboard.ts";
import { listenToHover, listenToPointer, type PointerHandlers } from "./pointer.ts";
import type { StageElement } from "./elements.ts";

export type Handlers = KeyHandlers &
  TouchHandlers &
  Omit<PointerHandlers, "select"> & {
    /** `null`: the ground. */
    readonly select: (element: StageElement | null) => void;
    /** What the mouse is over. */
    readonly hover: (element: StageElement | null) => void;
  };

/** Until the returned function is called. */
export function listen(svg: SVGSVGElement, handlers: Handlers): () => void {
  const stops = [listenToPointer(svg, handlers), listenToHover(svg, handlers.hover), listenToKeys(svg, handlers)];
  let stopped = false;
  // Few screens that have a mouse are touched.
  if (navigator.maxTouchPoints > 0)
    void import("./touch.ts").then(({ listenToTouch }) => {
      if (!stopped) stops.push(listenToTouch(svg, handlers));
    });
  stops.push(() => void (stopped = true));
  return () => stops.forEach((stop) => stop());
}
