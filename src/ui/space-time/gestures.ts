/** What mouse, finger and keys do on the space-time picture. */
import { at } from "../../base/assert.ts";
import { type Cut, repairCut } from "../../projection/global-cuts.ts";
import type { SpaceTime } from "../../projection/space-time.ts";
import type { Barrier } from "./model.ts";
import { type Frame, type Stretch, along, lineAt, placeAt, pointOf, shifted, within, zoomed } from "./geometry.ts";
import type { Places } from "./places.ts";

/** What is shown, and what can be done to it. */
export interface View {
  readonly space: SpaceTime;
  readonly places: Places;
  readonly frame: Frame;
  readonly stretch: Stretch;
  readonly all: Stretch;
  readonly step: number;
  readonly pointed: number | null;
  readonly cut: Cut | null;
  /** May somebody move it? One that a job was started from stays where it is. */
  readonly movable: boolean;
  /** The cuts of checkpoints: a line that is drawn near one of them is drawn along it. */
  readonly barriers: readonly Barrier[];
  readonly setStretch: (stretch: Stretch) => void;
  readonly setPointed: (step: number | null) => void;
  readonly setCut: (cut: Cut) => void;
  /** An event was chosen. */
  readonly go: (step: number) => void;
  /** The marker of a lifeline was moved by key. */
  readonly tellMarker: (line: number, behind: number) => void;
}

/** An event is pointed at from so far; a pointer that moves less has only clicked. */
const NEAR = 12;
const STILL = 4;

export class Gestures {
  /** As it was painted last. */
  view: View | null = null;
  private drag: { readonly x: number; readonly y: number; readonly stretch: Stretch; moved: boolean } | null = null;
  private marker = 0;

