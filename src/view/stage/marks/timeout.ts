/**
 * How long the log still waits for a transaction: an arc around the icon of its capsule that shrinks with simulated time,
 * and behind the sink's capsules what the first of them to run out has left.
 */
import type { TransactionClock } from "../../../projection/transaction-timeout.ts";
import type { SubtaskFrame, TransactionFrame } from "../frame-types.ts";
import type { Box } from "../path.ts";
import type { LaterText } from "../text.ts";
import type { MarkContext } from "./context.ts";
import type { Pen } from "./pen.ts";

/** The middle of a capsule's icon. */
const ICON = 12;
const RADIUS = 7.6;
/** A time is a number of these. */
const SECOND = 1000;

export function hasTimeout({ transactions }: SubtaskFrame): boolean {
  return transactions.some(({ clock }) => clock !== null);
}

/** An arc of a circle, from the top on. */
export function drawArc(pen: Pen, x: number, y: number, radius: number, colour: string): ReturnType<Pen["circle"]> {
  pen.circle(x, y, radius, "timeout-track").attr("stroke", colour);
  return pen
    .circle(x, y, radius, "timeout-arc")
    .attr("stroke", colour)
    .attr("pathLength", 1)
    .attr("transform", `rotate(-90 ${x} ${y})`);
}

/** `boxOf`: where the capsule of the sink's so manieth transaction has its place; `null`: there is no room for it. */
export function drawTimeouts(
  pen: Pen,
  { transactions }: SubtaskFrame,
  boxOf: (index: number) => Box | null,
  { theme }: MarkContext,
): void {
  transactions.forEach(({ clock, look: { tone, label } }, index) => {
    const box = boxOf(index);
    if (clock === null || box === null) return;
    const colour = label === "PRE_COMMITTED" ? theme.canvas : theme.tones[tone].edge;
    drawArc(pen, box.x + ICON, box.y + box.height / 2, RADIUS, colour)
      .attr("data-begin", clock.from)
      .attr("data-end", clock.to);
  });
  const running = transactions.filter(({ clock }) => clock !== null).toSorted((a, b) => endOf(a) - endOf(b));
  const [next, ...others] = running;
  const free = boxOf(transactions.length);
  if (next === undefined || free === null) return;
  pen
    .text(free.x + 2, free.y + free.height / 2 + 4.2, "", "timeout-left")
    .attr("data-end", endOf(next))
    .attr("data-whose", others.length === 0 ? "" : `${next.look.icon} `);
}

const endOf = ({ clock }: TransactionFrame): number => clock?.to ?? Infinity;

/** What an arc and a time show at a moment: without motion the arc goes from one second to the next, as the time always does. */
export function remaining(
  { from, to }: TransactionClock,
  clock: number,
  still: boolean,
): { readonly share: number; readonly left: number } {
  const exact = Math.max(0, to - clock);
  const left = Math.ceil(exact / SECOND) * SECOND;
  return { share: Math.min(1, (still ? left : exact) / (to - from)), left };
}

export function runOut(layer: SVGGElement, clock: number, still: boolean, words: LaterText): void {
  for (const node of layer.querySelectorAll<SVGElement>("[data-end]")) {
    const { begin, end, whose = "" } = node.dataset;
    const { share, left } = remaining({ from: Number(begin ?? 0), to: Number(end) }, clock, still);
    const shown = begin === undefined ? `${whose}${words.left(left)}` : `${share} 2`;
    if (begin !== undefined) node.setAttribute("stroke-dasharray", shown);
    else if (node.textContent !== shown) node.textContent = shown;
  }
}
