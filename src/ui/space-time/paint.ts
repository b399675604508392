/**
 * Paints the space-time picture on a canvas: lifelines with their breaks, messages (records thin, barriers double, RPCs
 * dotted, commits dashed), events, the cuts of checkpoints through their snapshot points, and a cut that somebody drew.
 */
import { scaleLinear } from "d3";
import { at } from "../../base/assert.ts";
import type { Cut, Verdict } from "../../projection/global-cuts.ts";
import type { MessageKind, SpaceTime } from "../../projection/space-time.ts";
import { concernedBy } from "../../projection/entry-elements.ts";
import { EventNumber } from "../../protocol/events.ts";
import type { EventLog } from "../../protocol/log.ts";
import { type Theme, epochColour } from "../../view/theme.ts";
import type { Barrier } from "./model.ts";
import { type Frame, MARGIN, across, along, messagesIn, pointOf, strokeOf } from "./geometry.ts";
import { moving, seenIn } from "./seen.ts";
import type { Places } from "./places.ts";

export interface Picture {
  readonly space: SpaceTime;
  readonly log: EventLog;
  readonly places: Places;
  readonly frame: Frame;
  readonly names: readonly string[];
  readonly theme: Theme;
  readonly timed: boolean;
  /** The entry at the cursor, and the one that somebody points at or has focused. */
  readonly step: number;
  readonly pointed: number | null;
  /** Lit while nobody points; `null`: everything. */
  readonly lit: ReadonlySet<number> | null;
  /** The cuts of checkpoints. */
  readonly barriers: readonly Barrier[];
  /** A cut that somebody draws, with its verdict. */
  readonly cut: Cut | null;
  readonly verdict: Verdict | null;
  /** The lifeline of what is selected. */
  readonly selected: number | null;
}

const FADED = 0.16;

const dashes: { readonly [K in MessageKind]: readonly number[] } = {
  record: [],
  barrier: [],
  rpc: [1.5, 3],
  commit: [6, 4],
  file: [1, 2],
};

/** Paints; true: records are left out, since there are too many. */
export function paint(canvas: CanvasRenderingContext2D, picture: Picture): boolean {
  const { space, places, frame, log } = picture;
  canvas.clearRect(0, 0, frame.width, frame.height);
  canvas.font = "11px system-ui, sans-serif";
  const { shown, crowded } = seenIn(space, log, places, frame.stretch);
  paintAxis(canvas, picture);
  paintLifelines(canvas, picture);
  const isLit = lightOf(picture);
  canvas.save();
  canvas.beginPath();
  if (frame.vertical) canvas.rect(0, MARGIN.top - 6, frame.width, frame.height);
  else canvas.rect(MARGIN.names - 8, 0, frame.width, frame.height);
  canvas.clip();
  for (const step of messagesOf(picture, shown))
    if (!crowded || !moving.has(log.type(step))) paintMessage(canvas, picture, step, isLit);
  for (const events of shown) for (const step of events) paintEvent(canvas, picture, step, isLit(step));
  for (const { id, cut } of picture.barriers)
    paintCut(canvas, picture, cut, { ...colourOf(picture, id), name: String(id) });
  if (picture.cut !== null) paintDrawn(canvas, picture, picture.cut);
  paintCursor(canvas, picture);
  canvas.restore();
  return crowded;
}

/** By the places of events: what was painted last, which a pointer that only moves asks for again. */
const known = new WeakMap<
  Places,
  { readonly from: number; readonly to: number; readonly receipts: readonly number[] }
>();

function messagesOf({ space, places, frame }: Picture, shown: readonly (readonly number[])[]): readonly number[] {
  const { from, to } = frame.stretch;
  const before = known.get(places);
  if (before?.from === from && before.to === to) return before.receipts;
  const receipts = messagesIn(space, places, frame.stretch, shown);
  known.set(places, { from, to, receipts });
  return receipts;
}