  /** Listens until the returned function is called. */
  listen(node: HTMLElement): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    const on = <E extends keyof HTMLElementEventMap>(
      type: E,
      act: (view: View, event: HTMLElementEventMap[E]) => void,
    ): void =>
      node.addEventListener(type, (event) => (this.view === null ? undefined : act(this.view, event)), {
        signal,
        passive: false,
      });
    on("pointerdown", (view, event) => this.down(view, event, node));
    on("pointermove", (view, event) => this.move(view, event, node));
    on("pointerup", (view, event) => this.up(view, event, node));
    on("pointerleave", (view) => view.setPointed(null));
    on("wheel", (view, event) => this.wheel(view, event, node));
    on("keydown", (view, event) => this.key(view, event));
    return () => stop.abort();
  }

  private down(view: View, event: PointerEvent, node: HTMLElement): void {
    const [x, y] = local(event, node);
    this.drag = { x, y, stretch: view.stretch, moved: false };
    node.setPointerCapture(event.pointerId);
    draw(view, x, y);
  }

  private move(view: View, event: PointerEvent, node: HTMLElement): void {
    const [x, y] = local(event, node);
    const { drag } = this;
    if (drag === null || (event.buttons & 1) === 0) {
      view.setPointed(nearest(view, x, y));
      return;
    }
    if (Math.hypot(x - drag.x, y - drag.y) > STILL) drag.moved = true;
    if (view.movable) draw(view, x, y);
    else if (drag.moved) {
      const { frame } = view;
      const [from, to] = frame.vertical ? [drag.y, y] : [drag.x, x];
      view.setStretch(shifted(drag.stretch, placeAt(frame, from) - placeAt(frame, to), view.all));
    }
  }

  private up(view: View, event: PointerEvent, node: HTMLElement): void {
    const { drag } = this;
    this.drag = null;
    if (drag === null || drag.moved || view.movable) return;
    const hit = nearest(view, ...local(event, node));
    if (hit !== null) view.go(hit);
  }

  private wheel(view: View, event: WheelEvent, node: HTMLElement): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const [x, y] = local(event, node);
    const around = placeAt(view.frame, view.frame.vertical ? y : x);
    view.setStretch(zoomed(view.stretch, event.deltaY > 0 ? 1.25 : 0.8, around, view.all));
  }

  private key(view: View, event: KeyboardEvent): void {
    if (!this.act(view, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** True: the key means something here. */
  private act(view: View, key: string): boolean {
    if (view.cut === null || !view.movable) {
      if (key === "Enter" && view.pointed !== null) {
        view.go(view.pointed);
        return true;
      }
      const went = walk(view, key);
      if (went !== null) view.setPointed(went);
      return went !== null;
    }
    const moved = moveMarker(view, view.cut, this.marker, key);
    if (moved === null) return false;
    this.marker = moved.line;
    view.setCut(moved.cut);
    view.tellMarker(moved.line, at(moved.cut, moved.line));
    return true;
  }
}

function local(event: MouseEvent, node: HTMLElement): readonly [number, number] {
  const box = node.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function draw(view: View, x: number, y: number): void {
  const { cut, frame } = view;
  if (cut === null || !view.movable) return;
  const [pixel, across] = frame.vertical ? [y, x] : [x, y];
  const line = lineAt(frame, across);
  const snapped = snap(view, line, pixel);
  if (snapped === null) view.setCut(cutTo(view, cut, line, placeAt(frame, pixel)));
  else view.setCut(cut.map((step, each) => (each === line ? snapped : step)));
}

/** The place of the nearest checkpoint's cut on a lifeline; `null`: none is near. */
export function snap(
  { frame, barriers, places }: Pick<View, "frame" | "barriers" | "places">,
  line: number,
  pixel: number,
): number | null {
  let [best, distance]: [number | null, number] = [null, NEAR];
  for (const { cut } of barriers) {
    const step = at(cut, line);
    const away = step < 0 ? Infinity : Math.abs(along(frame, places.at(step)) - pixel);
    if (away < distance) [best, distance] = [step, away];
  }
  return best;
}

/** The cut with one lifeline's place where somebody has drawn. */
function cutTo({ space, places }: View, cut: Cut, line: number, place: number): Cut {
  const { events } = at(space.lifelines, line);
  const last = within(events, places, { from: -Infinity, to: place }).at(-1) ?? -1;
  return cut.map((step, each) => (each === line ? last : step));
}

function nearest({ space, places, stretch, frame }: View, x: number, y: number): number | null {
  const line = lineAt(frame, frame.vertical ? x : y);
  let [best, distance] = [-1, NEAR];
  for (const step of within(at(space.lifelines, line).events, places, stretch)) {
    const [ex, ey] = pointOf(frame, places.at(step), line);
    const away = Math.hypot(ex - x, ey - y);
    if (away < distance) [best, distance] = [step, away];
  }
  return best < 0 ? null : best;
}

/** Along is to the next event of the process, across to that of the next process which is nearest. */
function walk({ space, places, pointed, step, frame: { vertical } }: View, key: string): number | null {
  const keys = vertical
    ? (["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"] as const)
    : (["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"] as const);
  const which = keys.findIndex((each) => each === key);
  if (which < 0) return null;
  const from = pointed ?? step;
  const line = space.lineOf(from);
  if (which < 2) return at(space.lifelines, line).events[space.placeOf(from) + (which === 0 ? 1 : -1)] ?? from;
  for (
    let other = line + (which === 2 ? 1 : -1);
    other >= 0 && other < space.lifelines.length;
    other += which === 2 ? 1 : -1
  ) {
    const { events } = at(space.lifelines, other);
    if (events.length === 0) continue;
    const before = within(events, places, { from: -Infinity, to: places.at(from) });
    return before.at(-1) ?? at(events, 0);
  }
  return from;
}

function moveMarker(
  { space, frame: { vertical } }: View,
  cut: Cut,
  line: number,
  key: string,
): { readonly line: number; readonly cut: Cut } | null {
  if (key === "r" || key === "R") return { line, cut: repairCut(space, cut) };
  const [next, previous, on, back] = vertical
    ? ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]
    : ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"];
  if (key === next) return { line: Math.min(space.lifelines.length - 1, line + 1), cut };
  if (key === previous) return { line: Math.max(0, line - 1), cut };
  if (key !== on && key !== back) return null;
  const { events } = at(space.lifelines, line);
  const place = at(cut, line) < 0 ? -1 : space.placeOf(at(cut, line));
  const moved = events[Math.min(events.length - 1, place + (key === on ? 1 : -1))] ?? -1;
  return { line, cut: cut.map((step, each) => (each === line ? moved : step)) };
}
