/** A checkpoint: as a card on the JobManager while it is pending, as a row in the storage when it is there. */
import type { CheckpointFrame, JobManagerFrame } from "../frame-types.ts";
import type { Orientation, StageLayout } from "../layout-types.ts";
import type { Box } from "../path.ts";
import { epochColour } from "../../theme.ts";
import { isRail, storageRow } from "../storage-rows.ts";
import type { MarkContext } from "./context.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

/** Where the JobManager's strip ends and its cards begin. */
const JOB_WIDTH = 224;
/** The store at the right has this much room, and in a narrow strip only so much that a card has its own. */
const STORE_WIDTH = 192;
const STORE_LEAST = 104;
const CARD_WIDTH = 250;
/** The line below the cards that tells of the next checkpoint. */
const NEXT_HEIGHT = 24;

export function storeWidth({ width }: Box): number {
  return Math.min(STORE_WIDTH, Math.max(STORE_LEAST, width - JOB_WIDTH - 12 - CARD_WIDTH));
}

/** The place of the `index`-th card; on a narrow stage a countdown to a restart takes it. */
export function cardBox(
  { jobManager, orientation }: StageLayout,
  { current, restart }: JobManagerFrame,
  index: number,
): Box | null {
  const count = current.length;
  if (orientation === "vertical") {
    const { x, y, width } = jobManager;
    return restart === null ? share({ x: x + 12, y: y + 26, width: width - 24, height: 40 }, index, count) : null;
  }
  const { x, y, width, height } = jobManager;
  const left = x + JOB_WIDTH;
  return share(
    { x: left, y: y + 8, width: x + width - left - storeWidth(jobManager) - 12, height: height - NEXT_HEIGHT - 12 },
    index,
    count,
  );
}

function share(box: Box, index: number, count: number): Box {
  const width = (box.width - (count - 1) * 12) / count;
  return { ...box, x: box.x + index * (width + 12), width };
}

export function flagWidth(checkpoint: number): number {
  return Math.max(16, 8 + String(checkpoint).length * 7.2);
}

/** The flag of a checkpoint as a small label: pole, cloth in the epoch's colour, numeral; a savepoint has a second pole. */
export function drawFlag(
  pen: Pen,
  checkpoint: number,
  x: number,
  y: number,
  { theme }: MarkContext,
  savepoint = false,
  pole = 20,
): void {
  const { fill, numeral } = epochColour(theme, checkpoint);
  const label = String(checkpoint);
  const width = flagWidth(checkpoint);
  pen.path(`M${x},${y}v${pole}${savepoint ? `M${x - 4},${y}v${pole}` : ""}`, "flag-pole").attr("stroke", fill);
  pen.path(`M${x},${y}h${width}l-3,6.5l3,6.5h${-width}Z`, "flag-cloth").attr("fill", fill);
  pen.text(x + width / 2 - 0.5, y + 10.8, label, "flag-numeral", "middle").style("fill", numeral);
}

export function drawCard(pen: Pen, checkpoint: CheckpointFrame, box: Box, context: MarkContext): void {
  const { theme } = context;
  pen.rect(box, "card-hit", 6);
  drawFlag(pen, checkpoint.id, box.x + 6, box.y + 4, context, checkpoint.savepoint);
  const left = box.x + 30 + String(checkpoint.id).length * 7.2;
  const { title, count } = headOf(checkpoint, box.x + box.width - 6 - left, context);
  if (title !== null) pen.text(left, box.y + 16, title, "checkpoint-title");
  pen.text(box.x + box.width - 6, box.y + 16, count, "checkpoint-count", "end");
  drawSegments(pen, checkpoint, { x: box.x + 6, y: box.y + 28, width: box.width - 12, height: 9 }, context);
  if (checkpoint.look.label === "ABORTED")
    pen.line(box.x + 2, box.y + 32.5, box.x + box.width - 2, box.y + 32.5, "card-crossed");
  const words = statusWords(checkpoint, context);
  if (box.height < 60) return;
  pen
    .text(box.x + 6, box.y + 56, checkpoint.look.icon, "checkpoint-icon")
    .style("fill", theme.tones[checkpoint.look.tone].edge);
  if (box.width >= STATE_LEAST) pen.text(box.x + 22, box.y + 56, fitted(words, box.width - 26), "checkpoint-state");
}

/** Narrower than this a card has its state as a mark alone: of the words nothing could be read. */
const STATE_LEAST = 80;

