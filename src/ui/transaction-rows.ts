/**
 * The timeline's rows of transactions: one for each sink subtask while they are few; of many subtasks of one vertex one row
 * with counts, and below it a row for each of the few whose transactions ended otherwise than those of the others.
 */
import { at } from "../base/assert.ts";
import type { TransactionSpan } from "../projection/timeline.ts";
import type { TimelineMarks, TransactionPlace } from "./timeline-marks.ts";

type Status = TransactionSpan["status"];

/** Transactions of many subtasks that belong to one checkpoint and have not failed, or have failed in the same way. */
export interface TransactionGroup {
  readonly checkpoint: number;
  /** How many are in each status, the most first. */
  readonly counts: readonly { readonly status: Status; readonly count: number }[];
  readonly left: number;
  readonly right: number;
  /** Where the first was pre-committed; `null`: none was. */
  readonly prepared: number | null;
  /** The one that began first. */
  readonly first: TransactionPlace;
}

export type TransactionRow =
  | { readonly kind: "subtask"; readonly subtask: string; readonly list: readonly TransactionPlace[] }
  | {
      readonly kind: "vertex";
      readonly vertex: string;
      readonly subtasks: number;
      readonly open: boolean;
      readonly groups: readonly TransactionGroup[];
      /** Subtasks that stand out and have no row of their own. */
      readonly more: number;
    };

/** More sink subtasks of a vertex share a row. */
const ROWS_MAX = 8;
/** So many that stand out have rows. */
const OUT_MAX = 5;

export function transactionRows(
  transactions: TimelineMarks["transactions"],
  open: ReadonlySet<string>,
): TransactionRow[] {
  const vertices = new Map<string, TimelineMarks["transactions"][number][]>();
  for (const each of transactions) {
    const list = vertices.get(each.vertex) ?? [];
    list.push(each);
    vertices.set(each.vertex, list);
  }
  return [...vertices].flatMap(([vertex, members]) => rowsOf(vertex, members, open.has(vertex)));
}

function rowsOf(vertex: string, members: TimelineMarks["transactions"], open: boolean): TransactionRow[] {
  const single = ({ subtask, list }: TimelineMarks["transactions"][number]): TransactionRow => ({
    kind: "subtask",
    subtask,
    list,
  });
  if (members.length <= ROWS_MAX) return members.map(single);
  const all = new Map<string, TransactionPlace[]>();
  for (const place of members.flatMap(({ list }) => list)) {
    const list = all.get(groupKey(place)) ?? [];
    list.push(place);
    all.set(groupKey(place), list);
  }
  const rare = new Set(
    [...all].filter(([key, list]) => isFailed(key) && list.length * 2 <= members.length).map(([key]) => key),
  );
  const out = members.filter(({ list }) => list.some((place) => rare.has(groupKey(place))));
  const shown = open ? members : out.slice(0, OUT_MAX);
  return [
    {
      kind: "vertex",
      vertex,
      subtasks: members.length,
      open,
      groups: [...all.values()].map(groupOf).sort((a, b) => a.left - b.left),
      more: open ? 0 : out.length - shown.length,
    },
    ...shown.map(single),
  ];
}

/** Those that failed are apart from those that may still commit: after a recovery both can belong to one checkpoint. */
function groupKey({ of: { checkpoint, status } }: TransactionPlace): string {
  return `${checkpoint} ${status === "aborted" || status === "timed out" ? status : ""}`;
}

function isFailed(key: string): boolean {
  return !key.endsWith(" ");
}

function groupOf(list: readonly TransactionPlace[]): TransactionGroup {
  const counts = new Map<Status, number>();
  for (const { of } of list) counts.set(of.status, (counts.get(of.status) ?? 0) + 1);
  const first = list.reduce((one, other) => (other.left < one.left ? other : one));
  const prepared = list.flatMap((place) => place.prepared ?? []);
  return {
    checkpoint: at(list, 0).of.checkpoint,
    counts: [...counts].map(([status, count]) => ({ status, count })).sort((a, b) => b.count - a.count),
    left: first.left,
    right: Math.max(...list.map(({ right }) => right)),
    prepared: prepared.length === 0 ? null : Math.min(...prepared),
    first,
  };
}
