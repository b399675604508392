import { expect, test } from "vitest";
import type { TransactionSpan } from "../projection/timeline.ts";
import type { TimelineMarks } from "./timeline-marks.ts";
import { transactionRows } from "./transaction-rows.ts";

function span(subtask: number, checkpoint: number, status: TransactionSpan["status"]): TransactionSpan {
  const from = checkpoint * 100 + subtask;
  return {
    from,
    to: from + 100,
    fromStep: from,
    toStep: from + 100,
    number: subtask,
    subtask,
    checkpoint,
    preCommitted: from + 50,
    status,
  };
}

/** For each subtask the statuses of its transactions of checkpoints 1, 2, … */
function rows(statuses: readonly (readonly TransactionSpan["status"][])[], open: readonly string[] = []) {
  const marks: TimelineMarks["transactions"] = statuses.map((list, subtask) => ({
    subtask: `out[${subtask}]`,
    vertex: "out",
    list: list.map((status, index) => {
      const of = span(subtask, index + 1, status);
      return { of, left: of.from, right: of.to, prepared: of.preCommitted, name: `out-${subtask}` };
    }),
  }));
  return transactionRows(marks, new Set(open));
}

const many = (count: number, ...list: TransactionSpan["status"][]) => Array.from({ length: count }, () => list);

test("few sink subtasks have a row each", () => {
  expect(rows(many(8, "open")).map((row) => row.kind)).toEqual(Array.from({ length: 8 }, () => "subtask"));
});

test("many share one row, with counts by checkpoint from the first begin to the last end", () => {
  const [row, ...others] = rows([...many(14, "committed", "open"), ...many(2, "committed", "pre-committed")]);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    kind: "vertex",
    subtasks: 16,
    groups: [
      { checkpoint: 1, counts: [{ status: "committed", count: 16 }], left: 100, right: 215, prepared: 150 },
      {
        checkpoint: 2,
        counts: [
          { status: "open", count: 14 },
          { status: "pre-committed", count: 2 },
        ],
      },
    ],
  });
});

test("the few whose transactions ended otherwise have rows of their own, five at most, and the rest is counted", () => {
  const all = rows([...many(20, "committed"), ...many(7, "aborted")]);
  expect(all.slice(1).map((row) => (row.kind === "subtask" ? row.subtask : ""))).toEqual(
    [20, 21, 22, 23, 24].map((subtask) => `out[${subtask}]`),
  );
  expect(all[0]).toMatchObject({ more: 2 });
  // Where all were aborted, none stands out.
  expect(rows(many(20, "aborted"))).toHaveLength(1);
});

test("opened, every subtask has its row below the counts", () => {
  expect(rows(many(16, "committed"), ["out"])).toHaveLength(17);
});
