/**
 * A transaction as a capsule on its sink: outline while open, half filled with P when pre-committed, full with a tick when
 * committed, struck through when aborted, dashed with a clock when the log gave it up.
 */
import type { TransactionFrame } from "../frame-types.ts";
import type { SubtaskPlace } from "../layout-types.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import type { Pen } from "./pen.ts";

const WIDTH = 54;
const HEIGHT = 21;
/** Width of the part that is filled when pre-committed. */
const HALF = 25;
/** The middle of its icon (`timeout.ts` has the same). */
const ICON = 12;
const STEP_X = 58;
const STEP_Y = 22;

/** The place of the `index`-th capsule of a sink; `null`: there is no room for it. */
export function capsuleBox({ box, density }: SubtaskPlace, index: number): Box | null {
  if (density !== "full") return null;
  const columns = Math.max(1, Math.floor((box.width - 14) / STEP_X));
  const rows = box.height >= 74 ? 2 : 1;
  const row = Math.floor(index / columns);
  if (row >= rows) return null;
  return { x: box.x + 12 + (index % columns) * STEP_X, y: box.y + 27 + row * STEP_Y, width: WIDTH, height: HEIGHT };
}

/** Do the first capsules of a card, so many, leave so much free at the right end of its last row? */
export function leavesFree(box: Box, capsules: number, width: number): boolean {
  const [left, top] = [box.x + box.width - width, box.y + box.height / 2];
  return Array.from({ length: capsules }, (_, index) => capsuleBox({ box, density: "full" }, index)).every(
    (capsule) => capsule === null || capsule.y < top || capsule.x + capsule.width <= left,
  );
}

export function drawTransaction(pen: Pen, transaction: TransactionFrame, box: Box, { theme }: MarkContext): void {
  const { edge } = theme.tones[transaction.look.tone];
  const state = transaction.look.label;
  const middle = box.y + box.height / 2;
  const full = state === "COMMITTED";
  pen
    .rect(box, `capsule capsule-${state.toLowerCase().replace("_", "-")}`, box.height / 2)
    .attr("stroke", edge)
    .attr("fill", full ? edge : theme.canvas);
  if (state === "PRE_COMMITTED") {
    const r = box.height / 2;
    pen
      .path(
        `M${box.x + r},${box.y}h${HALF - r}v${box.height}h${-(HALF - r)}a${r},${r} 0 0,1 0,${-box.height}Z`,
        "capsule-half",
      )
      .attr("fill", edge);
  }
  const ink = full || state === "PRE_COMMITTED" ? theme.canvas : edge;
  pen.text(box.x + ICON, middle + 4.2, transaction.look.icon, "capsule-icon", "middle").style("fill", ink);
  pen
    .text(box.x + 39, middle + 4.2, String(transaction.records), "capsule-count", "middle")
    .style("fill", full ? theme.canvas : theme.text);
  if (state === "ABORTED")
    pen.line(box.x + 6, middle, box.x + box.width - 6, middle, "capsule-strike").attr("stroke", edge);
}
