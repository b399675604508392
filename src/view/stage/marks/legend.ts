/**
 * What marks mean, of those that are on the stage now: lines at the foot of the storage strip, from one table. The table
 * says as well who carries a mark, so that pointing at a line shows them.
 */
import { epochColour } from "../../theme.ts";
import type { Scene, SubtaskFrame, Token } from "../frame-types.ts";
import type { MarkContext } from "./context.ts";
import { drawHourglass } from "./load.ts";
import { fitted, type Pen } from "./pen.ts";
import type { LaterText } from "../text.ts";

export const legendMarks = [
  "blocked",
  "locked",
  "acknowledged",
  "storing",
  "stored",
  "restored",
  "overtakes",
  "given",
  "alignment",
  "cause",
  "restarts",
  "ghost",
] as const;
export type LegendMark = (typeof legendMarks)[number];

/** Who carries a mark: channels and subtasks by their numbers, and things that move. */
interface Carriers {
  readonly channels: (scene: Scene) => readonly number[];
  readonly subtasks: (scene: Scene) => readonly number[];
  readonly token: (token: Token) => boolean;
}

const none = { channels: () => [], subtasks: () => [], token: () => false } as const;

function subtasksThat(holds: (subtask: SubtaskFrame, scene: Scene) => boolean): Pick<Carriers, "subtasks"> {
  return { subtasks: (scene) => scene.subtasks.filter((subtask) => holds(subtask, scene)).map(({ id }) => id) };
}

function isCell({ id }: SubtaskFrame, { layout }: Scene): boolean {
  return layout.subtasks[id]?.density === "cells";
}

const carriers: { readonly [M in LegendMark]: Carriers } = {
  blocked: {
    ...none,
    channels: ({ channels }) => channels.filter(({ blocked }) => blocked !== null).map(({ id }) => id),
  },
  locked: { ...none, ...subtasksThat((subtask, scene) => subtask.blockedInputs > 0 && isCell(subtask, scene)) },
  acknowledged: {
    ...none,
    ...subtasksThat((subtask, scene) => subtask.ring?.phase === "acknowledged" && isCell(subtask, scene)),
  },
  storing: { ...none, token: ({ captured }) => captured?.stored === false },
  stored: { ...none, token: ({ captured }) => captured?.stored === true },
  restored: { ...none, token: ({ restored }) => restored },
  overtakes: { ...none, token: ({ overtakes }) => overtakes },
  given: { ...none, token: ({ kind }) => kind === "state" },
  alignment: { ...none, ...subtasksThat(({ alignment }) => alignment !== null && alignment !== "aligned") },
  cause: { ...none, ...subtasksThat(({ load }) => load !== null && load.holds.length > 0) },
  restarts: { ...none, ...subtasksThat(({ restarts }) => restarts) },
  ghost: {
    ...none,
    ...subtasksThat(({ id, ghost }, { layout }) => ghost !== null && layout.subtasks[id]?.density === "full"),
  },
};

export function carriersOf(mark: LegendMark): Carriers {
  return carriers[mark];
}

/** The marks on the stage, in the order of the table. */
export function legendOf(scene: Scene): LegendMark[] {
  return legendMarks.filter((mark) => {
    const { channels, subtasks, token } = carriers[mark];
    return channels(scene).length > 0 || subtasks(scene).length > 0 || scene.tokens.some(token);
  });
}

/** A line of the legend; the same word as long as it is the same line. */
export interface LegendLine {
  readonly mark: LegendMark;
  readonly y: number;
}

/** Lines are as high as what is pointed at has to be. */
const LINE = 24;

/** The lines that there is room for. */
export function legendLines({ layout: { storage, orientation } }: Scene, marks: readonly LegendMark[]): LegendLine[] {
  if (orientation === "vertical") return [];
  const top = storage.y + storage.height - 38 - (marks.length - 1) * LINE;
  return marks.map((mark, index) => ({ mark, y: top + index * LINE })).filter(({ y }) => y >= storage.y + 74);
}

/** Where it begins; without a line where the strip's last line does. */
export function legendTop({ layout: { storage } }: Scene, [first]: readonly LegendLine[]): number {
  return first === undefined ? storage.y + storage.height - 30 : first.y - LINE / 2;
}

