/**
 * State on its way from the snapshot that a job was started from to the new subtasks: a chip for each piece, with its key
 * groups, its partition, or nothing where it is an element of list state, and the old subtask that it is of (CP-175 to
 * CP-180). The chips stand on the card until the attempt runs, and holds what they stand for.
 */
import { at } from "../../base/assert.ts";
import { movesTo, pieceName } from "../../projection/state-moves.ts";
import type { RunView } from "../../projection/views.ts";
import type { CheckpointFrame, Token } from "./frame-types.ts";
import type { StageLayout } from "./layout-types.ts";
import type { Box } from "./path.ts";
import type { Routes } from "./routes.ts";

export const CHIP_HEIGHT = 17;
const ROW = 20;
const GAP = 5;
const FREE: readonly string[] = ["CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING"];

/** By the mean width of a character: a frame is made without a page. */
export function chipWidth(label: string): number {
  return label.length * 6.7 + 11;
}

/** What a subtask that is not running yet was given: `43–63 ← [0]`, `orders-0 ← [1]`, `← [1]`. */
export function givenTo(view: RunView, subtask: number): readonly string[] {
  const { graph, origin } = view.shared;
  const { attempt, restored, state } = at(view.subtasks, subtask);
  if (origin === null || attempt !== 0 || restored !== origin.checkpoint || !FREE.includes(state)) return [];
  return movesTo(view, subtask).map((move) => `${pieceName(graph, move) ?? ""} ← [${move.from}]`.trim());
}

interface Chip {
  label: string;
  readonly x: number;
  readonly y: number;
}

/** Chips side by side in a card's body, from a row on; the last one counts those for which there is no room. */
function placed(labels: readonly string[], { x, y, width, height }: Box, first: number): Chip[] {
  const rows = Math.max(first + 1, Math.floor((height - 28) / ROW));
  const chips: Chip[] = [];
  let [left, row] = [0, first];
  for (const [index, label] of labels.entries()) {
    const wide = chipWidth(label);
    if (left > 0 && left + wide > width - 18) [left, row] = [0, row + 1];
    if (row >= rows) {
      const last = chips.at(-1);
      if (last !== undefined) last.label = `+${labels.length - index + 1}`;
      break;
    }
    chips.push({ label, x: x + 12 + left + wide / 2, y: y + 37 + row * ROW });
    left += wide + GAP;
  }
  return chips;
}

export function restoreTokens(
  view: RunView,
  layout: StageLayout,
  storage: readonly CheckpointFrame[],
  routes: Routes,
): Token[] {
  const { origin, scenario } = view.shared;
  if (origin === null || view.job.status !== "RUNNING") return [];
  const row = Math.max(
    0,
    storage.findIndex(({ id }) => id === origin.checkpoint),
  );
  const { restore } = scenario.timing;
  return layout.subtasks.flatMap(({ box, density }, subtask) => {
    // A sink's transactions have the first row.
    const first = at(view.shared.sinks, subtask).length > 0 ? 1 : 0;
    const chips = density === "full" ? placed(givenTo(view, subtask), box, first) : [];
    return chips.map(({ label, x, y }, index): Token => {
      const path = routes.fromStorage(subtask, row, { x, y });
      return {
        kind: "state",
        path,
        from: 0,
        to: path.length,
        departure: origin.clock + (restore * index) / (2 * chips.length),
        arrival: origin.clock + restore * (0.5 + (index + 1) / (2 * chips.length)),
        waits: true,
        mark: origin.checkpoint,
        letter: label,
        again: false,
        lost: false,
        captured: null,
        restored: false,
        overtakes: false,
      };
    });
  });
}
