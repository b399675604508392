/** State that failures took, beside what is there: all numbers of a subtask's state while one of them is behind. */
import { at } from "../../base/assert.ts";
import { type Ghosts, ghostsOf } from "../../projection/ghosts.ts";
import type { RunView } from "../../projection/views.ts";
import { isKeyed } from "../../protocol/job-graph.ts";
import type { GhostFrame, GhostValue } from "./frame-types.ts";

export function ghostOf(view: RunView, subtask: number): GhostFrame | null {
  const ghosts = ghostsOf(view, subtask);
  if (ghosts === null) return null;
  const rolls = rollOf(view, subtask);
  if (ghosts.positions.length > 0) return { kind: "positions", values: positionsOf(view, subtask, ghosts), rolls };
  const keyed = ghosts.values.some(({ key }) => key >= 0);
  return { kind: keyed ? "keys" : "counter", values: valuesOf(view, subtask, ghosts, keyed), rolls };
}

/** From the new attempt's being given its state, for as long as that takes. */
function rollOf({ job, shared, subtasks }: RunView, subtask: number): GhostFrame["rolls"] {
  if (at(subtasks, subtask).restored < 0) return null;
  const restart = job.restarting.findLast(({ restarted }) => restarted.includes(subtask));
  if (restart === undefined) return null;
  const from = restart.scheduledAt + restart.delay;
  return { from, to: from + shared.scenario.timing.restore };
}

const isThere = ({ thread, ending }: RunView["subtasks"][number]): boolean =>
  thread !== "ended" || ending === "FINISHED";

function valuesOf(view: RunView, subtask: number, ghosts: Ghosts, keyed: boolean): GhostValue[] {
  const { graph } = view.shared;
  const node = at(view.subtasks, subtask);
  const before = (operator: number, key: number): number | null =>
    ghosts.values.find((ghost) => ghost.operator === operator && ghost.key === key)?.before ?? null;
  return node.held.operators.flatMap(({ operator, values, counts }) => {
    if (isKeyed(at(graph.operators, operator).vertex) !== keyed) return [];
    return [...counts].flatMap((count, place): GhostValue[] => {
      const key = keyed ? place : -1;
      const [now, lost] = [isThere(node) && count > 0 ? at(values, place) : null, before(operator, key)];
      return now === null && lost === null ? [] : [{ key, name: graph.keys[key] ?? "", now, before: lost }];
    });
  });
}

function positionsOf(view: RunView, subtask: number, ghosts: Ghosts): GhostValue[] {
  const { graph, splits } = view.shared;
  const node = at(view.subtasks, subtask);
  return at(splits, subtask).map((input, split) => ({
    key: -1,
    name: at(graph.inputs, input).name,
    now: isThere(node) ? at(node.held.positions, split) : null,
    before: ghosts.positions.find((ghost) => ghost.split === split)?.before ?? null,
  }));
}
