/** An exchange: its ship strategy, and, where its channels are too many, one bundle with their sums. */
import type { BarrierCount, EdgeFrame } from "../frame-types.ts";
import type { EdgePlace } from "../layout-types.ts";
import { type Box, pointAt } from "../path.ts";
import { drawFlag, flagWidth } from "./checkpoint.ts";
import type { MarkContext } from "./context.ts";
import { type Pen, textWidth } from "./pen.ts";

export function drawBundle(pen: Pen, edge: EdgeFrame, { bundle }: EdgePlace, context: MarkContext): void {
  if (bundle === null) return;
  const { path } = bundle;
  pen.path(path.d, "bundle-wide");
  pen.path(path.d, "bundle-line");
  const { text } = context;
  const { x, y } = pointAt(path, path.length * 0.5);
  const lines = [
    ...(edge.blocked > 0 ? [text.blockedChannels(edge.blocked, edge.channels)] : []),
    ...(edge.queued > 0 ? [text.queued(edge.queued)] : []),
  ];
  lines.forEach((words, line) => pen.text(x, y + 24 + line * LINE, words, "bundle-text", "middle"));
  if (edge.barriers !== null) drawBarriers(pen, edge.barriers, x, y - 34, context);
}

const LINE = 15;

/** How many channels have delivered the barrier: its flag and the count. */
function drawBarriers(pen: Pen, barriers: BarrierCount, x: number, y: number, context: MarkContext): void {
  const words = context.text.ratio(barriers.arrived, barriers.of);
  const flag = flagWidth(barriers.checkpoint);
  const left = x - (flag + 5 + textWidth(words, 12, 600)) / 2;
  drawFlag(pen, barriers.checkpoint, left, y, context, barriers.savepoint);
  pen.text(left + flag + 5, y + 10.8, words, "bundle-barriers");
}

/** Drawn above the channels: with the bundle, where there is one, all that can be pointed at. */
export function drawShip(pen: Pen, edge: EdgeFrame, { label, bundle }: EdgePlace, context: MarkContext): void {
  if (bundle !== null) pen.path(bundle.path.d, "bundle-hit");
  pen.rect(shipBox({ label, bundle }, edge, context), "hit", 5);
  pen.text(label.x, label.y, context.text.ship(edge.ship), "edge-ship");
}

/** The place of the ship strategy, as large as what is pointed at has to be. */
export function shipBox({ label: { x, y } }: EdgePlace, { ship }: EdgeFrame, { text }: MarkContext): Box {
  const width = Math.max(24, textWidth(text.ship(ship)) + 10);
  return { x: x - 5, y: y - 16, width, height: 24 };
}