/** What stands beside the flag, which has the number, in so much room: where there is little the name goes first. */
function headOf(
  { id, savepoint, acknowledged, expected }: CheckpointFrame,
  room: number,
  { text }: MarkContext,
): { readonly title: string | null; readonly count: string } {
  const title = text.checkpoint(id, savepoint);
  const counts = [text.acknowledged(acknowledged, expected), `${acknowledged}/${expected}`] as const;
  const wide = textWidth(title, 13.5, 650) + 10;
  const beside = counts.find((count) => wide + textWidth(count, 13.5, 600) <= room);
  if (beside !== undefined) return { title, count: beside };
  const [long, short] = counts;
  return { title: null, count: textWidth(long, 13.5, 600) <= room ? long : short };
}

function statusWords(checkpoint: CheckpointFrame, { text }: MarkContext): string {
  if (checkpoint.look.label === "FINALIZING") return text.finalizing();
  const word = text.checkpointState(checkpoint.look.label);
  return checkpoint.reason === null ? word : text.failed(checkpoint.reason, checkpoint.counts);
}

/** One segment for each subtask, filled when it has acknowledged; many become one bar. */
function drawSegments(pen: Pen, checkpoint: CheckpointFrame, box: Box, { theme }: MarkContext): void {
  const { fill } = epochColour(theme, checkpoint.id);
  const dead = checkpoint.look.label === "ABORTED";
  const count = checkpoint.acknowledgements.length;
  if (count === 0 || box.width / count < 5) {
    pen.rect(box, "segment", 4.5);
    pen
      .rect(
        { ...box, width: (box.width * checkpoint.acknowledged) / Math.max(1, checkpoint.expected) },
        "segment-full",
        4.5,
      )
      .attr("fill", dead ? theme.line : fill);
    return;
  }
  const gap = count > 24 ? 1 : 3;
  const width = (box.width - (count - 1) * gap) / count;
  checkpoint.acknowledgements.forEach((done, index) => {
    const segment = { ...box, x: box.x + index * (width + gap), width };
    pen.rect(segment, done ? "segment-full" : "segment", 2.5).attr("fill", done ? (dead ? theme.line : fill) : "none");
  });
}

/** A row of the storage strip; side by side where the strip is flat. */
export function storageBox({ storage, orientation }: StageLayout, index: number): Box | null {
  if (orientation === "vertical") {
    const width = 72;
    const x = storage.x + storage.width - 6 - (index + 1) * (width + 2);
    return x < storage.x + 126 ? null : { x, y: storage.y + 2, width, height: 26 };
  }
  const row = storageRow(storage, index);
  return row.y + row.height + 2 > storage.y + storage.height ? null : row;
}

export function drawStored(
  pen: Pen,
  checkpoint: CheckpointFrame,
  box: Box,
  orientation: Orientation,
  context: MarkContext,
): void {
  const { theme } = context;
  const state = checkpoint.look.label;
  const rail = isRail(box);
  const wide = orientation === "horizontal" && !rail;
  const middle = box.y + box.height / 2;
  pen.rect(box, `stored${checkpoint.restoreCandidate ? " candidate" : ""}`, 5);
  drawFlag(pen, checkpoint.id, box.x + (rail ? 3 : 8), middle - 10, context, checkpoint.savepoint);
  const x = box.x + 16 + String(checkpoint.id).length * 7.2 + 12;
  const end = box.x + box.width - (rail ? 2 : 8);
  if (wide) pen.text(x, middle + 4.2, checkpoint.savepoint ? "savepoint" : `chk-${checkpoint.id}`, "stored-name");
  if (wide && checkpoint.savepoint && state === "COMPLETED")
    pen.text(end - 16, middle + 4.2, context.text.owner(checkpoint.owner), "panel-quiet", "end");
  if (state === "COMPLETED") {
    const label = checkpoint.restoreCandidate ? "◀" : "✓";
    pen.text(end, middle + 4.2, label, checkpoint.restoreCandidate ? "stored-candidate" : "stored-state", "end");
  } else if (state === "ABORTED") pen.text(end, middle + 4.2, "✖", "stored-failed", "end");
  else if (!rail)
    pen.text(end, middle + 4.2, `${checkpoint.acknowledged}/${checkpoint.expected}`, "stored-state", "end");
  if (state === "PENDING" || state === "FINALIZING") {
    const track = { x: box.x + 6, y: box.y + box.height - 3, width: box.width - 12, height: 2 };
    pen.rect(track, "stored-track", 1);
    pen
      .rect(
        { ...track, width: (track.width * checkpoint.acknowledged) / Math.max(1, checkpoint.expected) },
        "stored-progress",
        1,
      )
      .attr("fill", epochColour(theme, checkpoint.id).fill);
  }
}
