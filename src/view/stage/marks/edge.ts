/** An exchange: its ship strategy, and, where its channels are too many, one bundle with their sums. */
import type { EdgeFrame } from "../frame-types.ts";
import type { EdgePlace } from "../layout-types.ts";
import { pointAt } from "../path.ts";
import type { MarkContext } from "./context.ts";
import type { Pen } from "./pen.ts";

export function drawBundle(pen: Pen, edge: EdgeFrame, { bundle }: EdgePlace, { text }: MarkContext): void {
  pen.clear();
  if (bundle === null) return;
  const { path } = bundle;
  pen.path(path.d, "bundle-wide");
  pen.path(path.d, "bundle-line");
  const middle = pointAt(path, path.length * 0.5);
  const words =
    edge.blocked > 0
      ? text.blockedChannels(edge.blocked, edge.channels)
      : edge.queued > 0
        ? text.queued(edge.queued)
        : "";
  if (words !== "") pen.text(middle.x, middle.y + 24, words, "bundle-text", "middle");
}

/** Drawn above the channels. */
export function drawShip(pen: Pen, edge: EdgeFrame, { label }: EdgePlace, { text }: MarkContext): void {
  pen.clear();
  pen.text(label.x, label.y, text.ship(edge.ship), "edge-ship");
}
