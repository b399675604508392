/** A subtask: its attempt's state, its part in the checkpoint, what it holds. As a card, a row, or a cell. */
import { at } from "../../../base/assert.ts";
import type { SubtaskFrame } from "../frame-types.ts";
import { type Form, formFor } from "../detail.ts";
import type { SubtaskPlace } from "../layout-types.ts";
import type { Box } from "../path.ts";
import type { StageText } from "../text.ts";
import { epochColour, type Theme } from "../../theme.ts";
import type { MarkContext } from "./context.ts";
import { drawMore, NOTE_WIDTH, placed, type Room, roomOn, ROW } from "./card-room.ts";
import { drawHourglass } from "./load.ts";
import { drawKey, keyLetter } from "./key-shape.ts";
import { fitted, type Pen, textWidth, wrapped } from "./pen.ts";
import { leavesFree } from "./transaction.ts";
import { drawRing, RING_INSET, RING_RADIUS } from "./ring.ts";

/** From far away a cell, whatever it is; from near what there is room for at that scale. */
export function drawSubtask(pen: Pen, subtask: SubtaskFrame, place: SubtaskPlace, context: MarkContext): void {
  const { box, density } = place;
  const units = density === "full" ? 1 : Math.max(1, context.detail);
  if (context.detail < 1) drawCell(pen, subtask, box, context);
  else if (units === 1) forms[density](pen, subtask, box, context);
  else {
    const large = { x: 0, y: 0, width: box.width * units, height: box.height * units };
    near[formFor(large.width, large.height)](pen.inside(box.x, box.y, "near", units), subtask, large, context);
  }
}

type Draw = (pen: Pen, subtask: SubtaskFrame, box: Box, context: MarkContext) => void;

const forms: { readonly [D in SubtaskPlace["density"]]: Draw } = {
  full: drawCard,
  compact: drawRow,
  cells: drawCell,
};
const near: { readonly [F in Form]: Draw } = { card: drawCard, row: drawRow, tile: drawTile, cell: drawCell };

/** Number, state and ring below one another, where there is no room for more. */
function drawTile(pen: Pen, subtask: SubtaskFrame, box: Box, { theme }: MarkContext): void {
  const { fill, edge } = tone(subtask, theme);
  pen.rect(box, `card${isGone(subtask) ? " gone" : ""}${subtask.stalled ? " stalled" : ""}`, 4);
  pen
    .rect({ ...box, width: 4 }, "swatch", 2)
    .attr("fill", fill)
    .attr("stroke", edge);
  pen.text(box.x + 8, box.y + 15, String(subtask.number), "card-name");
  const low = box.y + box.height - 12;
  pen.text(box.x + 8, low + 4, subtask.look.icon, "card-icon").style("fill", edge);
  if (subtask.ring !== null) drawRing(pen, subtask.ring, box.x + box.width - 10, low + 1, theme, ROW_RING);
}

function tone(subtask: SubtaskFrame, theme: Theme): { fill: string; edge: string } {
  return theme.tones[subtask.look.tone];
}

function isGone(subtask: SubtaskFrame): boolean {
  return subtask.dead || subtask.look.label === "FAILED" || subtask.look.label === "CANCELED";
}

/** Half of a cell's edge is the corner that says that it has acknowledged. */
const CORNER = 0.55;
/** A smaller cell is full or hollow, and crossed where it failed. */
const MARKS_FROM = 6;

/**
 * A cell: its hue is its state's, and so that no hue has to be told, what does not run is hollow or crossed; an upper
 * corner in the checkpoint's colour says that it has acknowledged, a notch at the side of its inputs that one is locked.
 */
function drawCell(pen: Pen, subtask: SubtaskFrame, box: Box, { theme }: MarkContext): void {
  const { fill, edge } = tone(subtask, theme);
  const { label } = subtask.look;
  const full = label === "RUNNING" || label === "FINISHED";
  pen
    .rect(box, "cell", 1.5)
    .attr("fill", full && !subtask.dead ? fill : theme.canvas)
    .attr("stroke", subtask.dead ? theme.danger : edge);
  const { x, y, width, height } = box;
  if (width < MARKS_FROM && !subtask.dead && label !== "FAILED") return;
  if (subtask.dead || label === "FAILED" || label === "CANCELED" || label === "CANCELING")
    pen
      .path(`M${x + 1},${y + 1}l${width - 2},${height - 2}m0,${2 - height}l${2 - width},${height - 2}`, "cell-cross")
      .attr("stroke", subtask.dead ? theme.danger : edge);
  else if (!full) pen.path(`M${x + 1},${y + height - 1}l${width - 2},${2 - height}`, "cell-cross").attr("stroke", edge);
  else if (label === "FINISHED")
    pen.path(`M${x + 2},${y + height / 2}h${width - 4}`, "cell-cross").attr("stroke", theme.canvas);
  if (subtask.ring?.phase === "acknowledged") {
    const side = width * CORNER;
    pen
      .path(`M${x + width - side},${y}h${side}v${side}Z`, "cell-corner")
      .attr("fill", epochColour(theme, subtask.ring.checkpoint).fill);
  }
  if (subtask.blockedInputs > 0)
    pen.path(`M${x - 0.5},${y + height * 0.25}h${width * 0.4}v${height * 0.5}h${-width * 0.4}Z`, "cell-notch");
}

/** The radius of a row's ring. */
export const ROW_RING = 8;

