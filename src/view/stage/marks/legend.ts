/**
 * What marks mean, of those that are on the stage now: lines at the foot of the storage strip, from one table. The table
 * says as well who carries a mark, so that pointing at a line shows them.
 */
import { epochColour } from "../../theme.ts";
import type { StageElement } from "../elements.ts";
import type { Scene, SubtaskFrame, Token } from "../frame-types.ts";
import type { MarkContext } from "./context.ts";
import { type Link, linkOf } from "./link.ts";
import { drawHourglass } from "./load.ts";
import { drawLetters, fitted, type Pen } from "./pen.ts";
import { drawArc } from "./timeout.ts";
import type { Hatched, LaterText } from "../text.ts";

export const legendMarks = [
  "uncommitted",
  "gone",
  "blocked",
  "locked",
  "acknowledged",
  "storing",
  "stored",
  "restored",
  "overtakes",
  "lost",
  "given",
  "alignment",
  "cause",
  "timeout",
  "restarts",
  "broken",
  "blocking",
  "ghost",
] as const;
export type LegendMark = (typeof legendMarks)[number];

/** Who carries a mark: channels and subtasks by their numbers, and things that move. */
interface Carriers {
  readonly channels: (scene: Scene) => readonly number[];
  readonly subtasks: (scene: Scene) => readonly number[];
  readonly partitions: (scene: Scene) => readonly StageElement[];
  readonly token: (token: Token) => boolean;
}

const none = { channels: () => [], subtasks: () => [], partitions: () => [], token: () => false } as const;

function subtasksThat(holds: (subtask: SubtaskFrame, scene: Scene) => boolean): Pick<Carriers, "subtasks"> {
  return { subtasks: (scene) => scene.subtasks.filter((subtask) => holds(subtask, scene)).map(({ id }) => id) };
}

function isCell({ id }: SubtaskFrame, { layout }: Scene): boolean {
  return layout.subtasks[id]?.density === "cells";
}

function linked(scene: Scene, link: Link): number[] {
  return scene.channels
    .filter((each) => scene.layout.channels[each.id] && linkOf(each, scene) === link)
    .map(({ id }) => id);
}

const carriers: { readonly [M in LegendMark]: Carriers } = {
  uncommitted: {
    ...none,
    partitions: ({ outputs, layout }) =>
      outputs
        .filter(({ id, cells }) => layout.outputs[id] !== null && cells.some(({ fate }) => fate === "open"))
        .map(({ id }) => ({ kind: "output", id })),
  },
  gone: {
    ...none,
    partitions: ({ inputs, layout }) =>
      inputs
        .filter(({ id, cells }) => layout.inputs[id] !== null && cells.some(({ gone }) => gone))
        .map(({ id }) => ({ kind: "input", id })),
  },
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
  lost: { ...none, token: ({ falls }) => falls !== null },
  given: { ...none, token: ({ kind }) => kind === "state" },
  alignment: { ...none, ...subtasksThat(({ alignment }) => alignment !== null && alignment !== "aligned") },
  cause: { ...none, ...subtasksThat(({ load }) => load !== null && load.holds.length > 0) },
  timeout: {
    ...none,
    ...subtasksThat(
      ({ id, transactions }, { layout }) =>
        layout.subtasks[id]?.density === "full" && transactions.some(({ clock }) => clock !== null),
    ),
  },
  restarts: { ...none, ...subtasksThat(({ restarts }) => restarts) },
  broken: { ...none, channels: (scene) => linked(scene, "broken") },
  blocking: { ...none, channels: (scene) => linked(scene, "blocking") },
  ghost: {
    ...none,
    ...subtasksThat(({ id, ghost }, { layout }) => ghost !== null && layout.subtasks[id]?.density !== "cells"),
  },
};

export function carriersOf(mark: LegendMark): Carriers {
  return carriers[mark];
}

/** The marks on the stage, in the order of the table. */
export function legendOf(scene: Scene): LegendMark[] {
  return legendMarks.filter((mark) => {
    const { channels, subtasks, partitions, token } = carriers[mark];
    return [channels, subtasks, partitions].some((of) => of(scene).length > 0) || scene.tokens.some(token);
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

/** As on the stage: hatched, or solid with its letter. */
function drawHatched(pen: Pen, { x, y, context }: Place, what: Hatched): void {
  const box = { x: x - 9, y: y - 7, width: 18, height: 14 };
  pen.rect(box, "log-cell open", 2);
  pen.rect(box, "log-hatch", 2).attr("fill", "url(#stage-hatch-open)");
  drawLetters(pen, [true], what, { x: x - 3, y: y + 1 }, 0, context);
}

/** As on the stage. */
const draws: { readonly [M in LegendMark]: (pen: Pen, place: Place) => void } = {
  uncommitted: (pen, place) => drawHatched(pen, place, "open"),
  gone: (pen, place) => drawHatched(pen, place, "gone"),
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
  lost(pen, { x, y, fill }) {
    pen.rect({ x: x - 9, y: y - 6, width: 18, height: 12 }, "badge-box", 2).attr("stroke", fill);
    pen.path(`M${x - 7},${y - 7}l14,14m0,-14l-14,14`, "ring-cross");
  },
  given(pen, { x, y, fill }) {
    pen.rect({ x: x - 10, y: y - 6.5, width: 20, height: 13 }, "badge-box", 4).attr("stroke", fill);
  },
  alignment(pen, { x, y, fill, context }) {
    pen.text(x, y + 4, context.text.alignment("unaligned"), "badge-word", "middle").style("fill", fill);
  },
  timeout(pen, { x, y, context }) {
    drawArc(pen, x, y, 6.5, context.theme.tones.open.edge).attr("stroke-dasharray", "0.7 2");
  },
  restarts(pen, { x, y }) {
    pen.rect({ x: x - 7, y: y - 5, width: 14, height: 10 }, "region-frame", 3);
  },
  broken(pen, { x, y }) {
    pen.path(`M${x - 10},${y}h5m10,0h5`, "channel-line");
    pen.path(`M${x + 2},${y - 8}l-5,8h6l-5,8`, "channel-spark");
  },
  blocking(pen, { x, y }) {
    pen.path(`M${x - 10},${y}h12`, "channel-double");
    pen.path(`M${x - 10},${y}h12`, "channel-between");
    pen.path(`M${x},${y - 4}a5,2 0 0,1 10,0v8a5,2 0 0,1 -10,0Zm0,0a5,2 0 0,0 10,0`, "channel-store");
  },
  ghost(pen, { x, y }) {
    pen.text(x, y + 4.5, "12", "card-ghost", "middle");
  },
  cause(pen, { x, y }) {
    drawHourglass(pen, x, y);
  },
};
