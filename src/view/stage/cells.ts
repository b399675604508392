/**
 * Records in the strips of partitions: the one that a hand points at, and the one that the keys stand at, which is marked in
 * the picture. A cell that is drawn again has no such mark: what Enter opens is always what is seen.
 */
import { elementAt, type StageElement } from "./elements.ts";

/** A record of a partition that is read or written. */
export interface Cell {
  readonly element: StageElement;
  readonly offset: number;
}

/** To be opened, or only told of. Whoever holds the stage hears of it by an event of its host. */
export interface CellAsked extends Cell {
  readonly what: "open" | "tell";
}

declare global {
  interface HTMLElementEventMap {
    "stage-cell": CustomEvent<CellAsked>;
  }
}

/** Is there a record's cell? Then it is asked for. */
export function askForCell(target: Element | null | undefined, what: CellAsked["what"]): boolean {
  const cell = cellAt(target ?? null);
  if (cell === null) return false;
  return (
    target?.dispatchEvent(new CustomEvent<CellAsked>("stage-cell", { bubbles: true, detail: { ...cell, what } })) ===
    true
  );
}

const MARK = "at";

function cellAt(target: EventTarget | null): Cell | null {
  const node = target instanceof Element ? target.closest<SVGElement>("[data-offset]") : null;
  const hit = elementAt(node);
  return hit === null ? null : { element: hit.element, offset: Number(node?.dataset["offset"]) };
}

interface Hit {
  readonly element: StageElement;
  readonly node: SVGGElement;
}

/** Goes into the cells of the partition in focus, along them, opens one, or leaves them; `false`: the key means something else. */
export function walkCells({ element, node }: Hit, key: string): boolean {
  const cells = [...node.querySelectorAll<SVGElement>("[data-offset]")];
  const from = cells.findIndex((cell) => cell.classList.contains(MARK));
  // What was read last is next to the graph, what was written last too: one goes in from where nothing else lies.
  const [inward, end] = element.kind === "input" ? ["ArrowLeft", cells.length - 1] : ["ArrowRight", 0];
  leaveCells(node);
  if (from < 0) return key === inward && stand(cells[end], "tell");
  if (key === "Escape") return true;
  if (key === "Enter") return stand(cells[from], "open");
  const way = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (way === 0) return false;
  if (from === end && key !== inward) return true;
  return stand(cells[from + way] ?? cells[from], "tell");
}

function stand(node: SVGElement | undefined, what: CellAsked["what"]): boolean {
  node?.classList.add(MARK);
  return askForCell(node, what);
}

/** The keys stand at no cell any more. */
export function leaveCells(within: Element): void {
  for (const cell of within.querySelectorAll(`.${MARK}[data-offset]`)) cell.classList.remove(MARK);
}
