/**
 * One finger on a stage that the page scrolls: sideways it pans, up and down the browser scrolls the page, and two quick taps
 * show a row as wide as the room. Fetched where there can be a finger at all.
 */

import type { Size, StageLayout } from "./layout-types.ts";
import type { View } from "./moving.ts";
import type { Point } from "./path.ts";

/** A finger that moves farther than this pans; two taps that are farther apart are two. */
const STILL_WITHIN = 8;
const TAPS_WITHIN = 24;
const TAPS_APART = 350;

export interface TouchHandlers {
  /** By so many pixels of the screen. */
  readonly pan: (dx: number) => void;
  readonly sight: () => Sight;
  /** Shows the world so; `null`: as it was first. */
  readonly put: (view: View | null) => void;
}

export interface Sight {
  readonly layout: StageLayout | undefined;
  readonly view: View;
  readonly room: Size;
}

/** A row that is looked at from near is at most so large, with this much of the world around it. */
const FRAME_MAX = 2;
const FRAME_AROUND = 8;

/** The row at a point of the stage as wide as the room; `null`: it is that already, or there is none. */
function framed({ layout, view, room }: Sight, { x, y }: Point): View | null {
  const [left, top] = [(x - view.x) / view.k, (y - view.y) / view.k];
  const box = layout?.vertices.find(({ box: row }) => {
    return left >= row.x && left <= row.x + row.width && top >= row.y && top <= row.y + row.height;
  })?.box;
  if (box === undefined) return null;
  const k = Math.min(FRAME_MAX, room.width / (box.width + FRAME_AROUND * 2));
  if (Math.abs(k - view.k) < 0.01) return null;
  return { x: room.width / 2 - (box.x + box.width / 2) * k, y: y - top * k, k };
}

interface Finger {
  readonly x: number;
  readonly y: number;
  last: number;
  pans: boolean;
  moved: boolean;
}

/** Until the returned function is called. */
export function listenToTouch(svg: SVGSVGElement, { pan, sight, put }: TouchHandlers): () => void {
  let finger: Finger | null = null;
  let tap: { readonly x: number; readonly y: number; readonly at: number } | null = null;
  let swallows = false;
  const down = ({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent): void => {
    swallows = false;
    finger = pointerType === "touch" && isPrimary ? { x, y, last: x, pans: false, moved: false } : null;
  };
  const move = ({ clientX: x, clientY: y }: PointerEvent): void => {
    if (finger === null) return;
    const [across, along] = [Math.abs(x - finger.x), Math.abs(y - finger.y)];
    finger.moved ||= Math.max(across, along) > STILL_WITHIN;
    finger.pans ||= across > STILL_WITHIN && across > along;
    if (finger.pans) pan(x - finger.last);
    finger.last = x;
  };
  const up = ({ clientX: x, clientY: y, timeStamp: at }: PointerEvent): void => {
    const taps = finger !== null && !finger.moved;
    finger = null;
    if (!taps) return;
    swallows = tap !== null && at - tap.at < TAPS_APART && Math.hypot(x - tap.x, y - tap.y) < TAPS_WITHIN;
    tap = swallows ? null : { x, y, at };
    const origin = svg.getBoundingClientRect();
    if (swallows) put(framed(sight(), { x: x - origin.x, y: y - origin.y }));
  };
  const listeners = {
    pointerdown: down,
    pointermove: move,
    pointerup: up,
    pointercancel: () => (finger = null),
    // A finger that the stage's own gestures see is theirs.
    touchstart: () => (finger = null),
    // The second tap is no click on what the first has selected.
    click: (event: Event) => swallows && event.stopImmediatePropagation(),
  } as const;
  for (const [type, listener] of Object.entries(listeners))
    svg.addEventListener(type, listener as EventListener, { capture: true, passive: true });
  return () => {
    for (const [type, listener] of Object.entries(listeners))
      svg.removeEventListener(type, listener as EventListener, { capture: true });
  };
}
