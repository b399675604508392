/**
 * The ring around a subtask's part in a checkpoint: a dotted circle while the barrier has not come, a segment for each
 * barrier that has, a thick quarter while the state is frozen, a sweep while it is written, a full disc with a tick when
 * the coordinator knows of it. The numeral says which checkpoint.
 */
import type { Ring } from "../frame-types.ts";
import { epochColour, type Theme } from "../../theme.ts";
import type { Pen } from "./pen.ts";

export const RING_RADIUS = 10;
/** From a card's right side to the middle of its ring. */
export const RING_INSET = 15;

function arcPath(x: number, y: number, radius: number, from: number, to: number): string {
  const end = Math.min(to, from + 0.9999);
  const point = (turn: number): string => {
    const angle = turn * 2 * Math.PI - Math.PI / 2;
    return `${(x + Math.cos(angle) * radius).toFixed(1)},${(y + Math.sin(angle) * radius).toFixed(1)}`;
  };
  return `M${point(from)}A${radius},${radius} 0 ${end - from > 0.5 ? 1 : 0},1 ${point(end)}`;
}

/** The sweep of the phase that is written out runs with time: the canvas draws it over this. */
export function drawRing(pen: Pen, ring: Ring, x: number, y: number, theme: Theme, radius = RING_RADIUS): void {
  const { fill, numeral } = epochColour(theme, ring.checkpoint);
  const done = ring.phase === "acknowledged";
  if (done) {
    pen.circle(x, y, radius, "ring-disc").attr("fill", fill);
    const s = radius / RING_RADIUS;
    pen
      .path(`M${x - 4.5 * s},${y + 0.5 * s}l${3.2 * s},${3.2 * s}l${5.8 * s},${-6.6 * s}`, "ring-tick")
      .attr("stroke", numeral);
    return;
  }
  pen.circle(x, y, radius, ring.phase === "expected" ? "ring-expected" : "ring-track").attr("stroke", fill);
  if (ring.phase === "aligning" && ring.arrived > 0 && ring.arrived === ring.expected) {
    pen.circle(x, y, radius, "ring-arc").attr("stroke", fill);
  } else if (ring.phase === "aligning") drawArrived(pen, ring, x, y, radius, fill);
  if (ring.phase === "sync") pen.path(arcPath(x, y, radius, 0, 0.25), "ring-arc").attr("stroke", fill);
  if (ring.phase === "written") pen.circle(x, y, radius, "ring-arc").attr("stroke", fill);
  if (ring.phase === "discarded") {
    pen.path(`M${x - 4},${y - 4}l8,8m0,-8l-8,8`, "ring-cross");
    return;
  }
  pen.text(x, y + 4.2, String(ring.checkpoint), "ring-numeral", "middle");
}

/** More barriers than these have no segments of their own. */
const SEGMENTS = 16;

/** A segment for each barrier that has come; of many, one arc. */
function drawArrived(pen: Pen, { arrived, expected }: Ring, x: number, y: number, radius: number, fill: string): void {
  const gap = expected > SEGMENTS ? 0 : 0.02;
  const pieces = expected > SEGMENTS ? [[0, arrived / expected] as const] : segmentsOf(arrived, expected);
  for (const [from, to] of pieces)
    if (to > from) pen.path(arcPath(x, y, radius, from + gap, to - gap), "ring-arc").attr("stroke", fill);
}

function segmentsOf(arrived: number, expected: number): (readonly [number, number])[] {
  return Array.from({ length: arrived }, (_, index) => [index / expected, (index + 1) / expected] as const);
}
