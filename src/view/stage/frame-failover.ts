/** What fails and restarts together: regions, and the TaskManagers that hold subtasks in their slots. */
import { at } from "../../base/assert.ts";
import type { RunView } from "../../projection/views.ts";
import type { RegionFrame, SubtaskFrame, TaskManagerFrame } from "./frame-types.ts";

/** Regions in the order of their first subtasks, by their numbers; they do not change during a run. */
function membersOf(regions: readonly number[]): ReadonlyMap<number, number[]> {
  const known = members.get(regions) ?? new Map<number, number[]>();
  if (!members.has(regions)) {
    for (const [subtask, region] of regions.entries()) {
      const list = known.get(region);
      if (list === undefined) known.set(region, [subtask]);
      else list.push(subtask);
    }
    members.set(regions, known);
  }
  return known;
}

const members = new WeakMap<readonly number[], Map<number, number[]>>();

/** Those of the restart set are lit from the failure until they run again. */
export function regionFrames({ shared, job }: RunView): RegionFrame[] {
  const restarts = new Set([...job.failing, ...job.restarting.flatMap(({ restarted }) => restarted)]);
  return [...membersOf(shared.regions)].map(([id, subtasks], index) => ({
    id,
    number: index + 1,
    subtasks,
    restarts: restarts.size > 0 && subtasks.some((subtask) => restarts.has(subtask)),
  }));
}

export function taskManagerFrames(view: RunView, all: readonly SubtaskFrame[]): TaskManagerFrame[] {
  const { graph, scenario } = view.shared;
  return graph.taskManagers.map((name, id) => {
    const { alive, registered, subtasks } = at(view.taskManagers, id);
    const used = [...new Set(subtasks.map((subtask) => at(graph.subtasks, subtask).slot))];
    const free = Math.max(0, scenario.cluster.slots - used.length);
    return {
      id,
      name,
      lost: !alive,
      registered,
      stalled: subtasks.length > 0 && subtasks.every((subtask) => at(all, subtask).stalled),
      subtasks: [...subtasks],
      slots: [
        ...used.map((slot) =>
          subtasks
            .filter((subtask) => at(graph.subtasks, subtask).slot === slot)
            .map((subtask) => at(all, subtask).look.tone),
        ),
        ...Array.from({ length: free }, () => []),
      ],
    };
  });
}
