/** What moves in one picture of two runs: what both have is drawn once, of all else each run's half. */
import { at } from "../../../base/assert.ts";
import type { Theme } from "../../theme.ts";
import type { Frame, Token } from "../frame-types.ts";
import type { Size } from "../layout-types.ts";
import { placeOf } from "../motion.ts";
import { type MovingLayer, type View, createMovingLayer } from "../moving.ts";
import type { Box } from "../path.ts";
import { type Halves, halfOf, sharedTokens } from "./halves.ts";

/** Nothing that moves is wider or higher, around its middle. */
const AROUND = 14;

interface Sheet {
  readonly canvas: HTMLCanvasElement;
  readonly layer: MovingLayer;
}

export interface BothMoving {
  resize(size: Size, ratio: number): void;
  paint(
    a: Frame,
    b: Frame,
    how: {
      readonly halves: Halves;
      readonly share: number;
      readonly view: View;
      readonly theme: Theme;
      still: boolean;
    },
  ): void;
}

/** Three canvases above one another: what both have, and what only one has. */
export function createBothMoving(first: HTMLCanvasElement, again: () => void): BothMoving {
  const sheets = [first, copyOf(first), copyOf(first)].map((canvas): Sheet => {
    if (canvas !== first) first.parentElement?.insertBefore(canvas, first.nextSibling);
    return { canvas, layer: createMovingLayer(canvas, again) };
  });
  let ratio = 1;
  return {
    resize(size, pixels) {
      ratio = pixels;
      for (const { layer } of sheets) layer.resize(size, pixels);
    },
    paint(a, b, { halves, share, view, theme, still }) {
      const shared = sharedTokens(a, b, still);
      const differs = (id: number): boolean => halves.subtasks.has(id);
      const paint = ({ layer }: Sheet, frame: Frame, isMeant: (token: Token) => boolean, own: boolean): void => {
        const { scene, clock } = frame;
        const tokens = scene.tokens.filter(isMeant);
        const subtasks = scene.subtasks.filter(({ id }) => differs(id) === own);
        layer.paint({ scene: { ...scene, tokens, subtasks }, clock }, view, theme, still, null);
      };
      const [whole, onlyA, onlyB] = [at(sheets, 0), at(sheets, 1), at(sheets, 2)];
      paint(whole, a, (token) => shared.has(token), false);
      paint(onlyA, a, (token) => !shared.has(token), true);
      paint(onlyB, b, (token) => !shared.has(token), true);
      for (const [{ canvas }, frame, other] of [
        [onlyA, a, "b"],
        [onlyB, b, "a"],
      ] as const) {
        const boxes = boxesOf(frame, shared, halves, still).map((box) => halfOf(box, other, share));
        clear(canvas, boxes, view, ratio);
      }
    },
  };
}

function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  return canvas.cloneNode() as HTMLCanvasElement;
}

/** Where the frame draws what the other does not have so. */
function boxesOf({ scene, clock }: Frame, shared: ReadonlySet<Token>, { subtasks }: Halves, still: boolean): Box[] {
  const tokens = scene.tokens.flatMap((token): Box[] => {
    const place = shared.has(token) ? null : placeOf(token, clock, still);
    const [width, height] = [AROUND * 2, AROUND * 2];
    return place === null ? [] : [{ x: place.x - AROUND, y: place.y - AROUND, width, height }];
  });
  return [...tokens, ...[...subtasks.keys()].map((id) => at(scene.layout.subtasks, id).box)];
}

function clear(canvas: HTMLCanvasElement, boxes: readonly Box[], { x, y, k }: View, ratio: number): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
  for (const box of boxes) context.clearRect(box.x, box.y, box.width, box.height);
}
