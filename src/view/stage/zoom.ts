/**
 * Panning and zooming. What fits stands at its own size; what does not is panned rather than made illegibly small. Where
 * the first picture stands is arithmetic; what people do with it needs d3's gestures, which are fetched meanwhile.
 */
import { WIDE_FROM } from "./layout-key.ts";
import type { Size } from "./layout-types.ts";
import type { View } from "./moving.ts";
import type { Box, Point } from "./path.ts";
import type { Gestures } from "./zoom-gestures.ts";

export type ZoomWay = "in" | "out" | "fit";

const STEP = 1.3;
/** Smaller than this, 12 px text is no longer that: then the stage opens at its own size. */
const FITS_FROM = 0.97;
const FIT_MAX = 1.6;
/** The column in which the zoom buttons stand, with its margins. */
const BUTTONS = 64;

export class Zoom {
  private readonly svg: SVGSVGElement;
  private readonly changed: (view: View) => void;
  private seen: View = { x: 0, y: 0, k: 1 };
  private gestures: Gestures | null = null;
  private fetching: Promise<Gestures> | null = null;
  private destroyed = false;
  private world: Size = { width: 1, height: 1 };
  private room: Size = { width: 1, height: 1 };
  private readonly wheel = (event: WheelEvent): void => this.pan(event);

  constructor(svg: SVGSVGElement, changed: (view: View) => void) {
    this.svg = svg;
    this.changed = changed;
    svg.addEventListener("wheel", this.wheel, { passive: false });
  }

  view(): View {
    return this.seen;
  }

  /** The world or the room has another size. */
  resize(world: Size, room: Size): void {
    this.world = world;
    this.room = room;
    this.gestures?.limit(world, room);
    const scale = Math.min(1, this.fitScale());
    const k = scale >= FITS_FROM ? scale : 1;
    this.place(k, Math.max(0, (room.width - world.width * k) / 2), Math.max(0, (room.height - world.height * k) / 2));
    this.fetching ??= this.fetch();
  }

  /** The world is another one, in which `after` is what `before` was: it stays where it is on the screen. */
  rearrange(world: Size, before: Box, after: Box): void {
    this.world = world;
    this.gestures?.limit(world, this.room);
    const { x, y, k } = this.seen;
    this.place(k, x + (before.x - after.x) * k, y + (before.y - after.y) * k);
  }

  by(way: ZoomWay): void {
    if (way !== "fit") {
      this.act((gestures) => gestures.scaleBy(way === "in" ? STEP : 1 / STEP));
      return;
    }
    const { height } = this.room;
    // At its own size the layout leaves room for the buttons; in small, all stands beside them.
    const width = this.room.width - (this.fitScale() < FITS_FROM ? BUTTONS : 0);
    const k = Math.min(width / this.world.width, height / this.world.height, FIT_MAX);
    this.place(k, (width - this.world.width * k) / 2, (height - this.world.height * k) / 2);
  }

  /** Pans so that a point of the world is in the middle, or as near to it as the rim lets it. */
  lookAt({ x, y }: Point): void {
    const { k, x: left, y: top } = this.seen;
    this.translate(this.room.width / 2 - x * k - left, this.room.height / 2 - y * k - top);
  }

  /** Pans so that a box, in client coordinates, is in the middle. */
  centre({ x, y, width, height }: Box): void {
    const origin = this.svg.getBoundingClientRect();
    const { width: across, height: down } = this.room;
    this.translate(across / 2 - (x - origin.x + width / 2), down / 2 - (y - origin.y + height / 2));
  }

  /** `null`: as it was first. */
  put(view: View | null): void {
    if (view === null) this.resize(this.world, this.room);
    else this.place(view.k, view.x, view.y);
  }

  /** Pans so that a box, in client coordinates, is in sight. */
  reveal(box: Box): void {
    const origin = this.svg.getBoundingClientRect();
    const dx = shift(box.x - origin.x, box.width, this.room.width);
    const dy = shift(box.y - origin.y, box.height, this.room.height);
    if (dx !== 0 || dy !== 0) this.translate(dx, dy);
  }

  destroy(): void {
    this.destroyed = true;
    this.gestures?.stop();
    this.svg.removeEventListener("wheel", this.wheel);
  }

  private async fetch(): Promise<Gestures> {
    const { Gestures } = await import("./zoom-gestures.ts");
    const gestures = new Gestures(this.svg, (view) => this.show(view));
    gestures.limit(this.world, this.room);
    gestures.place(this.seen);
    if (this.destroyed) gestures.stop();
    this.gestures = gestures;
    return gestures;
  }

  /** What only the gestures can do waits for them. */
  private act(act: (gestures: Gestures) => void): void {
    if (this.gestures === null) void this.fetching?.then(act);
    else act(this.gestures);
  }

  private show(view: View): void {
    this.seen = view;
    this.changed(view);
  }

  private fitScale(): number {
    return Math.min(this.room.width / this.world.width, this.room.height / this.world.height);
  }

  private place(k: number, x: number, y: number): void {
    if (this.gestures === null) this.show({ x, y, k });
    else this.gestures.place({ x, y, k });
  }

  /** Pans by so many pixels of the screen. */
  translate(dx: number, dy: number): void {
    const { k } = this.seen;
    this.act((gestures) => gestures.translateBy(dx / k, dy / k));
  }

  /** A wheel without Ctrl pans what is larger than the room, and is left to the page otherwise. */
  private pan(event: WheelEvent): void {
    const { k } = this.view();
    const fits = this.world.width * k <= this.room.width + 1 && this.world.height * k <= this.room.height + 1;
    if (event.ctrlKey || fits) return;
    event.preventDefault();
    this.translate(-event.deltaX, -event.deltaY);
  }
}

/** Can one lose one's way? On a stage that is as high as all of it, sideways, one cannot. */
export function needsMap(world: Size, k: number, room: Size): boolean {
  const across = world.width * k > room.width * 1.02;
  const down = world.height * k > room.height * 1.02;
  return down || (across && room.width >= WIDE_FROM);
}

/** How far a span must move to lie within the room. */
function shift(from: number, length: number, room: number): number {
  const margin = 12;
  if (from < margin) return margin - from;
  const over = from + length - (room - margin);
  return over > 0 ? -Math.min(over, from - margin) : 0;
}