function colourOf({ theme }: Picture, checkpoint: number): { readonly colour: string; readonly numeral: string } {
  const { fill, numeral } = epochColour(theme, checkpoint);
  return { colour: fill, numeral };
}

/** What is in the causal past or future of what somebody points at; else what is lit. */
function lightOf({ space, pointed, lit }: Picture): (step: number) => boolean {
  if (pointed !== null) {
    const [past, future] = [space.past(pointed), space.future(pointed)];
    return (step) => step <= at(past, space.lineOf(step)) || step >= at(future, space.lineOf(step));
  }
  return lit === null ? () => true : (step) => lit.has(step);
}

function paintAxis(canvas: CanvasRenderingContext2D, { frame, theme, timed }: Picture): void {
  const { from, to } = frame.stretch;
  const ticks = scaleLinear([from, to], [0, 1]).ticks(frame.vertical ? 8 : Math.max(3, frame.width / 130));
  canvas.strokeStyle = theme.hairline;
  canvas.fillStyle = theme.text2;
  canvas.lineWidth = 1;
  for (const tick of ticks) {
    const pixel = Math.round(along(frame, tick)) + 0.5;
    const words = timed ? `${tick / 1000} s` : String(tick);
    canvas.beginPath();
    if (frame.vertical) {
      canvas.moveTo(0, pixel);
      canvas.lineTo(frame.width, pixel);
      canvas.fillText(words, 2, pixel - 3);
    } else {
      canvas.moveTo(pixel, 0);
      canvas.lineTo(pixel, frame.height - 18);
      canvas.fillText(words, pixel + 3, frame.height - 5);
    }
    canvas.stroke();
  }
}

function paintLifelines(canvas: CanvasRenderingContext2D, picture: Picture): void {
  const { space, frame, theme, names, places, selected } = picture;
  const { from, to } = frame.stretch;
  space.lifelines.forEach((_, line) => {
    canvas.strokeStyle = theme.line;
    canvas.lineWidth = line === selected ? 2.5 : 1.25;
    let begin = from;
    for (const gap of space.gaps(line)) {
      const end = places.at(gap.from);
      segment(canvas, picture, line, begin, Math.min(end, to));
      if (end >= from && end <= to) cross(canvas, picture, line, end);
      begin = gap.to < 0 ? to : places.at(gap.to);
    }
    segment(canvas, picture, line, begin, to);
    canvas.fillStyle = line === selected ? theme.text : theme.text2;
    canvas.font = `${line === selected ? "600 " : ""}11px system-ui, sans-serif`;
    paintName(canvas, frame, line, at(names, line));
  });
  canvas.font = "11px system-ui, sans-serif";
}

function paintName(canvas: CanvasRenderingContext2D, frame: Frame, line: number, name: string): void {
  const place = across(frame, line);
  if (!frame.vertical) {
    canvas.fillText(name, 6, place + 4, MARGIN.names - 14);
    return;
  }
  canvas.save();
  canvas.translate(place + 3, MARGIN.top - 8);
  canvas.rotate(-Math.PI / 3);
  canvas.fillText(name, 0, 0, MARGIN.top);
  canvas.restore();
}

function segment(canvas: CanvasRenderingContext2D, { frame }: Picture, line: number, from: number, to: number): void {
  if (to <= frame.stretch.from || from >= frame.stretch.to || to <= from) return;
  canvas.beginPath();
  canvas.moveTo(...pointOf(frame, Math.max(from, frame.stretch.from), line));
  canvas.lineTo(...pointOf(frame, to, line));
  canvas.stroke();
}

/** A process ends. */
function cross(canvas: CanvasRenderingContext2D, { frame, theme }: Picture, line: number, place: number): void {
  const [x, y] = pointOf(frame, place, line);
  canvas.strokeStyle = theme.danger;
  canvas.lineWidth = 2;
  canvas.beginPath();
  canvas.moveTo(x - 5, y - 5);
  canvas.lineTo(x + 5, y + 5);
  canvas.moveTo(x - 5, y + 5);
  canvas.lineTo(x + 5, y - 5);
  canvas.stroke();
  canvas.strokeStyle = theme.line;
  canvas.lineWidth = 1.25;
}

