/**
 * What a vertex whose subtasks are cells says of them all: counts of states and acknowledgements, how full the inputs are,
 * how far the alignment is, and which subtasks stand out. Counts only: no means of states. What stands out is never hidden
 * by the many that do not.
 */
import { at } from "../../base/assert.ts";
import type { SubtaskLoad } from "../../projection/backpressure.ts";
import { partOf } from "../../projection/checkpoints.ts";
import type { RunView } from "../../projection/views.ts";
import type { TaskVertex } from "../../protocol/execution-graph.ts";
import type { PulledOut, StateCount, SubtaskFrame, SummaryFrame } from "./frame-types.ts";
import { NAMED_MAX } from "./density.ts";
import type { StageLayout } from "./layout-types.ts";

/** Of their time a slow subtask spends working, or waiting to send. */
const SLOW = 50;
const BARS = 8;

export function summaryFrames(
  view: RunView,
  layout: StageLayout,
  subtasks: readonly SubtaskFrame[],
  loads: readonly SubtaskLoad[],
  pending: readonly number[],
): SummaryFrame[] {
  return view.shared.graph.vertices.flatMap((vertex) => {
    const place = at(layout.vertices, vertex.index).summary;
    if (place === null) return [];
    const members = vertex.subtasks.map((subtask) => at(subtasks, subtask));
    const checkpoint = pending[0] ?? null;
    const acknowledged = members.map(({ id }) => checkpoint !== null && hasAcknowledged(view, checkpoint, id));
    const count = acknowledged.filter(Boolean).length;
    return [
      {
        id: vertex.index,
        states: statesOf(members),
        acknowledged: checkpoint === null ? null : { checkpoint, count, of: members.length },
        fill: place.bars === null ? null : fillOf(view, vertex),
        alignment: place.bars === null || checkpoint === null ? null : alignmentOf(view, members, checkpoint),
        exceptions: exceptionsOf(view, members, loads, acknowledged),
      },
    ];
  });
}

function hasAcknowledged(view: RunView, checkpoint: number, subtask: number): boolean {
  return (partOf(view, checkpoint, subtask)?.acknowledgedAt ?? -1) >= 0;
}

/** How many are in each state, the most first. */
function statesOf(members: readonly SubtaskFrame[]): StateCount[] {
  const counts = new Map<SubtaskFrame["look"], number>();
  for (const { look } of members) counts.set(look, (counts.get(look) ?? 0) + 1);
  return [...counts].map(([look, count]) => ({ look, count })).sort((a, b) => b.count - a.count);
}

/** By eighth of the share how many subtasks have it. */
function bars(shares: readonly number[]): number[] {
  const counts = Array.from({ length: BARS }, () => 0);
  for (const share of shares) {
    const bar = Math.min(BARS - 1, Math.floor(share * BARS));
    counts[bar] = at(counts, bar) + 1;
  }
  return counts;
}

/** Buffers in use of those that a subtask's inputs have. */
function fillOf(view: RunView, { subtasks }: TaskVertex): number[] | null {
  const { graph } = view.shared;
  if (subtasks.every((subtask) => at(graph.subtasks, subtask).inputs.length === 0)) return null;
  return bars(
    subtasks.map((subtask) => {
      let fill = 0;
      let capacity = 0;
      for (const channel of at(graph.subtasks, subtask).inputs) {
        fill += at(view.channels, channel).fill;
        capacity += at(graph.edges, at(graph.channels, channel).edge).capacity;
      }
      return capacity === 0 ? 0 : fill / capacity;
    }),
  );
}

/** Barriers that have come, of those that a subtask waits for; one that has its state frozen has all. */
function alignmentOf(view: RunView, members: readonly SubtaskFrame[], checkpoint: number): number[] | null {
  if (members.every(({ inputs }) => inputs === 0)) return null;
  return bars(
    members.map(({ id, ring, inputs }) => {
      if (ring?.checkpoint === checkpoint && ring.phase === "expected") return 0;
      if (ring?.checkpoint === checkpoint && ring.phase === "aligning") return ring.arrived / Math.max(1, inputs);
      return (partOf(view, checkpoint, id)?.startedAt ?? -1) >= 0 ? 1 : 0;
    }),
  );
}

/** Those that failed, that hang, that are behind the others, that have not acknowledged, that are locked longest, slow. */
function exceptionsOf(
  view: RunView,
  members: readonly SubtaskFrame[],
  loads: readonly SubtaskLoad[],
  acknowledged: readonly boolean[],
): PulledOut[] {
  const found = new Map<number, PulledOut>();
  const pull = (why: PulledOut["why"], those: readonly SubtaskFrame[]): void => {
    for (const { id } of those) if (!found.has(id)) found.set(id, { subtask: id, why });
  };
  pull("failed", members.filter(isFailed));
  pull(
    "stalled",
    members.filter(({ stalled }) => stalled),
  );
  pull(
    "behind",
    minority(members, ({ look }) => look.label !== "RUNNING" && look.label !== "FINISHED"),
  );
  pull("unacknowledged", acknowledged.some(Boolean) ? minority(members, (_, index) => !at(acknowledged, index)) : []);
  pull("locked", longestLocked(view, members));
  pull("slow", slowest(members, loads));
  return [...found.values()];
}

function isFailed({ dead, look }: SubtaskFrame): boolean {
  return dead || look.label === "FAILED";
}

/** Those for which it holds, unless it holds for more than half: then they are the rule. */
function minority<T>(members: readonly T[], holds: (member: T, index: number) => boolean): T[] {
  const those = members.filter(holds);
  return those.length * 2 > members.length ? [] : those;
}

/** The one whose channel has been locked for the longest time. */
function longestLocked(view: RunView, members: readonly SubtaskFrame[]): SubtaskFrame[] {
  let longest: SubtaskFrame | null = null;
  let since = Infinity;
  for (const member of members) {
    if (member.blockedInputs === 0) continue;
    for (const channel of at(view.shared.graph.subtasks, member.id).inputs) {
      const { blocked, blockedSince } = at(view.channels, channel);
      if (blocked < 0 || blockedSince >= since) continue;
      since = blockedSince;
      longest = member;
    }
  }
  return longest === null ? [] : [longest];
}

/** Those that hold others back; if none does, the one that is held back or works most. */
function slowest(members: readonly SubtaskFrame[], loads: readonly SubtaskLoad[]): SubtaskFrame[] {
  const causes = members.filter(({ id }) => at(loads, id).holds.length > 0);
  if (causes.length > 0) return minority(members, (member) => causes.includes(member));
  const spent = ({ id }: SubtaskFrame): number => {
    const shares = at(loads, id).shares;
    return shares === null ? 0 : Math.max(shares.busy, shares.backpressured);
  };
  let worst: SubtaskFrame | null = null;
  for (const member of members) if (spent(member) > (worst === null ? SLOW : spent(worst))) worst = member;
  return worst === null ? [] : [worst];
}

/** What is shown of those that stand out in so many places: the selected one first, and how many are left over. */
export function shownExceptions(
  exceptions: readonly PulledOut[],
  selected: number | null,
  places: number,
): { readonly rows: readonly PulledOut[]; readonly more: number } {
  const others = exceptions.filter(({ subtask }) => subtask !== selected);
  const own = exceptions.find(({ subtask }) => subtask === selected);
  const all = selected === null ? others : [own ?? { subtask: selected, why: "selected" as const }, ...others];
  // The last place tells how many more there are.
  const shown = all.length > Math.min(places, NAMED_MAX) ? places - 1 : all.length;
  return { rows: all.slice(0, shown), more: all.length - shown };
}
