/** How a thread spends its time: a bar of its shares, and an hourglass on who holds the others back. */
import type { LoadShares } from "../../../projection/backpressure.ts";
import type { VertexLoadFrame } from "../frame-types.ts";
import type { SubtaskPlace } from "../layout-types.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { type Pen, textWidth } from "./pen.ts";

/** Backpressured first: it is what one looks for. */
const ORDER = ["backpressured", "busy", "idle"] as const;

/** At the foot of the card or of the row; a cell has none. */
export function drawLoadBar(pen: Pen, shares: LoadShares, { box: card, density }: SubtaskPlace): void {
  if (density === "cells") return;
  const box =
    density === "full"
      ? { x: card.x + 8, y: card.y + card.height - 5, width: card.width - 12, height: 4 }
      : { x: card.x + 5, y: card.y + card.height - 3, width: card.width - 7, height: 2.5 };
  let { x } = box;
  for (const kind of ORDER) {
    const width = (box.width * shares[kind]) / 100;
    if (width > 0) segment(pen, kind, { ...box, x, width });
    x += width;
  }
}

function segment(pen: Pen, kind: (typeof ORDER)[number], box: Box): void {
  pen.rect(box, `load-${kind}`);
  if (kind === "backpressured") pen.rect(box, "load-hatch").attr("fill", "url(#stage-hatch-load)");
}

/** Time runs away here. */
export function drawHourglass(pen: Pen, x: number, y: number): void {
  pen.path(`M${x - 4},${y - 6}h8l-4,6l4,6h-8l4,-6Z`, "hourglass");
}

const SWATCH = 9;

/** The level in words and the largest figures of the vertex's subtasks, in its last line. */
export function drawVertexLoad(pen: Pen, load: VertexLoadFrame, box: Box, { text }: MarkContext): void {
  const y = box.y + box.height - 7;
  const [left, right] = [box.x + 12, box.x + box.width - 12];
  segment(pen, "backpressured", { x: left, y: y - SWATCH + 0.5, width: SWATCH, height: SWATCH });
  const level = load.level === "OK" ? load.level : `${load.level} ${text.percent(load.backpressured)}`;
  pen.text(left + SWATCH + 4, y, level, load.level === "OK" ? "vertex-load" : "vertex-load strong");
  const bold = load.cause ? 600 : 400;
  const room = right - left - SWATCH - 4 - textWidth(level, 12, 600) - (load.cause ? 30 : 16) - 4;
  const words = [`${text.busy()} ${text.percent(load.busy)}`, text.percent(load.busy)].find(
    (candidate) => textWidth(candidate, 12, bold) <= room,
  );
  if (words === undefined) return;
  pen.text(right, y, words, load.cause ? "vertex-load strong" : "vertex-load", "end");
  const x = right - textWidth(words, 12, bold) - SWATCH - 4;
  segment(pen, "busy", { x, y: y - SWATCH + 0.5, width: SWATCH, height: SWATCH });
  if (load.cause) drawHourglass(pen, x - 10, y - 4);
}