function checkpointOf(log: EventLog, step: number): number {
  return concernedBy(log, step).find(({ kind }) => kind === "checkpoint")?.id ?? 0;
}

/** How a message looks: red where it breaks the drawn cut, blue where it is in transit. */
function dress(
  canvas: CanvasRenderingContext2D,
  picture: Picture,
  step: number,
  isLit: (step: number) => boolean,
): void {
  const { space, theme, log, verdict } = picture;
  const kind = space.messageKind(step);
  const violates = verdict?.violations.some(({ received }) => received === step) === true;
  const transits = verdict?.inTransit.some(({ received }) => received === step) === true;
  canvas.globalAlpha = violates
    ? 1
    : isLit(step) && isLit(space.senderOf(step))
      ? kind === "record"
        ? 0.75
        : 1
      : FADED;
  const own = kind === "barrier" ? epochColour(theme, checkpointOf(log, step)).fill : theme.text3;
  canvas.strokeStyle = violates ? theme.danger : transits ? theme.link : own;
  canvas.fillStyle = canvas.strokeStyle;
  canvas.lineWidth = violates || transits ? 2 : 1;
  canvas.setLineDash([...dashes[kind]]);
}

/** An arrow from the sending to the receipt; where one of them is outside, from or to the window's edge. */
function paintMessage(
  canvas: CanvasRenderingContext2D,
  picture: Picture,
  step: number,
  isLit: (step: number) => boolean,
): void {
  const { space, frame, places } = picture;
  const sent = space.senderOf(step);
  const stroke = strokeOf(frame, [places.at(sent), space.lineOf(sent)], [places.at(step), space.lineOf(step)]);
  if (stroke === null) return;
  dress(canvas, picture, step, isLit);
  const { from, to, leaves } = stroke;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  canvas.beginPath();
  for (const side of space.messageKind(step) === "barrier" ? [-1.6, 1.6] : [0]) {
    canvas.moveTo(from[0] - uy * side, from[1] + ux * side);
    canvas.lineTo(to[0] - uy * side, to[1] + ux * side);
  }
  canvas.stroke();
  canvas.setLineDash([]);
  canvas.beginPath();
  canvas.moveTo(to[0] - ux * 6 - uy * 2.6, to[1] - uy * 6 + ux * 2.6);
  canvas.lineTo(to[0], to[1]);
  canvas.lineTo(to[0] - ux * 6 + uy * 2.6, to[1] - uy * 6 - ux * 2.6);
  // A message that goes on outside has an open head.
  if (leaves) canvas.stroke();
  else canvas.fill();
  canvas.globalAlpha = 1;
}

function paintEvent(canvas: CanvasRenderingContext2D, picture: Picture, step: number, lit: boolean): void {
  const { space, frame, places, theme, log } = picture;
  const [x, y] = pointOf(frame, places.at(step), space.lineOf(step));
  const isSnapshot = log.type(step) === EventNumber.SnapshotTaken;
  canvas.globalAlpha = lit ? 1 : FADED;
  canvas.fillStyle = isSnapshot
    ? epochColour(theme, checkpointOf(log, step)).fill
    : log.type(step) === EventNumber.FaultInjected
      ? theme.danger
      : theme.record;
  canvas.beginPath();
  if (isSnapshot) diamond(canvas, x, y, 5.5);
  else canvas.arc(x, y, moving.has(log.type(step)) ? 1.6 : 2.3, 0, 2 * Math.PI);
  canvas.fill();
  canvas.globalAlpha = 1;
}

