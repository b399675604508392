/** What marks mean, of those that are on the stage now: lines at the foot of the storage strip, from one table. */
import { epochColour } from "../../theme.ts";
import type { Scene } from "../frame-types.ts";
import type { MarkContext } from "./context.ts";
import { drawHourglass } from "./load.ts";
import { fitted, type Pen } from "./pen.ts";

export const legendMarks = [
  "blocked",
  "storing",
  "stored",
  "restored",
  "overtakes",
  "given",
  "alignment",
  "cause",
  "restarts",
] as const;
export type LegendMark = (typeof legendMarks)[number];

const isShown: { readonly [M in LegendMark]: (scene: Scene) => boolean } = {
  blocked: ({ channels }) => channels.some(({ blocked }) => blocked !== null),
  storing: ({ tokens }) => tokens.some(({ captured }) => captured?.stored === false),
  stored: ({ tokens }) => tokens.some(({ captured }) => captured?.stored === true),
  restored: ({ tokens }) => tokens.some(({ restored }) => restored),
  overtakes: ({ tokens }) => tokens.some(({ overtakes }) => overtakes),
  given: ({ tokens }) => tokens.some(({ kind }) => kind === "state"),
  alignment: ({ subtasks }) => subtasks.some(({ alignment }) => alignment !== null && alignment !== "aligned"),
  restarts: ({ regions }) => regions.some(({ restarts }) => restarts),
  cause: ({ subtasks }) => subtasks.some(({ load }) => load !== null && load.holds.length > 0),
};

/** The marks on the stage, one word each: the same string as long as they are the same. */
export function legendOf(scene: Scene): string {
  return legendMarks.filter((mark) => isShown[mark](scene)).join(" ");
}

const LINE = 19;

export function drawLegend(pen: Pen, shown: string, scene: Scene, context: MarkContext): void {
  pen.clear();
  const { storage, orientation } = scene.layout;
  if (orientation === "vertical" || shown === "") return;
  const marks = shown.split(" ") as LegendMark[];
  const top = storage.y + storage.height - 38 - (marks.length - 1) * LINE;
  marks.forEach((mark, index) => {
    const y = top + index * LINE;
    if (y < storage.y + 74) return;
    drawMark(pen, mark, storage.x + 20, y, context);
    pen.text(storage.x + 36, y + 4, fitted(context.text.legend(mark), storage.width - 42), "panel-quiet");
  });
}

/** As on the stage, in a colour that stands for that of any checkpoint. */
function drawMark(pen: Pen, mark: LegendMark, x: number, y: number, { theme, text }: MarkContext): void {
  const { fill } = epochColour(theme, 0);
  switch (mark) {
    case "blocked":
      pen.path(`M${x - 3},${y - 1}v-2.4a3,3 0 0,1 6,0v2.4`, "lock-bow").attr("stroke", fill);
      pen.rect({ x: x - 4.8, y: y - 1, width: 9.6, height: 7.4 }, "lock-body", 1.8).attr("fill", fill);
      break;
    case "storing":
    case "stored":
      pen.circle(x, y - 3, 3.6, "legend-record");
      pen
        .rect({ x: x - 5, y: y + 3, width: 10, height: 3 }, "legend-ribbon")
        .attr("fill", mark === "stored" ? fill : theme.canvas)
        .attr("stroke", fill);
      if (mark === "stored") pen.path(`M${x + 6},${y + 6}v-6.5l-6.5,6.5Z`, "legend-corner").attr("fill", fill);
      else pen.rect({ x: x + 2.2, y: y + 1.9, width: 5.2, height: 5.2 }, "legend-corner").attr("fill", fill);
      break;
    case "restored":
      pen.circle(x, y, 3.6, "legend-record");
      pen.path(`M${x - 4},${y - 6}h-3v12h3M${x + 4},${y - 6}h3v12h-3`, "legend-bracket");
      break;
    case "overtakes":
      pen
        .path(`M${x - 3},${y + 7}l3,-14l9,2l-2,7l-8.5,-2`, "legend-flag")
        .attr("stroke", fill)
        .attr("fill", fill);
      pen.path(`M${x - 9},${y - 4}l4,4l-4,4`, "legend-bracket").style("stroke", fill);
      break;
    case "given":
      pen.rect({ x: x - 10, y: y - 6.5, width: 20, height: 13 }, "badge-box", 4).attr("stroke", fill);
      break;
    case "alignment":
      pen.text(x, y + 4, text.alignment("unaligned"), "badge-word", "middle").style("fill", fill);
      break;
    case "restarts":
      pen.rect({ x: x - 7, y: y - 5, width: 14, height: 10 }, "region-frame", 3);
      break;
    case "cause":
      drawHourglass(pen, x, y);
      break;
  }
}
