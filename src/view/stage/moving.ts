/** The canvas above the structure: everything that moves, painted whole with every frame. */
import { at } from "../../base/assert.ts";
import type { Theme } from "../theme.ts";
import type { Frame, SubtaskFrame } from "./frame-types.ts";
import type { Size } from "./layout-types.ts";
import { RING_INSET, RING_RADIUS } from "./marks/ring.ts";
import { ROW_RING } from "./marks/subtask.ts";
import { drawArrow, drawSweep, drawToken, setLabels } from "./marks/tokens.ts";
import { placeOf } from "./motion.ts";
import type { Box } from "./path.ts";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

export interface MovingLayer {
  resize(size: Size, ratio: number): void;
  paint(frame: Frame, view: View, theme: Theme, still: boolean): void;
  clear(): void;
}

/** Over this many, records are drawn without their halo and rings. */
const CROWD = 400;

export function createMovingLayer(element: HTMLCanvasElement): MovingLayer {
  const canvas = element.getContext("2d");
  let ratio = 1;
  const clear = (): void => {
    canvas?.setTransform(1, 0, 0, 1, 0, 0);
    canvas?.clearRect(0, 0, element.width, element.height);
  };
  return {
    clear,
    resize(size, devicePixelRatio) {
      ratio = devicePixelRatio;
      element.width = Math.round(size.width * ratio);
      element.height = Math.round(size.height * ratio);
      if (canvas !== null) setLabels(canvas);
    },
    paint(frame, view, theme, still) {
      if (canvas === null) return;
      clear();
      canvas.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y);
      paintSweeps(canvas, frame, theme);
      paintTokens(canvas, frame, theme, still);
    },
  };
}

/** Records below, then files and messages, barriers on top. */
const LAYERS = [["record"], ["file"], ["envelope"], ["cancelMarker", "barrier", "end"]] as const;

function paintTokens(canvas: CanvasRenderingContext2D, { scene, clock }: Frame, theme: Theme, still: boolean): void {
  const crowded = scene.tokens.length > CROWD;
  for (const kinds of LAYERS) {
    for (const token of scene.tokens) {
      if (!(kinds as readonly string[]).includes(token.kind)) continue;
      const place = placeOf(token, clock, still);
      if (place === null) continue;
      if (crowded && token.kind === "record") {
        canvas.fillStyle = theme.record;
        canvas.fillRect(place.x - 2, place.y - 2, 4, 4);
      } else drawToken(canvas, token, place, theme);
      if (still && clock < token.arrival) drawArrow(canvas, place, theme);
    }
  }
}

function ringCentre(subtask: SubtaskFrame, box: Box, compact: boolean): { x: number; y: number } | null {
  if (subtask.ring === null) return null;
  return compact
    ? { x: box.x + box.width - ROW_RING - 2, y: box.y + box.height / 2 }
    : { x: box.x + box.width - RING_INSET, y: box.y + 16 };
}

function paintSweeps(canvas: CanvasRenderingContext2D, { scene, clock }: Frame, theme: Theme): void {
  for (const subtask of scene.subtasks) {
    const { ring } = subtask;
    if (ring === null || ring.phase !== "async") continue;
    const place = at(scene.layout.subtasks, subtask.id);
    if (place.density === "cells") continue;
    const centre = ringCentre(subtask, place.box, place.density === "compact");
    const share = ring.to > ring.from ? Math.min(1, Math.max(0, (clock - ring.from) / (ring.to - ring.from))) : 0;
    const radius = place.density === "compact" ? ROW_RING : RING_RADIUS;
    if (centre !== null) drawSweep(canvas, centre.x, centre.y, radius, share, ring.checkpoint, theme);
  }
}
