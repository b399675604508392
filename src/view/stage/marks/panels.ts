/** Grounds and titles of the strips around the graph: what changes only with the layout. */
import type { Scene } from "../frame-types.ts";
import type { MarkContext } from "./context.ts";
import { readerColumns } from "./output.ts";
import type { Pen } from "./pen.ts";

export function drawPanels(pen: Pen, { layout }: Scene, { text }: MarkContext): void {
  const { sources, storage, outside, orientation } = layout;
  const wide = orientation === "horizontal";
  for (const box of [sources, storage, outside]) pen.rect(box, "panel", 10);
  if (wide) {
    pen.text(sources.x + 12, sources.y + 21, text.sources(), "panel-title");
    pen.text(storage.x + 12, storage.y + 21, text.storage(), "panel-title");
  } else {
    pen.text(storage.x + 10, storage.y + 19, text.storage(), "panel-title");
  }
  pen.text(outside.x + 12, outside.y + (wide ? 21 : 18), text.outside(), "panel-title");
  const columns = readerColumns(layout);
  if (columns === null) return;
  pen.text(columns.committed, outside.y + 21, text.committedReader(), "panel-note", "end");
  pen.text(columns.uncommitted, outside.y + 21, text.uncommittedReader(), "panel-note", "end");
}