function diamond(canvas: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  canvas.moveTo(x, y - size);
  canvas.lineTo(x + size, y);
  canvas.lineTo(x, y + size);
  canvas.lineTo(x - size, y);
  canvas.closePath();
}

/** Where a cut crosses each lifeline: behind its last event; on the storage and the log as near to the others as can be. */
function crossings({ space, places, frame }: Picture, cut: Cut): (readonly [number, number])[] {
  const last = cut.map((step) => (step < 0 ? frame.stretch.from : places.at(step)));
  const processes = last.filter((_, line) => isProcess(space, line));
  const towards = Math.max(...processes);
  return cut.map((step, line) => {
    const { events } = at(space.lifelines, line);
    const next = events[step < 0 ? 0 : space.placeOf(step) + 1];
    const end = next === undefined ? Infinity : places.at(next);
    const own = at(last, line);
    const place = isProcess(space, line) ? (own + Math.min(end, own + 1)) / 2 : Math.min(end, Math.max(own, towards));
    return pointOf(frame, place, line);
  });
}

function isProcess(space: SpaceTime, line: number): boolean {
  const { kind } = at(space.lifelines, line);
  return kind === "task" || kind === "jobManager";
}

interface CutStyle {
  readonly colour: string;
  readonly numeral: string;
  readonly name: string;
}

function paintCut(canvas: CanvasRenderingContext2D, picture: Picture, cut: Cut, style: CutStyle): void {
  const points = crossings(picture, cut);
  const [first] = points;
  if (first === undefined) return;
  canvas.strokeStyle = style.colour;
  canvas.lineWidth = 2;
  canvas.setLineDash([7, 4]);
  canvas.beginPath();
  points.forEach(([x, y], index) => (index === 0 ? canvas.moveTo(x, y) : canvas.lineTo(x, y)));
  canvas.stroke();
  canvas.setLineDash([]);
  canvas.fillStyle = style.colour;
  canvas.beginPath();
  canvas.roundRect(first[0] - 9, first[1] - 16, 18, 13, 3);
  canvas.fill();
  canvas.fillStyle = style.numeral;
  canvas.textAlign = "center";
  canvas.fillText(style.name, first[0], first[1] - 6);
  canvas.textAlign = "start";
}

function paintDrawn(canvas: CanvasRenderingContext2D, picture: Picture, cut: Cut): void {
  const { theme, verdict } = picture;
  const points = crossings(picture, cut);
  canvas.strokeStyle = verdict !== null && verdict.violations.length > 0 ? theme.danger : theme.focus;
  canvas.lineWidth = 2.5;
  canvas.beginPath();
  for (const [x, y] of points) canvas.lineTo(x, y);
  canvas.stroke();
  canvas.fillStyle = theme.canvas;
  for (const [x, y] of points) {
    canvas.beginPath();
    canvas.arc(x, y, 4.5, 0, 2 * Math.PI);
    canvas.fill();
    canvas.stroke();
  }
}

function paintCursor(canvas: CanvasRenderingContext2D, picture: Picture): void {
  const { frame, places, space, step, pointed, theme } = picture;
  canvas.strokeStyle = theme.link;
  canvas.lineWidth = 1.5;
  const here = along(frame, places.at(step));
  const [begin, end] = frame.vertical ? [MARGIN.top, frame.height] : [MARGIN.names, frame.width];
  if (here >= begin && here <= end) {
    canvas.beginPath();
    canvas.moveTo(frame.vertical ? 0 : here, frame.vertical ? here : 0);
    canvas.lineTo(frame.vertical ? frame.width : here, frame.vertical ? here : frame.height - 18);
    canvas.stroke();
  }
  if (pointed === null) return;
  canvas.strokeStyle = theme.focus;
  canvas.lineWidth = 2;
  canvas.beginPath();
  const [x, y] = pointOf(frame, places.at(pointed), space.lineOf(pointed));
  canvas.arc(x, y, 7, 0, 2 * Math.PI);
  canvas.stroke();
}
