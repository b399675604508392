/** What moves, drawn on the canvas: records, barriers, messages, snapshot files. Each is drawn around the origin. */
import { epochColour, type Theme } from "../../theme.ts";
import { SAVEPOINT, type Token } from "../frame-types.ts";
import type { Placed } from "../path.ts";
import { keyLetter, shapePath } from "./key-shape.ts";
import type { Rare } from "./rare.ts";

const RECORD_RADIUS = 5.4;
const FONT = "600 12px ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

/** Shapes as paths, made when first needed: never while a module is loaded, so that tests run without a canvas. */
const shapes = new Map<number, Path2D | null>();

function shapeOf(key: number): Path2D | null {
  let shape = shapes.get(key);
  if (shape === undefined) {
    const d = shapePath(key, 0, 0, RECORD_RADIUS);
    shape = d === null ? null : new Path2D(d);
    shapes.set(key, shape);
  }
  return shape;
}

/** `rare`: what no first picture has; `null` until its code is there. */
export function drawToken(
  canvas: CanvasRenderingContext2D,
  token: Token,
  place: Placed,
  theme: Theme,
  rare: Rare | null,
): void {
  canvas.translate(place.x, place.y);
  switch (token.kind) {
    case "record":
      if (token.captured !== null) rare?.capture(canvas, token.captured, theme);
      drawRecord(canvas, token, theme);
      if (token.restored) rare?.brackets(canvas, theme);
      break;
    case "barrier":
      if (token.overtakes && rare !== null) rare.overtaking(canvas, token.mark, place.angle, theme);
      else drawBarrier(canvas, token.mark, place.angle, theme, token.letter === SAVEPOINT ? "saved" : "plain");
      break;
    case "cancelMarker":
      drawBarrier(canvas, token.mark, place.angle, theme, "crossed");
      break;
    case "end":
      rare?.end(canvas, place.angle, theme);
      break;
    case "envelope":
      if (place.fallen !== undefined && rare !== null) rare.fallen(canvas, token, place.fallen, theme);
      else drawEnvelope(canvas, token, theme);
      break;
    case "file":
      drawFile(canvas, token.mark, theme);
      break;
    case "state":
      rare?.piece(canvas, token, theme);
      break;
  }
  canvas.translate(-place.x, -place.y);
}

function drawRecord(canvas: CanvasRenderingContext2D, token: Token, theme: Theme): void {
  const shape = shapeOf(token.mark);
  canvas.fillStyle = theme.record;
  canvas.strokeStyle = theme.canvas;
  canvas.lineWidth = 2;
  if (token.pass > 1) {
    canvas.beginPath();
    canvas.arc(0, 0, RECORD_RADIUS + 3, 0, Math.PI * 2);
    canvas.fillStyle = theme.canvas;
    canvas.fill();
    canvas.strokeStyle = theme.outcomes.DUPLICATE.fill;
    canvas.lineWidth = 1.8;
    canvas.stroke();
    canvas.fillStyle = theme.record;
  }
  if (shape === null) drawLetter(canvas, keyLetter(token.letter), theme);
  else {
    if (token.pass === 1) canvas.stroke(shape);
    canvas.fill(shape);
  }
  if (token.pass > 1) drawPass(canvas, token.pass, theme);
}

/** How many times the record has come by now. */
function drawPass(canvas: CanvasRenderingContext2D, pass: number, theme: Theme): void {
  const words = `×${pass}`;
  const [x, y] = [RECORD_RADIUS + 8, -RECORD_RADIUS - 1];
  canvas.lineWidth = 3;
  canvas.strokeStyle = theme.canvas;
  canvas.strokeText(words, x, y);
  canvas.fillStyle = theme.text;
  canvas.fillText(words, x, y);
}

function drawLetter(canvas: CanvasRenderingContext2D, letter: string, theme: Theme): void {
  canvas.beginPath();
  const half = letter.length > 1 ? 9 : 7;
  canvas.roundRect(-half, -7.5, half * 2, 15, 3.5);
  canvas.fillStyle = theme.canvas;
  canvas.fill();
  canvas.strokeStyle = theme.record;
  canvas.lineWidth = 1.2;
  canvas.stroke();
  label(canvas, letter, 0, theme.text);
}

/**
 * How labels are written. A context keeps it until its canvas gets another size; to set it is dear, since the page's styles
 * must be up to date for it.
 */
export function setLabels(canvas: CanvasRenderingContext2D): void {
  canvas.font = FONT;
  canvas.textAlign = "center";
  canvas.textBaseline = "middle";
}

export function label(canvas: CanvasRenderingContext2D, text: string, y: number, colour: string): void {
  canvas.fillStyle = colour;
  canvas.fillText(text, 0, y + 0.5);
}

