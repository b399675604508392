/** A subtask: its attempt's state, its part in the checkpoint, what it holds. As a card, a row, or a cell. */
import type { SubtaskFrame } from "../frame-types.ts";
import type { SubtaskPlace } from "../layout-types.ts";
import type { Box } from "../path.ts";
import type { StageText } from "../text.ts";
import { epochColour, type Theme } from "../../theme.ts";
import type { MarkContext } from "./context.ts";
import { drawHourglass } from "./load.ts";
import { drawKey } from "./key-shape.ts";
import { fitted, type Pen, textWidth, wrapped } from "./pen.ts";
import { drawRing, RING_INSET, RING_RADIUS } from "./ring.ts";

const ROW = 22;
/** Room that the TaskManager's name takes at the end of the last row. */
const NOTE_WIDTH = 36;

export function drawSubtask(pen: Pen, subtask: SubtaskFrame, place: SubtaskPlace, context: MarkContext): void {
  if (place.density === "cells") drawCell(pen, subtask, place.box, context);
  else if (place.density === "compact") drawRow(pen, subtask, place.box, context);
  else drawCard(pen, subtask, place.box, context);
}

function tone(subtask: SubtaskFrame, theme: Theme): { fill: string; edge: string } {
  return theme.tones[subtask.look.tone];
}

function isGone(subtask: SubtaskFrame): boolean {
  return subtask.dead || subtask.look.label === "FAILED" || subtask.look.label === "CANCELED";
}

function drawCell(pen: Pen, subtask: SubtaskFrame, box: Box, { theme }: MarkContext): void {
  const { fill, edge } = tone(subtask, theme);
  pen.rect(box, "cell", 1.5).attr("fill", fill).attr("stroke", edge);
  if (subtask.ring?.phase === "acknowledged")
    pen.circle(box.x + box.width / 2, box.y + box.height / 2, box.width * 0.24, "cell-acknowledged");
}

function drawRow(pen: Pen, subtask: SubtaskFrame, box: Box, context: MarkContext): void {
  const { theme, text } = context;
  const { fill, edge } = tone(subtask, theme);
  pen.rect(box, "card", 4);
  pen.rect({ x: box.x, y: box.y, width: 4, height: box.height }, "swatch", 2).attr("fill", fill).attr("stroke", edge);
  const name = `[${subtask.number}]`;
  const attempt = subtask.attempt > 0 ? text.attempt(subtask.attempt) : "";
  pen.text(box.x + 10, box.y + 15.5, name, "card-name");
  pen.text(box.x + 12 + textWidth(name, 13, 650), box.y + 15.5, attempt, "card-attempt");
  const left = attempt === "" ? 38 : 20 + textWidth(name, 13, 650) + textWidth(attempt);
  const word = wordOf(subtask, text);
  pen.text(box.x + left, box.y + 15.5, fitted(word, box.width - 28 - left), "card-word");
  if (subtask.ring !== null) drawRing(pen, subtask.ring, box.x + box.width - 12, box.y + box.height / 2, theme);
}

/** What it holds; before it runs what it was given, if anything. */
function wordOf(subtask: SubtaskFrame, text: StageText): string {
  if (subtask.look.label === "RUNNING") return stateSummary(subtask);
  return subtask.given.length > 0 ? subtask.given.join("  ") : text.taskState(subtask.look.label);
}

function stateSummary(subtask: SubtaskFrame): string {
  if (subtask.state.length > 0) return subtask.state.map(({ name, value }) => `${name} ${value}`).join("  ");
  if (subtask.transactions.length > 0)
    return subtask.transactions.map(({ look, records }) => `${look.icon}${records}`).join(" ");
  return subtask.positions.map(({ next }) => `@${next}`).join(" ");
}

function drawCard(pen: Pen, subtask: SubtaskFrame, box: Box, context: MarkContext): void {
  const { theme } = context;
  const { fill, edge } = tone(subtask, theme);
  const frozen = subtask.ring?.phase === "sync";
  pen.rect(
    box,
    `card${frozen ? " frozen" : ""}${isGone(subtask) ? (subtask.failure === null ? " away" : " gone") : ""}${subtask.stalled ? " stalled" : ""}`,
    6,
  );
  pen.path(swatchPath(box), "swatch").attr("fill", fill).attr("stroke", edge);
  drawHeading(pen, subtask, box, context);
  const body = pen.inside(box.x + 14, box.y + 26, "card-body");
  const noted = hasNote(subtask, box);
  const room = {
    width: box.width - 22,
    lastWidth: box.width - 22 - (noted ? NOTE_WIDTH : 0),
    rows: box.height >= 74 ? 2 : 1,
  };
  if (subtask.failure !== null && isGone(subtask)) drawFailure(body, subtask, room, context);
  else if (subtask.positions.length > 0) drawPositions(body, subtask, room);
  else if (subtask.counter !== null) body.text(0, 15, String(subtask.counter), "card-value");
  else drawState(body, subtask, room);
  if (noted) pen.text(box.x + box.width - 8, box.y + box.height - 9, subtask.taskManager ?? "", "card-note", "end");
  if (subtask.dead || subtask.look.label === "FAILED") drawCrack(pen, box);
}