/** One row: `word` says why it stands out; without, what it holds. */
export function drawRow(
  pen: Pen,
  subtask: SubtaskFrame,
  box: Box,
  context: MarkContext,
  word: string | null = null,
): void {
  const { theme, text } = context;
  const { fill, edge } = tone(subtask, theme);
  const middle = box.y + box.height / 2;
  pen.rect(box, `card${isGone(subtask) ? " gone" : ""}${subtask.stalled ? " stalled" : ""}`, 4);
  pen.rect({ x: box.x, y: box.y, width: 4, height: box.height }, "swatch", 2).attr("fill", fill).attr("stroke", edge);
  // Where there is no room for both, the ring matters more than the brackets.
  const name = box.width < NARROW ? String(subtask.number) : `[${subtask.number}]`;
  pen.text(box.x + 8, middle + 4.5, name, "card-name");
  let right = box.x + box.width - (subtask.ring === null ? 4 : ROW_RING * 2 + 6);
  let left = box.x + 8 + textWidth(name, 13, 650) + 6;
  if (subtask.attempt > 0 && left + textWidth(text.attempt(subtask.attempt)) <= right) {
    pen.text(left, middle + 4.5, text.attempt(subtask.attempt), "card-attempt");
    left += textWidth(text.attempt(subtask.attempt)) + 6;
  }
  if (subtask.ring !== null) drawRing(pen, subtask.ring, box.x + box.width - ROW_RING - 2, middle, theme, ROW_RING);
  const gone = word === null ? goneOf(subtask) : "";
  const room = Math.min(textWidth(gone), (right - left) / 2);
  if (room > GONE_MIN) {
    pen.text(right, middle + 4.5, fitted(gone, room), "card-ghost", "end");
    right -= room + 6;
  }
  const words = word ?? wordOf(subtask, text, right - left);
  // A beginning of a word that says nothing is left out.
  if (right - left >= Math.min(textWidth(words), WORD_MIN))
    pen.text(left, middle + 4.5, fitted(words, right - left), word === null ? "card-word" : "card-word strong");
}

const WORD_MIN = 34;
const GONE_MIN = 12;

/** What a failure took of it, until it is there again. */
function goneOf({ ghost }: SubtaskFrame): string {
  const mark = ghost?.kind === "positions" ? "@" : "";
  return (ghost?.values ?? []).flatMap(({ before }) => (before === null ? [] : [`${mark}${before}`])).join(" ");
}
const NARROW = 66;

/** What it holds; before it runs what it was given, if anything. */
function wordOf(subtask: SubtaskFrame, text: StageText, room: number): string {
  if (subtask.look.label === "RUNNING") return stateSummary(subtask, room);
  return subtask.given.length > 0 ? subtask.given.join("  ") : text.taskState(subtask.look.label);
}

/** Of a sink the newest transactions that there is room for: the one that it writes into comes last, and stays. */
function stateSummary(subtask: SubtaskFrame, room: number): string {
  if (subtask.state.length > 0) return subtask.state.map(({ name, value }) => `${keyLetter(name)} ${value}`).join("  ");
  if (subtask.transactions.length > 0) {
    const all = subtask.transactions.map(({ look, records }) => `${look.icon}${records}`);
    return (
      [all.join(" "), all.at(-1) ?? "", subtask.transactions.at(-1)?.look.icon ?? ""].find(
        (words) => textWidth(words) <= room,
      ) ?? ""
    );
  }
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
  const room = roomOn(box, noted);
  if (subtask.failure !== null && isGone(subtask)) drawFailure(body, subtask, room, context);
  else if (subtask.ghost === null) drawHeld(body, subtask, room);
  if (noted) pen.text(box.x + box.width - 8, box.y + box.height - 9, subtask.taskManager ?? "", "card-note", "end");
  if (subtask.dead || subtask.look.label === "FAILED") drawCrack(pen, box);
}

/** What it holds; beside what a failure took another mark draws it. */
function drawHeld(body: Pen, subtask: SubtaskFrame, room: Room): void {
  if (subtask.positions.length > 0) drawPositions(body, subtask, room);
  else if (subtask.counter !== null) body.text(0, 15, String(subtask.counter), "card-value");
  else drawState(body, subtask, room);
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

/** Keyed state: the key's shape and its value, as many as fit. */
function drawState(body: Pen, { state }: SubtaskFrame, room: Room): void {
  const places = placed(
    state.map(({ value }) => 15 + textWidth(String(value), 13, 550) + 11),
    room,
  );
  for (const [index, { x, row }] of places.entries()) {
    const { key, name, value } = at(state, index);
    drawKey(body, key, name, x + 5, 11 + row * ROW, 5, "state-key");
    body.text(x + 15, 15.5 + row * ROW, String(value), "card-value");
  }
  drawMore(body, state.length - places.length, room);
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

/** The last row's right end names the TaskManager, where there is room: transactions and the time that one has left come first. */
function hasNote(subtask: SubtaskFrame, box: Box): boolean {
  if (box.height < 74 || box.width < 120 || subtask.taskManager === null || isGone(subtask)) return false;
  const taken = subtask.transactions.length + (subtask.transactions.some(({ clock }) => clock !== null) ? 1 : 0);
  return leavesFree(box, taken, NOTE_WIDTH + 8);
}

/** What is left of a failure: a static crack across the card. */
function drawCrack(pen: Pen, box: Box): void {
  const x = box.x + box.width * 0.88;
  const h = box.height;
  pen.path(`M${x},${box.y}l-7,${h * 0.28}l9,${h * 0.14}l-11,${h * 0.3}l6,${h * 0.28}`, "crack");
}
