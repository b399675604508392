/** Beside the cells of a vertex: counts of their states and acknowledgements, bars, and the rows of those that stand out. */
import { at } from "../../../base/assert.ts";
import { epochColour } from "../../theme.ts";
import type { SummaryFrame } from "../frame-types.ts";
import type { SummaryPlace } from "../layout-types.ts";
import type { Box } from "../path.ts";
import { drawFlag, flagWidth } from "./checkpoint.ts";
import type { MarkContext } from "./context.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

export function drawSummary(pen: Pen, summary: SummaryFrame, place: SummaryPlace, context: MarkContext): void {
  drawCounts(pen, summary, place.counts, context);
  if (place.bars === null) return;
  const half = (place.bars.width - 8) / 2;
  const { fill, alignment, acknowledged } = summary;
  const { theme, text } = context;
  if (fill !== null) drawBars(pen, fill, { ...place.bars, width: half }, theme.text3, text.bars("fill"));
  if (alignment === null || acknowledged === null) return;
  const right = { ...place.bars, x: place.bars.x + half + 8, width: half };
  drawBars(pen, alignment, right, epochColour(theme, acknowledged.checkpoint).fill, text.bars("alignment"));
}

/** `46 running ✖ 2` at the left, how many have acknowledged at the right. */
function drawCounts(pen: Pen, { states, acknowledged }: SummaryFrame, box: Box, context: MarkContext): void {
  const { text, theme } = context;
  const y = box.y + 11;
  let right = box.x + box.width;
  if (acknowledged !== null) {
    const { checkpoint, count, of } = acknowledged;
    const words = text.ratio(count, of);
    const width = textWidth(words, 12, 600);
    pen.text(right, y, words, "summary-count strong", "end");
    drawFlag(pen, checkpoint, right - width - flagWidth(checkpoint) - 4, y - 11, context, false, 13);
    right -= width + flagWidth(checkpoint) + 10;
  }
  let x = box.x;
  states.forEach(({ look, count }, index) => {
    const words = acknowledged === null && index === 0 ? text.inState(count, look.label) : String(count);
    const width = 12 + textWidth(words, 12, 600);
    if (x + width > right) return;
    const { fill, edge } = theme.tones[look.tone];
    if (look.label === "RUNNING")
      pen
        .circle(x + 4, y - 4, 3.5, "vertex-dot")
        .attr("fill", fill)
        .attr("stroke", edge);
    else pen.text(x, y, look.icon, "summary-icon").style("fill", edge);
    pen.text(x + 12, y, fitted(words, right - x - 12, 12, 600), index === 0 ? "summary-count" : "summary-count strong");
    x += width + 8;
  });
}

/** How many subtasks lie in each eighth: the first is empty, the last full. */
function drawBars(pen: Pen, counts: readonly number[], box: Box, colour: string, name: string): void {
  const most = Math.max(...counts);
  const each = box.width / counts.length;
  const floor = box.y + box.height - 12;
  pen.line(box.x, floor, box.x + box.width, floor, "bars-floor");
  counts.forEach((count, index) => {
    if (count === 0) return;
    // One subtask among many is still to be seen.
    const height = Math.max(2, (count / most) * (box.height - 13));
    pen.rect({ x: box.x + index * each + 0.5, y: floor - height, width: each - 1, height }, "bar").attr("fill", colour);
  });
  pen.text(box.x, box.y + box.height - 1, fitted(name, box.width), "bars-name");
}

/** How many stand out beyond the rows that there are places for, in the last of them; `null`: none does at all. */
export function drawMore(pen: Pen, more: number | null, { rows }: SummaryPlace, { text }: MarkContext): void {
  if (more === null) {
    const { x, y, width, height } = at(rows, 0);
    pen.text(x, y + height / 2 + 4.5, fitted(text.noneStandsOut(), width), "summary-count");
  }
  if (more === null || more === 0) return;
  const { x, y, height } = at(rows, rows.length - 1);
  pen.text(x + 8, y + height / 2 + 4.5, text.moreBefore(more), "summary-count strong");
}
