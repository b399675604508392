/**
 * What moves and what no first picture has: data that a checkpoint stores or brought back, barriers that overtake, pieces of
 * state, what is lost, records that are too many, and the arrows that stand where nothing moves. Fetched with the first of them.
 */
import type { Capture } from "../../../projection/channel-contents.ts";
import { epochColour, type Theme } from "../../theme.ts";
import { bandsOf } from "../bands.ts";
import { CHIP_HEIGHT, chipWidth } from "../chip.ts";
import type { PlacedToken } from "../crowd.ts";
import type { Token } from "../frame-types.ts";
import { pointAt } from "../path.ts";
import { drawBands, drawDots } from "./crowd.ts";
import { drawBarrier, drawEnvelope, label, pole } from "./tokens.ts";

export interface Rare {
  readonly capture: (canvas: CanvasRenderingContext2D, capture: Capture, theme: Theme) => void;
  readonly brackets: (canvas: CanvasRenderingContext2D, theme: Theme) => void;
  readonly overtaking: (canvas: CanvasRenderingContext2D, checkpoint: number, angle: number, theme: Theme) => void;
  readonly end: (canvas: CanvasRenderingContext2D, angle: number, theme: Theme) => void;
  readonly piece: (canvas: CanvasRenderingContext2D, token: Token, theme: Theme) => void;
  /** `fallen`: from 0 to 1. */
  readonly fallen: (canvas: CanvasRenderingContext2D, token: Token, fallen: number, theme: Theme) => void;
  readonly dots: typeof drawDots;
  readonly bands: (
    canvas: CanvasRenderingContext2D,
    records: readonly PlacedToken[],
    distanceOf: (token: Token) => number,
    theme: Theme,
  ) => void;
  readonly arrow: (canvas: CanvasRenderingContext2D, token: Token, theme: Theme) => void;
}

/**
 * What a checkpoint stores of the data in flight: a ribbon in its colour, below what its reader stores and above what its
 * writer does; hollow with a disk while it is written, full with a corner once it is stored.
 */
function drawCapture(canvas: CanvasRenderingContext2D, { checkpoint, side, stored }: Capture, theme: Theme): void {
  const { fill } = epochColour(theme, checkpoint);
  const turn = side === "input" ? 1 : -1;
  canvas.beginPath();
  canvas.rect(-5, turn * 9 - 1.5, 10, 3);
  canvas.fillStyle = stored ? fill : theme.canvas;
  canvas.fill();
  canvas.strokeStyle = fill;
  canvas.lineWidth = 1.2;
  canvas.stroke();
  canvas.fillStyle = fill;
  canvas.beginPath();
  if (stored) {
    canvas.moveTo(6, turn * 10.5);
    canvas.lineTo(6, turn * 4);
    canvas.lineTo(-0.5, turn * 10.5);
  } else canvas.rect(2.2, turn * 9 - 2.6, 5.2, 5.2);
  canvas.fill();
  if (stored) return;
  canvas.fillStyle = theme.canvas;
  canvas.fillRect(3.8, turn * 9 - 2.6, 2, 1.7);
}

/** A record that came back from a checkpoint's channel state. */
function drawBrackets(canvas: CanvasRenderingContext2D, theme: Theme): void {
  canvas.beginPath();
  for (const turn of [-1, 1]) {
    canvas.moveTo(turn * 4.5, -8);
    canvas.lineTo(turn * 7.5, -8);
    canvas.lineTo(turn * 7.5, 8);
    canvas.lineTo(turn * 4.5, 8);
  }
  canvas.strokeStyle = theme.text;
  canvas.lineWidth = 1.6;
  canvas.lineCap = "butt";
  canvas.stroke();
}

/** How far an overtaking barrier leans forward. */
const LEAN = (12 * Math.PI) / 180;

