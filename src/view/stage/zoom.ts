/** Panning and zooming. What fits stands at its own size; what does not is panned rather than made illegibly small. */
import { select, zoom as d3Zoom, type ZoomBehavior, zoomIdentity, zoomTransform } from "d3";
import type { Size } from "./layout-types.ts";
import type { View } from "./moving.ts";
import type { Box } from "./path.ts";

const SCALE_MIN = 0.25;
const SCALE_MAX = 4;
const STEP = 1.3;
/** Smaller than this, 12 px text is no longer that: then the stage opens at its own size. */
const FITS_FROM = 0.97;

export interface Zoom {
  /** The world or the room has another size. */
  resize(world: Size, room: Size): void;
  readonly by: (way: "in" | "out" | "fit") => void;
  /** Pans so that a box of the world is in sight. */
  reveal(box: Box): void;
  view(): View;
  destroy(): void;
}

export function createZoom(svg: SVGSVGElement, changed: (view: View) => void): Zoom {
  const selection = select<SVGSVGElement, unknown>(svg);
  let world: Size = { width: 1, height: 1 };
  let room: Size = { width: 1, height: 1 };
  const behavior: ZoomBehavior<SVGSVGElement, unknown> = d3Zoom<SVGSVGElement, unknown>()
    .scaleExtent([SCALE_MIN, SCALE_MAX])
    .filter((event: Event) => wanted(event))
    .on("zoom", ({ transform }: { transform: View }) => changed(transform));
  selection.call(behavior).on("dblclick.zoom", null);
  const view = (): View => zoomTransform(svg);
  const place = (k: number, x: number, y: number): void =>
    behavior.transform(selection, zoomIdentity.translate(x, y).scale(k));
  const fitScale = (): number => Math.min(room.width / world.width, room.height / world.height);
  const wheel = (event: WheelEvent): void => {
    if (event.ctrlKey || (world.width * view().k <= room.width + 1 && world.height * view().k <= room.height + 1))
      return;
    event.preventDefault();
    behavior.translateBy(selection, -event.deltaX / view().k, -event.deltaY / view().k);
  };
  svg.addEventListener("wheel", wheel, { passive: false });
  return {
    view,
    resize(newWorld, newRoom) {
      world = newWorld;
      room = newRoom;
      const slack = 24;
      behavior.extent([
        [0, 0],
        [room.width, room.height],
      ]);
      behavior.translateExtent([
        [-slack, -slack],
        [Math.max(world.width, room.width) + slack, Math.max(world.height, room.height) + slack],
      ]);
      const scale = Math.min(1, fitScale());
      const k = scale >= FITS_FROM ? scale : 1;
      place(k, Math.max(0, (room.width - world.width * k) / 2), Math.max(0, (room.height - world.height * k) / 2));
    },
    by(way) {
      if (way === "fit") {
        const k = Math.min(fitScale(), 1.6);
        place(k, (room.width - world.width * k) / 2, (room.height - world.height * k) / 2);
      } else behavior.scaleBy(selection, way === "in" ? STEP : 1 / STEP);
    },
    reveal(box) {
      const { x, y, k } = view();
      const dx = shift(box.x * k + x, box.width * k, room.width);
      const dy = shift(box.y * k + y, box.height * k, room.height);
      if (dx !== 0 || dy !== 0) behavior.translateBy(selection, dx / k, dy / k);
    },
    destroy() {
      selection.on(".zoom", null);
      svg.removeEventListener("wheel", wheel);
    },
  };
}

/** How far a span must move to lie within the room. */
function shift(from: number, length: number, room: number): number {
  const margin = 12;
  if (from < margin) return margin - from;
  const over = from + length - (room - margin);
  return over > 0 ? -Math.min(over, from - margin) : 0;
}

/** Zooming by wheel needs Ctrl, so that a page around the stage can scroll; dragging pans. */
function wanted(event: Event): boolean {
  if (event.type === "wheel") return (event as WheelEvent).ctrlKey;
  return !("button" in event) || (event as MouseEvent).button === 0;
}
