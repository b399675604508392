/** A browser can scroll some millions of pixels: of a longer list the part around the cursor is in the table. */

/** Rows that a table holds at most; the part moves on by half of it. */
export const MOST = 40_000;

/** The first row of the part that has the row at `index`. */
export function partAround(count: number, index: number, most = MOST): number {
  if (count <= most) return 0;
  const half = Math.floor(most / 2);
  const from = (Math.floor(Math.max(0, index) / half) - (index % half < half / 2 ? 1 : 0)) * half;
  return Math.min(Math.max(from, 0), count - most);
}