/**
 * A flag on a pole that stands across the channel; a cancellation marker carries a cross, the barrier of a savepoint has a
 * second pole and the notch of a disk.
 */
export function drawBarrier(
  canvas: CanvasRenderingContext2D,
  checkpoint: number,
  angle: number,
  theme: Theme,
  look: "plain" | "crossed" | "saved",
): void {
  const { fill, numeral } = epochColour(theme, checkpoint);
  const text = String(checkpoint);
  const width = Math.max(17, 9 + text.length * 7.2);
  const upright = Math.abs(Math.cos(angle)) > 0.7;
  const half = upright ? 11 : 9;
  canvas.lineCap = "round";
  canvas.strokeStyle = theme.canvas;
  canvas.lineWidth = 5;
  pole(canvas, half, upright);
  canvas.strokeStyle = fill;
  canvas.lineWidth = 2.6;
  pole(canvas, half, upright);
  if (look === "saved") {
    const [dx, dy] = upright ? [-5, 0] : [0, 5];
    canvas.translate(dx, dy);
    pole(canvas, half, upright);
    canvas.translate(-dx, -dy);
  }
  const [x, y] = upright ? [0, -half - 8] : [half, -7.5];
  canvas.beginPath();
  canvas.moveTo(x, y);
  canvas.lineTo(x + width, y);
  canvas.lineTo(x + width - 3, y + 7.5);
  canvas.lineTo(x + width, y + 15);
  canvas.lineTo(x, y + 15);
  canvas.closePath();
  canvas.fillStyle = fill;
  canvas.strokeStyle = theme.canvas;
  canvas.lineWidth = 1.5;
  canvas.stroke();
  canvas.fill();
  if (look === "saved") {
    canvas.fillStyle = theme.canvas;
    canvas.fillRect(x + width - 8, y, 4, 3.5);
  }
  canvas.translate(x + width / 2 - 0.5, y + 7.5);
  label(canvas, look === "crossed" ? "✕" : text, 0, numeral);
  canvas.translate(-(x + width / 2 - 0.5), -(y + 7.5));
}

export function pole(canvas: CanvasRenderingContext2D, half: number, upright: boolean): void {
  canvas.beginPath();
  canvas.moveTo(upright ? 0 : -half, upright ? -half : 0);
  canvas.lineTo(upright ? 0 : half, upright ? half : 0);
  canvas.stroke();
}

/**
 * A message between JobManager and task, with its letter: T trigger, A acknowledgement, N notification, X abort, E event
 * of an operator coordinator. What is of no checkpoint has no checkpoint's colour.
 */
export function drawEnvelope(canvas: CanvasRenderingContext2D, token: Token, theme: Theme): void {
  const fill = token.mark < 0 ? theme.text2 : epochColour(theme, token.mark).fill;
  canvas.beginPath();
  canvas.roundRect(-12, -8.5, 24, 17, 3);
  canvas.fillStyle = theme.canvas;
  canvas.fill();
  canvas.strokeStyle = fill;
  canvas.lineWidth = 1.6;
  canvas.stroke();
  canvas.beginPath();
  canvas.moveTo(-11, -7.5);
  canvas.lineTo(-5.5, -3);
  canvas.moveTo(11, -7.5);
  canvas.lineTo(5.5, -3);
  canvas.stroke();
  label(canvas, token.letter, 0.5, fill);
}

function drawFile(canvas: CanvasRenderingContext2D, checkpoint: number, theme: Theme): void {
  const { fill, numeral } = epochColour(theme, checkpoint);
  canvas.beginPath();
  canvas.moveTo(-7, -9);
  canvas.lineTo(3, -9);
  canvas.lineTo(7, -5);
  canvas.lineTo(7, 9);
  canvas.lineTo(-7, 9);
  canvas.closePath();
  canvas.fillStyle = fill;
  canvas.strokeStyle = theme.canvas;
  canvas.lineWidth = 2;
  canvas.stroke();
  canvas.fill();
  label(canvas, String(checkpoint), 1, numeral);
}

/** The part of a ring that runs with time: state being written out, from the moment it was frozen. */
export function drawSweep(
  canvas: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  share: number,
  checkpoint: number,
  theme: Theme,
): void {
  canvas.beginPath();
  canvas.arc(x, y, radius, -Math.PI / 2, -Math.PI / 2 + share * Math.PI * 2);
  canvas.strokeStyle = epochColour(theme, checkpoint).fill;
  canvas.lineWidth = 3.5;
  canvas.lineCap = "butt";
  if (theme.solid !== true) canvas.setLineDash([2.5, 1.5]);
  canvas.stroke();
  canvas.setLineDash([]);
}
