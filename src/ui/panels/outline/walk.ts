/** Where keys lead in the outline: a treegrid whose rows have the focus. */
import type { OutlineRow } from "./rows.ts";

type Placed = Pick<OutlineRow, "path" | "level" | "open">;

/** Rows that PageUp and PageDown pass. */
const PAGE = 10;

/** The path of the row that gets the focus; `"turn"`: what is under this one is opened or closed; `null`: no way. */
export function moved(rows: readonly Placed[], from: Placed, key: string): string | null {
  const index = rows.findIndex(({ path }) => path === from.path);
  const to = (place: number): string => rows[Math.min(Math.max(place, 0), rows.length - 1)]?.path ?? from.path;
  switch (key) {
    case "ArrowDown":
      return to(index + 1);
    case "ArrowUp":
      return to(index - 1);
    case "PageDown":
      return to(index + PAGE);
    case "PageUp":
      return to(index - PAGE);
    case "Home":
      return to(0);
    case "End":
      return to(rows.length - 1);
    case "ArrowRight":
      return from.open === false ? "turn" : from.open === true ? to(index + 1) : from.path;
    case "ArrowLeft":
      return from.open === true ? "turn" : (parentOf(rows, index, from.level) ?? from.path);
    default:
      return null;
  }
}

function parentOf(rows: readonly Placed[], index: number, level: number): string | null {
  for (let place = index - 1; place >= 0; place--) {
    const row = rows[place];
    if (row !== undefined && row.level < level) return row.path;
  }
  return null;
}