/** The bar in the state's hue along the card's left side, within its rounded corners. */
function swatchPath({ x, y, height }: Box): string {
  const r = 6;
  const w = 6;
  return `M${x + r},${y}V${y + height}a${r},${r} 0 0,1 ${-r},${-r}V${y + r}a${r},${r} 0 0,1 ${r},${-r}Z`.replace(
    `${x + r}`,
    `${x + w}`,
  );
}

function drawHeading(pen: Pen, subtask: SubtaskFrame, box: Box, { theme, text }: MarkContext): void {
  const y = box.y + 20;
  const name = `[${subtask.number}]`;
  pen.text(box.x + 14, y, name, "card-name");
  const ringX = box.x + box.width - RING_INSET;
  let right = subtask.ring === null ? box.x + box.width - 8 : ringX - RING_RADIUS - 2;
  if (subtask.ring !== null) drawRing(pen, subtask.ring, ringX, box.y + 16, theme);
  else if (subtask.attempt > 0 && box.width >= 104) {
    const badge = text.attempt(subtask.attempt);
    pen.text(right, y, badge, "card-attempt", "end");
    right -= textWidth(badge) + 6;
  }
  if (subtask.ring !== null && subtask.alignment !== null)
    right = drawAlignment(
      pen,
      text.alignment(subtask.alignment),
      epochColour(theme, subtask.ring.checkpoint).fill,
      right,
      y,
    );
  if (subtask.load !== null && subtask.load.holds.length > 0) {
    drawHourglass(pen, right - 7, y - 4.5);
    right -= 16;
  }
  const { icon, tone, label } = subtask.look;
  const word = subtask.stalled ? text.stalled() : text.taskState(label);
  const left = box.x + 14 + textWidth(name, 13, 650) + 6;
  const wordX = left + textWidth(icon) + 3;
  // Where there is no room for both, the word stands for the state, and the hue beside it.
  const wordOnly = wordX + textWidth(word) > right && left + textWidth(word) <= right;
  if (!wordOnly && left + 10 <= right) pen.text(left, y, icon, "card-icon").style("fill", theme.tones[tone].edge);
  const whole = wordOnly || wordX + textWidth(word) <= right;
  if (right - wordX > 30 && (whole || label !== "RUNNING"))
    pen.text(wordOnly ? left : wordX, y, fitted(word, right - (wordOnly ? left : wordX)), "card-word");
}

/** How it takes part in the checkpoint, beside the ring; what is left of the line. */
function drawAlignment(pen: Pen, words: string, colour: string, right: number, y: number): number {
  const width = textWidth(words, 12, 700) + 8;
  pen.rect({ x: right - width, y: y - 12.5, width, height: 16.5 }, "badge-box", 4).attr("stroke", colour);
  pen.text(right - width / 2, y, words, "badge-word", "middle").style("fill", colour);
  return right - width - 4;
}

interface Room {
  readonly width: number;
  /** Of the last row. */
  readonly lastWidth: number;
  readonly rows: number;
}

/** Keyed state: the key's shape and its value, as many as fit. */
function drawState(body: Pen, { state }: SubtaskFrame, room: Room): void {
  let x = 0;
  let row = 0;
  for (const [index, entry] of state.entries()) {
    const value = String(entry.value);
    const width = 15 + textWidth(value, 13, 550) + 11;
    const most = row === room.rows - 1 ? room.lastWidth : room.width;
    if (x > 0 && x + width > most + 8) {
      x = 0;
      row++;
    }
    if (row >= room.rows) {
      body.text(room.lastWidth, 15.5 + (room.rows - 1) * ROW, `+${state.length - index}`, "card-more", "end");
      return;
    }
    drawKey(body, entry.key, entry.name, x + 5, 11 + row * ROW, 5, "state-key");
    body.text(x + 15, 15.5 + row * ROW, value, "card-value");
    x += width;
  }
}

function drawPositions(body: Pen, { positions }: SubtaskFrame, room: Room): void {
  for (const [row, { name, next }] of positions.slice(0, room.rows).entries()) {
    const y = 15.5 + row * ROW;
    const last = row === room.rows - 1 && positions.length > room.rows;
    const value = last ? `@${next} +${positions.length - room.rows}` : `@${next}`;
    if (room.width > 90) body.text(0, y, fitted(name, room.width - textWidth(value, 13, 550) - 8), "card-label");
    body.text(room.width, y, value, "card-value", "end");
  }
}

function drawFailure(body: Pen, subtask: SubtaskFrame, room: Room, { text }: MarkContext): void {
  wrapped(text.reason(subtask.failure ?? ""), room.width - 22, room.rows).forEach((line, index) =>
    body.text(0, 15.5 + index * 16, line, "card-failure"),
  );
}

/** The last row's right end names the TaskManager, where there is room. */
function hasNote(subtask: SubtaskFrame, box: Box): boolean {
  return box.height >= 74 && box.width >= 120 && subtask.taskManager !== null && !isGone(subtask);
}

/** What is left of a failure: a static crack across the card. */
function drawCrack(pen: Pen, box: Box): void {
  const x = box.x + box.width * 0.88;
  const h = box.height;
  pen.path(`M${x},${box.y}l-7,${h * 0.28}l9,${h * 0.14}l-11,${h * 0.3}l6,${h * 0.28}`, "crack");
}
