/** The JobManager's strip: the job's status, the failures counted, and what its completed store holds. */
import type { CheckpointFrame, JobManagerFrame } from "../frame-types.ts";
import type { StageLayout } from "../layout-types.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { drawFlag, storeWidth } from "./checkpoint.ts";
import { JOB_RIGHT, leaderName } from "./leader-name.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

export function drawJobManager(pen: Pen, frame: JobManagerFrame, layout: StageLayout, context: MarkContext): void {
  const box = layout.jobManager;
  pen.rect(box, `panel raised${frame.leader.present ? "" : " gone"}`, 10);
  if (layout.orientation === "vertical") drawNarrow(pen, frame, layout, context);
  else drawWide(pen, frame, layout, context);
}

function drawStatus(pen: Pen, frame: JobManagerFrame, x: number, y: number, { theme, text }: MarkContext): void {
  const { fill, edge } = theme.tones[frame.look.tone];
  pen
    .rect({ x, y: y - 12, width: 6, height: 15 }, "swatch", 2)
    .attr("fill", fill)
    .attr("stroke", edge);
  pen.text(x + 14, y, text.jobState(frame.look.label), "job-state");
}

function drawWide(pen: Pen, frame: JobManagerFrame, layout: StageLayout, context: MarkContext): void {
  const { text } = context;
  const box = layout.jobManager;
  drawName(pen, frame, box.x + 14, box.y + 24, context);
  drawStatus(pen, frame, box.x + 14, box.y + 50, context);
  drawBudget(pen, frame, box.x + 14, box.y + 92, JOB_RIGHT - 18, context);
  if (frame.restart === null)
    pen.text(
      box.x + 14,
      box.y + 73,
      fitted(text.failures(frame.failures, frame.tolerable), JOB_RIGHT - 20),
      "panel-note",
    );
  pen.line(box.x + JOB_RIGHT + 4, box.y + 14, box.x + JOB_RIGHT + 4, box.y + box.height - 14, "rule");
  const right = box.x + box.width - storeWidth(box);
  const left = box.x + JOB_RIGHT + 22;
  const room = right - left - 12;
  if (frame.current.length === 0) pen.text(left, box.y + 50, fitted(text.noCheckpoint(), room), "panel-quiet");
  pen.text(left, box.y + box.height - 12, fitted(text.next(frame.next), room), "panel-note");
  pen.line(right, box.y + 14, right, box.y + box.height - 14, "rule");
  drawStore(pen, frame, right + 16, { ...box, x: right, width: storeWidth(box) }, context);
}

/** The newest that are kept, as many as there is room for. */
function drawStore(pen: Pen, { completed }: JobManagerFrame, left: number, box: Box, context: MarkContext): void {
  const { text } = context;
  pen.text(left, box.y + 24, text.completedStore(), "panel-title");
  if (completed.length === 0) pen.text(left, box.y + 50, text.storeEmpty(), "panel-quiet");
  let x = left;
  const end = box.x + box.width - 4;
  for (const checkpoint of newest(completed, end - left)) {
    drawFlag(pen, checkpoint.id, x, box.y + 38, context);
    if (checkpoint.restoreCandidate) pen.text(x + flagRoom(checkpoint) - 24, box.y + 52, "◀", "stored-candidate");
    x += flagRoom(checkpoint);
  }
}

const FLAGS = 4;

function newest(completed: readonly CheckpointFrame[], room: number): readonly CheckpointFrame[] {
  let left = room;
  const first = completed.findLastIndex((checkpoint) => (left -= flagRoom(checkpoint)) < 0) + 1;
  return completed.slice(Math.max(first, completed.length - FLAGS));
}

function flagRoom({ id, restoreCandidate }: CheckpointFrame): number {
  return 30 + (String(id).length - 1) * 7 + (restoreCandidate ? 14 : 0);
}

function drawNarrow(pen: Pen, frame: JobManagerFrame, layout: StageLayout, context: MarkContext): void {
  const { text } = context;
  const box = layout.jobManager;
  drawName(pen, frame, box.x + 12, box.y + 21, context);
  drawStatus(pen, frame, box.x + 34 + textWidth(leaderName(frame, context), 12, 600), box.y + 21, context);
  if (frame.restart !== null) drawBudget(pen, frame, box.x + 12, box.y + box.height - 10, box.width - 24, context);
  if (frame.restart === null) {
    if (frame.current.length === 0) pen.text(box.x + 12, box.y + 50, text.noCheckpoint(), "panel-quiet");
    const [first] = frame.current;
    const failed = first?.reason ?? null;
    const words = first === undefined || failed === null ? text.next(frame.next) : text.failed(failed, first.counts);
    pen.text(box.x + 12, box.y + box.height - 10, fitted(words, box.width - 24), "panel-note");
  }
}

/** One that is gone is crossed out. */
function drawName(pen: Pen, frame: JobManagerFrame, x: number, y: number, context: MarkContext): void {
  pen.text(x, y, leaderName(frame, context), frame.leader.present ? "panel-title" : "panel-title gone");
}

/** More than these are told by their number alone. */
const PIPS = 6;

/** What the restart strategy has left: in words, and a mark for each restart that may still come. */
function drawBudget(
  pen: Pen,
  { budget }: JobManagerFrame,
  x: number,
  y: number,
  width: number,
  { text }: MarkContext,
): void {
  const words = fitted(text.budget(budget), width);
  pen.text(x, y, words, budget.kind !== "none" && budget.used > 0 ? "panel-strong" : "panel-note");
  if (budget.kind === "none" || budget.of === null || budget.of > PIPS) return;
  const left = x + textWidth(words, 12, 600) + 8;
  if (left + budget.of * 10 > x + width) return;
  for (let index = 0; index < budget.of; index++)
    pen.rect(
      { x: left + index * 10, y: y - 8, width: 7, height: 7 },
      index < budget.of - budget.used ? "pip" : "pip used",
      1.5,
    );
}

export interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "end";
}

/** Where the countdown to a restart is written; it runs with time, so the stage sets it with every frame. */
export function countdownPlace({ jobManager: { x, y }, orientation }: StageLayout): TextPlace {
  return { x: x + 14, y: orientation === "vertical" ? y + 50 : y + 73, anchor: "start" };
}
