/** Nothing but the stage is wider than a phone: a table that would be shows each row as a list of named values. */

/** Looks at the tables of the page, now and whenever something is added, until the returned function is called. */
export function stackTables(): () => void {
  const look = (): void => document.querySelectorAll<HTMLTableElement>(".dock .table, .dialog .table").forEach(stack);
  const anew = (): void => {
    for (const table of document.querySelectorAll<HTMLElement>("[data-stacked]")) delete table.dataset["stacked"];
    look();
  };
  const added = new MutationObserver(look);
  added.observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", anew);
  look();
  return () => {
    added.disconnect();
    removeEventListener("resize", anew);
    for (const table of document.querySelectorAll<HTMLElement>("[data-stacked]")) delete table.dataset["stacked"];
  };
}

function stack(table: HTMLTableElement): void {
  const stacked = table.dataset["stacked"] !== undefined;
  const within = table.parentElement?.closest("[data-stacked]") ?? null;
  const fits = table.getBoundingClientRect().right <= document.documentElement.clientWidth + 1;
  if (!stacked && within === null && fits) return;
  table.dataset["stacked"] = "";
  const names = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent);
  for (const cell of table.querySelectorAll<HTMLTableCellElement>("tbody > tr > :is(td, th):not([data-column])")) {
    // A table inside this one has columns of its own.
    if (cell.closest("table") !== table) continue;
    cell.dataset["column"] = cell.colSpan > 1 ? "" : (names[cell.cellIndex] ?? "");
  }
}
