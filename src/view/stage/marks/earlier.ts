/** Rows of the storage strip for what earlier jobs have left, below those of this one: name, and whose it is. */
import type { EarlierFrame, Scene } from "../frame-types.ts";
import type { LaterText } from "../text.ts";
import { isRail, storageRow } from "../storage-rows.ts";
import type { MarkContext } from "./context.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

/** `free`: y from which on the strip has other things. */
export function drawEarlier(
  pen: Pen,
  { layout, storage }: Scene,
  free: number,
  { theme }: MarkContext,
  words: LaterText,
): void {
  if (layout.orientation === "vertical" || isRail(layout.storage)) return;
  const { checkpoints, earlier } = storage;
  for (const [index, snapshot] of earlier.entries()) {
    const box = storageRow(layout.storage, checkpoints.length + index);
    const more = earlier.length - index;
    // The last row that there is room for tells how many there are besides.
    const last = box.y + box.height * 2 > free;
    if (box.y + box.height > free) return;
    if (last && more > 1) return void pen.text(box.x + 8, box.y + 18, words.earlier(more), "panel-quiet");
    drawRow(pen, snapshot, box, theme, words);
  }
}

function drawRow(
  pen: Pen,
  { checkpoint, savepoint, job, owner }: EarlierFrame,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  { line }: MarkContext["theme"],
  words: LaterText,
): void {
  const middle = box.y + box.height / 2;
  const x = box.x + 8;
  pen.rect(box, "stored earlier", 5);
  pen
    .path(`M${x},${middle - 10}v20${savepoint ? `M${x - 4},${middle - 10}v20` : ""}`, "flag-pole")
    .attr("stroke", line);
  const tag = words.ownedBy(owner, job);
  const right = box.x + box.width - 8;
  const name = savepoint ? `sp-${checkpoint}` : `chk-${checkpoint}`;
  pen.text(x + 8, middle + 4.2, fitted(name, right - textWidth(tag) - x - 14), "stored-name");
  pen.text(right, middle + 4.2, tag, "panel-quiet", "end");
}
