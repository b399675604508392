/**
 * What fails together and what restarts with it (`SchedulingPipelinedRegionComputeUtil`,
 * `RestartPipelinedRegionFailoverStrategy`; FR-041 to FR-043). Only `BLOCKING` exchanges separate regions.
 */
import { at } from "../base/assert.ts";
import type { Edge } from "./execution-graph.ts";

/** As much of an execution graph as decides it. */
export interface Linked {
  readonly subtasks: readonly unknown[];
  readonly edges: readonly Pick<Edge, "exchange">[];
  readonly channels: readonly { readonly edge: number; readonly from: number; readonly to: number }[];
}

const isBlocking = ({ edges }: Linked, edge: number): boolean => at(edges, edge).exchange === "BLOCKING";

/**
 * By subtask: its region, as the number of the region's first subtask. Regions are the connected components over pipelined
 * channels, direction ignored; those that depend on each other in a circle through blocking ones are one.
 */
export function pipelinedRegions(graph: Linked): number[] {
  const root = Array.from(graph.subtasks, (_, subtask) => subtask);
  const find = (subtask: number): number => {
    let found = subtask;
    while (at(root, found) !== found) found = at(root, found);
    return found;
  };
  const join = (a: number, b: number): void => {
    root[Math.max(find(a), find(b))] = Math.min(find(a), find(b));
  };
  const blocking = graph.channels.filter(({ edge }) => isBlocking(graph, edge));
  for (const { edge, from, to } of graph.channels) if (!isBlocking(graph, edge)) join(from, to);
  // A consumer that some way leads back to its producer waits for itself, unless both are one region.
  const leads = (from: number, to: number, seen = new Set<number>()): boolean =>
    find(from) === find(to) ||
    blocking.some((link) => {
      if (find(link.from) !== find(from) || seen.has(find(link.to))) return false;
      seen.add(find(link.to));
      return leads(link.to, to, seen);
    });
  for (const { from, to } of blocking) if (leads(to, from)) join(from, to);
  return root.map((_, subtask) => find(subtask));
}

/**
 * The regions that restart with a failed subtask's: those that consume what a chosen one produces, and those whose results
 * a chosen one needs and that are not there any more (FR-042). `isThere`: can what this subtask has produced be read?
 */
export function restartingRegions(
  graph: Linked,
  regions: readonly number[],
  failed: number,
  isThere: (producer: number) => boolean = () => true,
): ReadonlySet<number> {
  const chosen = new Set([at(regions, failed)]);
  for (const region of chosen) {
    for (const { edge, from, to } of graph.channels) {
      if (!isBlocking(graph, edge)) continue;
      if (regions[from] === region) chosen.add(at(regions, to));
      if (regions[to] === region && !isThere(from)) chosen.add(at(regions, from));
    }
  }
  return chosen;
}
