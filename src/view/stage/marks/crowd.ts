/** Records that are too many to be told apart: dots, or bands along their channels. */
import type { Theme } from "../../theme.ts";
import type { Band } from "../bands.ts";
import type { PlacedToken } from "../crowd.ts";

/** Edge of a dot, as it is seen. */
const DOT = 3.5;

export function drawDots(
  canvas: CanvasRenderingContext2D,
  records: readonly PlacedToken[],
  magnification: number,
  theme: Theme,
): void {
  const edge = Math.max(DOT, DOT / magnification);
  for (const again of [false, true]) {
    canvas.fillStyle = again ? theme.outcomes.DUPLICATE.fill : theme.record;
    for (const { token, place } of records)
      if (token.pass > 1 === again) canvas.fillRect(place.x - edge / 2, place.y - edge / 2, edge, edge);
  }
}

/** The more records, the broader. */
export function drawBands(canvas: CanvasRenderingContext2D, bands: readonly Band[], theme: Theme): void {
  canvas.strokeStyle = theme.record;
  canvas.lineCap = "butt";
  for (const { from, to, records } of bands) {
    canvas.lineWidth = Math.min(16, 1.5 + Math.sqrt(records) * 1.5);
    canvas.beginPath();
    canvas.moveTo(from.x, from.y);
    canvas.lineTo(to.x, to.y);
    canvas.stroke();
  }
}
