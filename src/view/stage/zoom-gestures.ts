/** d3's zoom on the stage: dragging pans, Ctrl with the wheel and two fingers zoom. It is fetched after the first picture. */
import { select, type Selection, zoom, type ZoomBehavior, zoomIdentity } from "d3";
import type { Size } from "./layout-types.ts";
import type { View } from "./moving.ts";

const SCALE_MIN = 0.1;
/** So near that a cell among 128 has a number. */
const SCALE_MAX = 8;
/** How far beyond its rim the world can be panned. */
const SLACK = 24;
/** So that what lies under the map can be panned out from there. */
const MAP = 110;

export class Gestures {
  private readonly selection: Selection<SVGSVGElement, unknown, null, undefined>;
  private readonly behavior: ZoomBehavior<SVGSVGElement, unknown>;

  constructor(svg: SVGSVGElement, changed: (view: View) => void) {
    this.selection = select<SVGSVGElement, unknown>(svg);
    this.behavior = zoom<SVGSVGElement, unknown>()
      .scaleExtent([SCALE_MIN, SCALE_MAX])
      .filter((event: Event) => isWanted(event))
      .on("zoom", ({ transform }: { transform: View }) => changed(transform));
    this.selection.call(this.behavior).on("dblclick.zoom", null);
  }

  limit(world: Size, room: Size): void {
    this.behavior.extent([
      [0, 0],
      [room.width, room.height],
    ]);
    const larger = world.width > room.width || world.height > room.height;
    const right = Math.max(world.width, room.width) + SLACK;
    const low = Math.max(world.height, room.height) + SLACK + (larger ? MAP : 0);
    this.behavior.translateExtent([
      [-SLACK, -SLACK],
      [right, low],
    ]);
  }

  place({ x, y, k }: View): void {
    this.behavior.transform(this.selection, zoomIdentity.translate(x, y).scale(k));
  }

  scaleBy(factor: number): void {
    this.behavior.scaleBy(this.selection, factor);
  }

  translateBy(x: number, y: number): void {
    this.behavior.translateBy(this.selection, x, y);
  }

  stop(): void {
    this.selection.on(".zoom", null);
  }
}

/** Zooming by wheel needs Ctrl, so that a page around the stage can scroll; dragging pans. */
function isWanted(event: Event): boolean {
  if (event.type === "wheel") return (event as WheelEvent).ctrlKey;
  return !("button" in event) || (event as MouseEvent).button === 0;
}