export function drawLegendLine(
  pen: Pen,
  { mark, y }: LegendLine,
  { layout: { storage } }: Scene,
  context: MarkContext,
  words: LaterText,
): void {
  const box = { x: storage.x + 6, y: y - LINE / 2, width: storage.width - 12, height: LINE };
  pen.rect(box, "hit legend-hit", 5);
  pen.rect(box, "focus-ring", 5);
  draws[mark](pen, { x: storage.x + 20, y, fill: epochColour(context.theme, 0).fill, context });
  pen.text(storage.x + 36, y + 4, fitted(words.legend(mark), storage.width - 42), "panel-quiet");
}

interface Place {
  readonly x: number;
  readonly y: number;
  /** In a colour that stands for that of any checkpoint. */
  readonly fill: string;
  readonly context: MarkContext;
}

function drawCaptured(pen: Pen, { x, y, fill, context }: Place, stored: boolean): void {
  pen.circle(x, y - 3, 3.6, "legend-record");
  pen
    .rect({ x: x - 5, y: y + 3, width: 10, height: 3 }, "legend-ribbon")
    .attr("fill", stored ? fill : context.theme.canvas)
    .attr("stroke", fill);
  if (stored) pen.path(`M${x + 6},${y + 6}v-6.5l-6.5,6.5Z`, "legend-corner").attr("fill", fill);
  else pen.rect({ x: x + 2.2, y: y + 1.9, width: 5.2, height: 5.2 }, "legend-corner").attr("fill", fill);
}

/** As on the stage. */
const draws: { readonly [M in LegendMark]: (pen: Pen, place: Place) => void } = {
  blocked(pen, { x, y, fill }) {
    pen.path(`M${x - 3},${y - 1}v-2.4a3,3 0 0,1 6,0v2.4`, "lock-bow").attr("stroke", fill);
    pen.rect({ x: x - 4.8, y: y - 1, width: 9.6, height: 7.4 }, "lock-body", 1.8).attr("fill", fill);
  },
  locked(pen, { x, y, context }) {
    pen.rect({ x: x - 6, y: y - 6, width: 12, height: 12 }, "cell", 1.5).attr("fill", context.theme.tones.running.fill);
    pen.path(`M${x - 6.5},${y - 3}h5v6h-5Z`, "cell-notch");
  },
  acknowledged(pen, { x, y, fill, context }) {
    pen.rect({ x: x - 6, y: y - 6, width: 12, height: 12 }, "cell", 1.5).attr("fill", context.theme.tones.running.fill);
    pen.path(`M${x - 0.5},${y - 6}h6.5v6.5Z`, "cell-corner").attr("fill", fill);
  },
  storing: (pen, place) => drawCaptured(pen, place, false),
  stored: (pen, place) => drawCaptured(pen, place, true),
  restored(pen, { x, y }) {
    pen.circle(x, y, 3.6, "legend-record");
    pen.path(`M${x - 4},${y - 6}h-3v12h3M${x + 4},${y - 6}h3v12h-3`, "legend-bracket");
  },
  overtakes(pen, { x, y, fill }) {
    pen
      .path(`M${x - 3},${y + 7}l3,-14l9,2l-2,7l-8.5,-2`, "legend-flag")
      .attr("stroke", fill)
      .attr("fill", fill);
    pen.path(`M${x - 9},${y - 4}l4,4l-4,4`, "legend-bracket").style("stroke", fill);
  },
  given(pen, { x, y, fill }) {
    pen.rect({ x: x - 10, y: y - 6.5, width: 20, height: 13 }, "badge-box", 4).attr("stroke", fill);
  },
  alignment(pen, { x, y, fill, context }) {
    pen.text(x, y + 4, context.text.alignment("unaligned"), "badge-word", "middle").style("fill", fill);
  },
  restarts(pen, { x, y }) {
    pen.rect({ x: x - 7, y: y - 5, width: 14, height: 10 }, "region-frame", 3);
  },
  ghost(pen, { x, y }) {
    pen.text(x, y + 4.5, "12", "card-ghost", "middle");
  },
  cause(pen, { x, y }) {
    drawHourglass(pen, x, y);
  },
};