function drawOvertaking(canvas: CanvasRenderingContext2D, mark: number, angle: number, theme: Theme): void {
  canvas.rotate(LEAN);
  drawBarrier(canvas, mark, angle, theme, "plain");
  canvas.beginPath();
  for (const x of [-9, -4.5]) {
    canvas.moveTo(x - 3, -5);
    canvas.lineTo(x + 1, 0);
    canvas.lineTo(x - 3, 5);
  }
  canvas.strokeStyle = epochColour(theme, mark).fill;
  canvas.lineWidth = 1.8;
  canvas.stroke();
  canvas.rotate(-LEAN);
}

/** How far what is lost turns over as it falls. */
const TUMBLE = 0.6;

/** What is lost falls, with a cross over it in a rim of the ground, so that it stands out from the letter. */
function drawFallen(canvas: CanvasRenderingContext2D, token: Token, fallen: number, theme: Theme): void {
  canvas.rotate(-fallen * TUMBLE);
  drawEnvelope(canvas, token, theme);
  if (fallen > 0) drawLost(canvas, theme);
  canvas.rotate(fallen * TUMBLE);
}

function drawLost(canvas: CanvasRenderingContext2D, theme: Theme): void {
  canvas.beginPath();
  canvas.moveTo(-11, -11);
  canvas.lineTo(11, 11);
  canvas.moveTo(11, -11);
  canvas.lineTo(-11, 11);
  canvas.strokeStyle = theme.canvas;
  canvas.lineWidth = 6;
  canvas.stroke();
  canvas.strokeStyle = theme.danger;
  canvas.lineWidth = 2.6;
  canvas.stroke();
}

/** A piece of state: whose it was, and what of it. */
function drawPiece(canvas: CanvasRenderingContext2D, { letter, mark }: Token, theme: Theme): void {
  const width = chipWidth(letter);
  canvas.beginPath();
  canvas.roundRect(-width / 2, -CHIP_HEIGHT / 2, width, CHIP_HEIGHT, 4);
  canvas.fillStyle = theme.canvas;
  canvas.fill();
  canvas.strokeStyle = epochColour(theme, mark).fill;
  canvas.lineWidth = 1.6;
  canvas.stroke();
  label(canvas, letter, 0, theme.text);
}

/** Without motion an arrow leads from where something was to where it goes. */
function drawArrow(canvas: CanvasRenderingContext2D, { path, from, to }: Token, theme: Theme): void {
  canvas.beginPath();
  for (let part = 0; part <= ARROW_PARTS; part++) {
    const { x, y } = pointAt(path, from + ((to - from) * part) / ARROW_PARTS);
    canvas.lineTo(x, y);
  }
  const { x, y, angle } = pointAt(path, to);
  for (const turn of [-0.5, 0.5]) {
    canvas.moveTo(x - 8 * Math.cos(angle + turn), y - 8 * Math.sin(angle + turn));
    canvas.lineTo(x, y);
  }
  canvas.strokeStyle = theme.text2;
  canvas.lineWidth = 1.8;
  canvas.stroke();
}

const ARROW_PARTS = 16;

/** The end of data, or of the channel: two poles across it. */
function drawEnd(canvas: CanvasRenderingContext2D, angle: number, theme: Theme): void {
  const upright = Math.abs(Math.cos(angle)) > 0.7;
  canvas.lineCap = "round";
  canvas.strokeStyle = theme.record;
  canvas.lineWidth = 2.6;
  for (const [x, y] of upright
    ? [
        [-3, 0],
        [6, 0],
      ]
    : [
        [0, -3],
        [0, 6],
      ]) {
    canvas.translate(x as number, y as number);
    pole(canvas, 9, upright);
  }
  canvas.translate(upright ? -3 : 0, upright ? 0 : -3);
}

export const rare: Rare = {
  end: drawEnd,
  capture: drawCapture,
  brackets: drawBrackets,
  overtaking: drawOvertaking,
  piece: drawPiece,
  fallen: drawFallen,
  dots: drawDots,
  bands: (canvas, records, distanceOf, theme) => drawBands(canvas, bandsOf(records, distanceOf), theme),
  arrow: drawArrow,
};
