/** The canvas above the structure: everything that moves, painted whole with every frame. */
import { at } from "../../base/assert.ts";
import type { Theme } from "../theme.ts";
import { type PlacedToken, recordLook, thinned } from "./crowd.ts";
import { type Detail, detailAt } from "./detail.ts";
import type { Frame, SubtaskFrame, Token } from "./frame-types.ts";
import type { Size } from "./layout-types.ts";
import { RING_INSET, RING_RADIUS } from "./marks/ring.ts";
import { ROW_RING } from "./marks/subtask.ts";
import type { Rare } from "./marks/rare.ts";
import { drawSweep, drawToken, setLabels } from "./marks/tokens.ts";
import type { Lit } from "./structure-legend.ts";
import { distanceOf, placeOf } from "./motion.ts";
import type { Box, Point } from "./path.ts";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

export interface MovingLayer {
  resize(size: Size, ratio: number): void;
  /** With a light on, what does not carry its mark fades. */
  paint(frame: Frame, view: View, theme: Theme, still: boolean, lit: Lit | null): void;
  clear(): void;
}

/** Of all stages; `null` until something of it was to be drawn. */
let rare: Rare | null = null;
let fetching: Promise<void> | null = null;

async function fetchRare(): Promise<void> {
  rare = (await import("./marks/rare.ts")).rare;
}

/** Fetches it, and then paints again. */
function wantRare(again: () => void): void {
  if (rare === null) void (fetching ??= fetchRare()).then(again);
}

/** Does it take code that no first picture needs? */
function isRare({ kind, captured, restored, overtakes, falls }: Token): boolean {
  return kind === "state" || kind === "end" || captured !== null || restored || overtakes || falls !== null;
}

/** `again`: what was painted is to be painted anew, since more of it can be. */
export function createMovingLayer(element: HTMLCanvasElement, again: () => void): MovingLayer {
  const canvas = element.getContext("2d");
  let ratio = 1;
  let room: Size = { width: 0, height: 0 };
  const clear = (): void => {
    canvas?.setTransform(1, 0, 0, 1, 0, 0);
    canvas?.clearRect(0, 0, element.width, element.height);
  };
  return {
    clear,
    resize(size, devicePixelRatio) {
      ratio = devicePixelRatio;
      room = size;
      element.width = Math.round(size.width * ratio);
      element.height = Math.round(size.height * ratio);
      if (canvas !== null) setLabels(canvas);
    },
    paint(frame, view, theme, still, lit) {
      if (canvas === null) return;
      if (still ? frame.scene.tokens.length > 0 : frame.scene.tokens.some(isRare)) wantRare(again);
      clear();
      canvas.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y);
      paintSweeps(canvas, frame, detailAt(view.k), theme);
      paintTokens(canvas, frame, { view, room, lit, again }, theme, still);
    },
  };
}

/** Records below, then files and messages, barriers on top. */
const LAYERS = [["file", "state"], ["envelope"], ["cancelMarker", "barrier", "end"]] as const;

/** What is in sight of the picture, with a little around it. */
interface Sight {
  readonly view: View;
  readonly room: Size;
  readonly lit: Lit | null;
  readonly again: () => void;
}

const AROUND = 30;

function sees({ view, room }: Sight, { x, y }: Point): boolean {
  const [left, top] = [x * view.k + view.x, y * view.k + view.y];
  return left > -AROUND && top > -AROUND && left < room.width + AROUND && top < room.height + AROUND;
}

function paintTokens(
  canvas: CanvasRenderingContext2D,
  { scene, clock }: Frame,
  sight: Sight,
  theme: Theme,
  still: boolean,
): void {
  const seen = scene.tokens.flatMap((token): PlacedToken[] => {
    const place = placeOf(token, clock, still);
    return place !== null && sees(sight, place) ? [{ token, place }] : [];
  });
  const one = ({ token, place }: PlacedToken): void => {
    canvas.globalAlpha = sight.lit === null || sight.lit.token(token) ? 1 : FADED;
    if (still && clock < token.arrival && token.kind !== "state") rare?.arrow(canvas, token, theme);
    drawToken(canvas, token, place, theme, rare);
  };
  const records = seen.filter(({ token }) => token.kind === "record");
  const look = recordLook(records.length, sight.view.k);
  if (look !== "glyph") wantRare(sight.again);
  if (look === "glyph" || rare === null) thinned(records).forEach(one);
  else if (look === "dot") rare.dots(canvas, records, sight.view.k, theme);
  else rare.bands(canvas, records, (token) => distanceOf(token, clock, still) ?? 0, theme);
  for (const kinds of LAYERS)
    thinned(seen.filter(({ token }) => (kinds as readonly string[]).includes(token.kind))).forEach(one);
  canvas.globalAlpha = 1;
}

const FADED = 0.2;

function ringCentre(subtask: SubtaskFrame, box: Box, compact: boolean): { x: number; y: number } | null {
  if (subtask.ring === null) return null;
  return compact
    ? { x: box.x + box.width - ROW_RING - 2, y: box.y + box.height / 2 }
    : { x: box.x + box.width - RING_INSET, y: box.y + 16 };
}

/** Where subtasks are drawn as they stand in the layout. */
function paintSweeps(canvas: CanvasRenderingContext2D, { scene, clock }: Frame, detail: Detail, theme: Theme): void {
  if (detail < 1) return;
  for (const subtask of scene.subtasks) {
    const { ring } = subtask;
    if (ring === null || ring.phase !== "async") continue;
    const place = at(scene.layout.subtasks, subtask.id);
    if (place.density === "cells" || (place.density === "compact" && detail > 1)) continue;
    const centre = ringCentre(subtask, place.box, place.density === "compact");
    const share = ring.to > ring.from ? Math.min(1, Math.max(0, (clock - ring.from) / (ring.to - ring.from))) : 0;
    const radius = place.density === "compact" ? ROW_RING : RING_RADIUS;
    if (centre !== null) drawSweep(canvas, centre.x, centre.y, radius, share, ring.checkpoint, theme);
  }
}
