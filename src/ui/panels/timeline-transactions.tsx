/** Transactions on the timeline: by sink subtask, or, of many, by vertex with counts, which opens into its subtasks. */
import { type ReactElement, useMemo, useState } from "react";
import { at } from "../../base/assert.ts";
import { type Dense, dense } from "../dense.ts";
import { clockTime } from "../format.ts";
import { useText } from "../text/use-text.ts";
import type { TimelineMarks, TransactionPlace } from "../timeline-marks.ts";
import { type TransactionGroup, type TransactionRow, transactionRows } from "../transaction-rows.ts";
import { Row, SpanMark } from "./timeline-span.tsx";

interface TransactionRowsProps {
  readonly marks: TimelineMarks;
  readonly onGap: (share: number) => void;
}

export function TransactionRows({ marks, onGap }: TransactionRowsProps): ReactElement {
  const { timeline } = useText().panels;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => transactionRows(marks.transactions, open), [marks, open]);
  const toggle = (vertex: string): void => {
    const next = new Set(open);
    if (!next.delete(vertex)) next.add(vertex);
    setOpen(next);
  };
  return (
    <>
      {rows.map((row) =>
        row.kind === "vertex" ? (
          <Row key={row.vertex} onGap={onGap} name={<VertexName row={row} toggle={() => toggle(row.vertex)} />}>
            {dense(row.groups, marks.total, statusOfGroup).map((each) =>
              isOne(each) ? (
                <GroupMark key={each.left} group={at(each.marks, 0)} vertex={row.vertex} total={marks.total} />
              ) : (
                <ManyMark
                  key={each.left}
                  many={each}
                  status={statusOfGroup(at(each.marks, 0))}
                  first={at(each.marks, 0).first}
                  total={marks.total}
                />
              ),
            )}
          </Row>
        ) : (
          <Row key={row.subtask} onGap={onGap} name={timeline.transactionsOf(row.subtask)}>
            {dense(row.list, marks.total, ({ of }) => of.status).map((each) =>
              isOne(each) ? (
                <TransactionMark key={each.left} placed={at(each.marks, 0)} total={marks.total} />
              ) : (
                <ManyMark
                  key={each.left}
                  many={each}
                  status={at(each.marks, 0).of.status}
                  first={at(each.marks, 0)}
                  total={marks.total}
                />
              ),
            )}
          </Row>
        ),
      )}
    </>
  );
}

const isOne = ({ marks }: { readonly marks: readonly unknown[] }): boolean => marks.length === 1;

function statusOfGroup({ counts }: TransactionGroup): TransactionPlace["of"]["status"] {
  return counts[0]?.status ?? "open";
}

interface ManyMarkProps {
  readonly many: Dense<{ readonly left: number; readonly right: number }>;
  readonly status: TransactionPlace["of"]["status"];
  readonly first: TransactionPlace;
  readonly total: number;
}

/** Transactions that cannot be told apart, all of one status. */
function ManyMark({ many: { marks, left, right }, status, first, total }: ManyMarkProps): ReactElement {
  const { timeline } = useText().panels;
  return (
    <SpanMark
      className={`transaction many ${status.replace(" ", "-")}`}
      left={left}
      right={right}
      total={total}
      label={timeline.manyTransactions(marks.length, status, clockTime(first.of.from))}
      step={first.of.fromStep}
      element={null}
    />
  );
}

interface VertexNameProps {
  readonly row: TransactionRow & { readonly kind: "vertex" };
  readonly toggle: () => void;
}

function VertexName({ row: { vertex, subtasks, open, more }, toggle }: VertexNameProps): ReactElement {
  const { timeline } = useText().panels;
  const label = timeline.transactionsOfAll(vertex, subtasks, more);
  return (
    <button type="button" className="link-button row-toggle" aria-expanded={open} title={label} onClick={toggle}>
      {timeline.transactionsOf(`${vertex} ×${subtasks}`)}
      {more > 0 ? ` +${more}` : ""}
    </button>
  );
}

interface GroupMarkProps {
  readonly group: TransactionGroup;
  readonly vertex: string;
  readonly total: number;
}

function GroupMark({ group, vertex, total }: GroupMarkProps): ReactElement {
  const { timeline } = useText().panels;
  const { counts, checkpoint, left, right, prepared, first } = group;
  const words = counts.map(({ status, count }) => `${count} ${status}`).join(", ");
  const status = statusOfGroup(group);
  return (
    <SpanMark
      className={`transaction ${status.replace(" ", "-")}`}
      left={left}
      right={right}
      total={total}
      label={timeline.transactionGroup(vertex, checkpoint, words, clockTime(first.of.from))}
      step={first.of.fromStep}
      element={null}
      says={`${counts.map((each) => `${timeline.glyphs[each.status]}${each.count}`).join(" ")} ${timeline.forCheckpoint(checkpoint)}`}
    >
      <Prepared left={left} right={right} prepared={prepared} />
    </SpanMark>
  );
}

interface TransactionMarkProps {
  readonly placed: TransactionPlace;
  readonly total: number;
}

function TransactionMark({ placed: { of, left, right, prepared, name }, total }: TransactionMarkProps): ReactElement {
  const { timeline } = useText().panels;
  const label = timeline.transaction(
    name,
    of.status,
    clockTime(of.from),
    of.to < 0 ? timeline.running : clockTime(of.to),
  );
  return (
    <SpanMark
      className={`transaction ${of.status.replace(" ", "-")}`}
      left={left}
      right={right}
      total={total}
      label={label}
      step={of.fromStep}
      element={{ kind: "transaction", id: of.number }}
      windows
      says={`${timeline.glyphs[of.status]} ${timeline.forCheckpoint(of.checkpoint)}`}
    >
      <Prepared left={left} right={right} prepared={prepared} />
    </SpanMark>
  );
}

/** The part of a span behind the pre-commit. */
function Prepared({
  left,
  right,
  prepared,
}: Pick<TransactionGroup, "left" | "right" | "prepared">): ReactElement | null {
  if (prepared === null) return null;
  const open = (prepared - left) / Math.max(1, right - left);
  return <i className="span-part prepared" style={{ left: `${open * 100}%`, right: 0 }} />;
}
