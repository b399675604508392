/** State that a failure took, struck through beside what is there, in the place of the card's numbers; it rolls back as it is restored. */
import { at } from "../../../base/assert.ts";
import type { GhostFrame, GhostValue, SubtaskFrame } from "../frame-types.ts";
import type { SubtaskPlace } from "../layout-types.ts";
import { drawMore, placed, type Room, roomOn, ROW } from "./card-room.ts";
import { drawKey } from "./key-shape.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

/** Cards have room for it; on the card of a failure its cause has the room. */
export function drawGhost(pen: Pen, subtask: SubtaskFrame, { box, density }: SubtaskPlace): void {
  const { ghost } = subtask;
  if (density !== "full" || ghost === null || (subtask.failure !== null && ghost.values.every(isGone))) return;
  const body = pen.inside(box.x + 14, box.y + 26, "card-ghosts");
  const room = roomOn(box, true);
  if (ghost.kind === "positions") drawPositions(body, ghost, room);
  else drawValues(body, ghost, room);
}

const isGone = ({ now }: GhostValue): boolean => now === null;

function drawValues(body: Pen, { kind, values, rolls }: GhostFrame, room: Room): void {
  const shape = kind === "keys" ? 15 : 0;
  const places = placed(
    values.map((value) => shape + widthOf(value) + 10),
    room,
  );
  for (const [index, { x, row }] of places.entries()) {
    const value = at(values, index);
    if (kind === "keys") drawKey(body, value.key, value.name, x + 5, 11 + row * ROW, 5, "state-key");
    drawNumber(body, value, rolls, x + shape, 15.5 + row * ROW);
  }
  drawMore(body, values.length - places.length, room);
}

function drawPositions(body: Pen, { values, rolls }: GhostFrame, { width, rows }: Room): void {
  for (const [row, value] of values.slice(0, rows).entries()) {
    const y = 15.5 + row * ROW;
    const wide = widthOf(value, "@");
    if (width > 110) body.text(0, y, fitted(value.name, width - wide - 8), "card-label");
    drawNumber(body, value, rolls, width - wide, y, "@");
  }
}

const words = (value: number | null, mark: string): string => (value === null ? "" : `${mark}${value}`);

function widthOf({ now, before }: GhostValue, mark = ""): number {
  const struck = before === null ? 0 : textWidth(words(before, mark));
  return textWidth(words(now, mark), 13, 550) + (now === null || before === null ? 0 : 4) + struck;
}

function drawNumber(body: Pen, value: GhostValue, rolls: GhostFrame["rolls"], x: number, y: number, mark = ""): void {
  const { now, before } = value;
  let left = x;
  if (now !== null) {
    const text = body.text(left, y, words(now, mark), "card-value");
    if (before !== null && rolls !== null) {
      const data = { rolls: mark, from: before, to: now, begin: rolls.from, end: rolls.to };
      for (const [name, datum] of Object.entries(data)) text.attr(`data-${name}`, datum);
    }
    left += textWidth(words(now, mark), 13, 550) + 4;
  }
  if (before !== null) body.text(left, y, words(before, mark), "card-ghost");
}

/** What a number that rolls back shows at a time; without motion it is there at once. */
export function roll(layer: SVGGElement, clock: number, still: boolean): void {
  for (const node of layer.querySelectorAll<SVGTextElement>("[data-rolls]")) {
    const [from, to, begin, end] = ["from", "to", "begin", "end"].map((name) => Number(node.dataset[name])) as [
      number,
      number,
      number,
      number,
    ];
    const share = still || end <= begin ? 1 : Math.min(1, Math.max(0, (clock - begin) / (end - begin)));
    const shown = words(Math.round(from + (to - from) * ease(share)), node.dataset["rolls"] ?? "");
    if (node.textContent !== shown) node.textContent = shown;
  }
}

/** Slow, quick, slow. */
const ease = (share: number): number => share * share * (3 - 2 * share);
