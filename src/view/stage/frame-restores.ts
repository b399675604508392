/**
 * State on its way from the snapshot that a job was started from to the new subtasks: a chip for each piece, with its key
 * groups, its partition, or nothing where it is an element of list state, and the old subtask that it is of (CP-175 to
 * CP-180). The chips stand on the card until the attempt runs, and holds what they stand for.
 */
import { at } from "../../base/assert.ts";
import { type StateMove, movesTo, pieceName } from "../../projection/state-moves.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { RunView } from "../../projection/views.ts";
import { chipWidth } from "./chip.ts";
import type { CheckpointFrame, Token } from "./frame-types.ts";
import type { StageLayout } from "./layout-types.ts";
import type { Box } from "./path.ts";
import type { Routes } from "./routes.ts";

const ROW = 20;
const GAP = 4;
/** Left and right of what stands in a card. */
const MARGIN = 17;

const CREATED_TO_RUNNING: readonly string[] = ["CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING"];

/** What a subtask that is not running yet was given. */
function piecesOf(view: RunView, subtask: number): readonly StateMove[] {
  const { origin } = view.shared;
  const { attempt, restored, state } = at(view.subtasks, subtask);
  if (origin === null || attempt !== 0 || restored !== origin.checkpoint) return [];
  return CREATED_TO_RUNNING.includes(state) ? movesTo(view, subtask) : [];
}

function labelOf(graph: ExecutionGraph, move: StateMove): string {
  return `${pieceName(graph, move) ?? ""} ← [${move.from}]`.trim();
}

/** In words for who cannot see the chips: `43–63 ← [0]`, `orders-0 ← [1]`, `← [1]`. */
export function givenTo(view: RunView, subtask: number): readonly string[] {
  return piecesOf(view, subtask).map((move) => labelOf(view.shared.graph, move));
}

interface Chip {
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

/** Chips side by side in a card's body, from a row on; `null`: there is no room for all. */
function placed(labels: readonly string[], { x, y, width, height }: Box, first: number): Chip[] | null {
  const rows = Math.max(first + 1, Math.floor((height - 28) / ROW));
  let [left, row] = [0, first];
  const chips = labels.map((label): Chip => {
    const wide = chipWidth(label);
    if (left > 0 && left + wide > width - MARGIN) [left, row] = [0, row + 1];
    const chip = { label, x: x + 11 + left + wide / 2, y: y + 37 + row * ROW };
    left += wide + GAP;
    return chip;
  });
  return row < rows && labels.every((label) => chipWidth(label) <= width - MARGIN) ? chips : null;
}

/** Where there is no room for whose each piece was, what it is; else only how many there are. */
function chipsOf(view: RunView, subtask: number, box: Box): readonly Chip[] {
  const { graph } = view.shared;
  const pieces = piecesOf(view, subtask);
  // A sink's transactions have the first row.
  const first = at(view.shared.sinks, subtask).length > 0 ? 1 : 0;
  const long = pieces.map((move) => labelOf(graph, move));
  const short = pieces.map((move) => pieceName(graph, move) ?? labelOf(graph, move));
  return placed(long, box, first) ?? placed(short, box, first) ?? placed([`${pieces.length} ←`], box, first) ?? [];
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
    const chips = density === "full" ? chipsOf(view, subtask, box) : [];
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
        pass: 1,
        falls: null,
        captured: null,
        restored: false,
        overtakes: false,
      };
    });
  });
}
