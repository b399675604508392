/** What stands beside the cells of a vertex: its counts, and a row for each subtask that stands out or is selected. */
import { at } from "../../base/assert.ts";
import type { StageElement } from "./elements.ts";
import { shownExceptions } from "./frame-summaries.ts";
import type { Scene, Standing, SubtaskFrame } from "./frame-types.ts";
import type { MarkContext } from "./marks/context.ts";
import { drawRow } from "./marks/subtask.ts";
import { drawMore, drawSummary } from "./marks/summary.ts";
import type { Painter } from "./painter.ts";
import type { Box } from "./path.ts";

/** No subtask stands out. */
const NONE = "none";

interface Row {
  readonly id: number;
  readonly subtask: SubtaskFrame;
  readonly why: Standing;
}

export type PaintSummaries = (scene: Scene, context: MarkContext, selected: StageElement | null) => void;

/** Paints them; rows that have not changed stay the same objects, so that they are not painted anew. */
export function createSummaries(painter: Painter): PaintSummaries {
  let kept = new Map<number, Row>();
  return (scene, context, selected) => {
    const { layout, summaries } = scene;
    const { rows, boxes, left } = shownRows(scene, selected?.kind === "subtask" ? selected.id : null, kept);
    kept = new Map(rows.map((row) => [row.id, row]));
    painter.still(
      "summaries",
      summaries,
      ({ id }) => String(id),
      (pen, summary) => {
        const { summary: place } = at(layout.vertices, summary.id);
        if (place !== null) drawSummary(pen, summary, place, context);
      },
    );
    painter.still(
      "mores",
      left,
      (entry) => entry.split(" ")[0] ?? "",
      (pen, entry) => {
        const [vertex, more] = entry.split(" ");
        const { summary: place } = at(layout.vertices, Number(vertex));
        if (place !== null) drawMore(pen, more === NONE ? null : Number(more), place, context);
      },
    );
    paintRows(painter, scene, context, rows, boxes);
  };
}

function paintRows(
  painter: Painter,
  scene: Scene,
  context: MarkContext,
  rows: readonly Row[],
  boxes: readonly Box[],
): void {
  const { text } = context;
  painter.elements(
    {
      kind: "subtask",
      layer: "rows",
      describe: ({ subtask }) => text.describeSubtask(subtask, scene),
      paint: (pen, { subtask, why }, box) =>
        drawRow(pen, subtask, box, context, why === "selected" ? null : text.standing(why)),
      isSecond: () => true,
    },
    rows,
    (index) => at(boxes, index),
  );
}

interface Shown {
  readonly rows: readonly Row[];
  readonly boxes: readonly Box[];
  /** By vertex its number and how many have no row, as one word: the same word as long as both are the same. */
  readonly left: readonly string[];
}

function shownRows(
  { layout, summaries, graph, subtasks }: Scene,
  chosen: number | null,
  kept: Map<number, Row>,
): Shown {
  const rows: Row[] = [];
  const boxes: Box[] = [];
  const left: string[] = [];
  for (const { id, exceptions } of summaries) {
    const places = at(layout.vertices, id).summary?.rows ?? [];
    const own = chosen !== null && graph.subtasks[chosen]?.taskVertex === id ? chosen : null;
    const shown = shownExceptions(exceptions, own, places.length);
    shown.rows.forEach(({ subtask, why }, index) => {
      const before = kept.get(subtask);
      const frame = at(subtasks, subtask);
      rows.push(before?.subtask === frame && before.why === why ? before : { id: subtask, subtask: frame, why });
      boxes.push(at(places, index));
    });
    left.push(`${id} ${shown.rows.length === 0 ? NONE : shown.more}`);
  }
  return { rows, boxes, left };
}
