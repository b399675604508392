/** Panning and zooming. What fits stands at its own size; what does not is panned rather than made illegibly small. */
import { select, type Selection, zoom as d3Zoom, type ZoomBehavior, zoomIdentity, zoomTransform } from "d3";
import type { Size } from "./layout-types.ts";
import type { View } from "./moving.ts";
import type { Box } from "./path.ts";

export type ZoomWay = "in" | "out" | "fit";

const SCALE_MIN = 0.25;
const SCALE_MAX = 4;
const STEP = 1.3;
/** Smaller than this, 12 px text is no longer that: then the stage opens at its own size. */
const FITS_FROM = 0.97;
const FIT_MAX = 1.6;
/** How far beyond its rim the world can be panned. */
const SLACK = 24;

export class Zoom {
  private readonly svg: SVGSVGElement;
  private readonly selection: Selection<SVGSVGElement, unknown, null, undefined>;
  private readonly behavior: ZoomBehavior<SVGSVGElement, unknown>;
  private world: Size = { width: 1, height: 1 };
  private room: Size = { width: 1, height: 1 };
  private readonly wheel = (event: WheelEvent): void => this.pan(event);

  constructor(svg: SVGSVGElement, changed: (view: View) => void) {
    this.svg = svg;
    this.selection = select<SVGSVGElement, unknown>(svg);
    this.behavior = d3Zoom<SVGSVGElement, unknown>()
      .scaleExtent([SCALE_MIN, SCALE_MAX])
      .filter((event: Event) => isWanted(event))
      .on("zoom", ({ transform }: { transform: View }) => changed(transform));
    this.selection.call(this.behavior).on("dblclick.zoom", null);
    svg.addEventListener("wheel", this.wheel, { passive: false });
  }

  view(): View {
    return zoomTransform(this.svg);
  }

  /** The world or the room has another size. */
  resize(world: Size, room: Size): void {
    this.world = world;
    this.room = room;
    this.behavior.extent([
      [0, 0],
      [room.width, room.height],
    ]);
    const right = Math.max(world.width, room.width) + SLACK;
    const low = Math.max(world.height, room.height) + SLACK;
    this.behavior.translateExtent([
      [-SLACK, -SLACK],
      [right, low],
    ]);
    const scale = Math.min(1, this.fitScale());
    const k = scale >= FITS_FROM ? scale : 1;
    this.place(k, Math.max(0, (room.width - world.width * k) / 2), Math.max(0, (room.height - world.height * k) / 2));
  }

  by(way: ZoomWay): void {
    if (way !== "fit") {
      this.behavior.scaleBy(this.selection, way === "in" ? STEP : 1 / STEP);
      return;
    }
    const k = Math.min(this.fitScale(), FIT_MAX);
    this.place(k, (this.room.width - this.world.width * k) / 2, (this.room.height - this.world.height * k) / 2);
  }

  /** Pans so that a box, in client coordinates, is in sight. */
  reveal(box: Box): void {
    const origin = this.svg.getBoundingClientRect();
    const dx = shift(box.x - origin.x, box.width, this.room.width);
    const dy = shift(box.y - origin.y, box.height, this.room.height);
    const { k } = this.view();
    if (dx !== 0 || dy !== 0) this.behavior.translateBy(this.selection, dx / k, dy / k);
  }

  destroy(): void {
    this.selection.on(".zoom", null);
    this.svg.removeEventListener("wheel", this.wheel);
  }

  private fitScale(): number {
    return Math.min(this.room.width / this.world.width, this.room.height / this.world.height);
  }

  private place(k: number, x: number, y: number): void {
    this.behavior.transform(this.selection, zoomIdentity.translate(x, y).scale(k));
  }

  /** A wheel without Ctrl pans what is larger than the room, and is left to the page otherwise. */
  private pan(event: WheelEvent): void {
    const { k } = this.view();
    const fits = this.world.width * k <= this.room.width + 1 && this.world.height * k <= this.room.height + 1;
    if (event.ctrlKey || fits) return;
    event.preventDefault();
    this.behavior.translateBy(this.selection, -event.deltaX / k, -event.deltaY / k);
  }
}

/** How far a span must move to lie within the room. */
function shift(from: number, length: number, room: number): number {
  const margin = 12;
  if (from < margin) return margin - from;
  const over = from + length - (room - margin);
  return over > 0 ? -Math.min(over, from - margin) : 0;
}

/** Zooming by wheel needs Ctrl, so that a page around the stage can scroll; dragging pans. */
function isWanted(event: Event): boolean {
  if (event.type === "wheel") return (event as WheelEvent).ctrlKey;
  return !("button" in event) || (event as MouseEvent).button === 0;
}
