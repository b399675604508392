/**
 * Where one is on a stage that is larger than the room: its boxes in small, those of vertices in the hue of the gravest
 * state, and a frame around what is in sight. A press or a drag on it moves the frame. For keys there is no need of it:
 * the stage follows the focus.
 */
import { at } from "../../base/assert.ts";
import type { Theme } from "../theme.ts";
import type { Scene, SubtaskFrame } from "./frame-types.ts";
import type { Size, StageLayout } from "./layout-types.ts";
import type { View } from "./moving.ts";
import type { Box, Point } from "./path.ts";

/** The largest it may be. */
const WIDTH = 168;
const HEIGHT = 110;

export interface Minimap {
  paint(scene: Scene, view: View, room: Size, theme: Theme): void;
  hide(): void;
  remove(): void;
}

/** How many of its pixels one of the stage's has. */
export function mapScale(world: Size): number {
  return Math.min(WIDTH / world.width, HEIGHT / world.height);
}

/** What is in sight, on the map. */
export function sightOn(scale: number, { x, y, k }: View, room: Size): Box {
  return {
    x: (0 - x / k) * scale,
    y: (0 - y / k) * scale,
    width: (room.width / k) * scale,
    height: (room.height / k) * scale,
  };
}

const GRAVEST = ["FAILED", "CANCELING", "CANCELED", "CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING", "RUNNING"];

/** The one of a vertex's subtasks whose state is the gravest. */
function gravest(subtasks: readonly SubtaskFrame[]): SubtaskFrame | undefined {
  const rank = ({ dead, look }: SubtaskFrame): number => (dead ? -1 : GRAVEST.indexOf(look.label) & 0xff);
  let worst = subtasks[0];
  for (const subtask of subtasks) if (worst !== undefined && rank(subtask) < rank(worst)) worst = subtask;
  return worst;
}

export function createMinimap(root: HTMLElement, lookAt: (point: Point) => void): Minimap {
  const canvas = document.createElement("canvas");
  canvas.className = "stage-map";
  canvas.setAttribute("aria-hidden", "true");
  root.append(canvas);
  let scale = 1;
  const go = (event: PointerEvent): void => {
    const box = canvas.getBoundingClientRect();
    lookAt({ x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale });
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    go(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) go(event);
  });
  return {
    paint(scene, view, room, theme) {
      canvas.hidden = false;
      scale = mapScale(scene.layout);
      draw(canvas, scene, scale, sightOn(scale, view, room), theme);
    },
    hide: () => {
      canvas.hidden = true;
    },
    remove: () => canvas.remove(),
  };
}

function draw(canvas: HTMLCanvasElement, scene: Scene, scale: number, sight: Box, theme: Theme): void {
  const { layout } = scene;
  const ratio = window.devicePixelRatio;
  const [width, height] = [Math.round(layout.width * scale), Math.round(layout.height * scale)];
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  pen.scale(ratio, ratio);
  pen.fillStyle = theme.hairline;
  for (const box of panelsOf(layout)) fill(pen, box, scale);
  layout.vertices.forEach(({ box }, index) => {
    const members = at(scene.graph.vertices, index).subtasks.map((subtask) => at(scene.subtasks, subtask));
    const worst = gravest(members);
    const tone = worst === undefined ? null : theme.tones[worst.dead ? "failed" : worst.look.tone];
    pen.fillStyle = tone?.edge ?? theme.line;
    fill(pen, box, scale);
  });
  pen.strokeStyle = theme.focus;
  pen.lineWidth = 2;
  pen.strokeRect(
    Math.max(1, sight.x),
    Math.max(1, sight.y),
    Math.min(width - 2 - Math.max(0, sight.x), sight.width),
    Math.min(height - 2 - Math.max(0, sight.y), sight.height),
  );
}

function panelsOf({ jobManager, sources, storage, outside, taskManagers }: StageLayout): readonly Box[] {
  return [jobManager, sources, storage, outside, ...taskManagers];
}

function fill(pen: CanvasRenderingContext2D, { x, y, width, height }: Box, scale: number): void {
  pen.fillRect(x * scale, y * scale, Math.max(1.5, width * scale), Math.max(1.5, height * scale));
}
