/** Transactions on the timeline: by sink subtask, or, of many, by vertex with counts, which opens into its subtasks. */
import { type ReactElement, useMemo, useState } from "react";
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
            {row.groups.map((group) => (
              <GroupMark key={group.first.of.fromStep} group={group} vertex={row.vertex} total={marks.total} />
            ))}
          </Row>
        ) : (
          <Row key={row.subtask} onGap={onGap} name={timeline.transactionsOf(row.subtask)}>
            {row.list.map((placed) => (
              <TransactionMark key={placed.of.fromStep} placed={placed} total={marks.total} />
            ))}
          </Row>
        ),
      )}
    </>
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
  const status = counts[0]?.status ?? "open";
  return (
    <SpanMark
      className={`transaction ${status.replace(" ", "-")}`}
      left={left}
      right={right}
      total={total}
      label={timeline.transactionGroup(vertex, checkpoint, words, clockTime(first.of.from))}
      step={first.of.fromStep}
      element={null}
    >
      <Prepared left={left} right={right} prepared={prepared} />
      <span className="span-label">
        {counts.map((each) => `${timeline.glyphs[each.status]}${each.count}`).join(" ")}{" "}
        {timeline.forCheckpoint(checkpoint)}
      </span>
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
    >
      <Prepared left={left} right={right} prepared={prepared} />
      <span className="span-label">
        {timeline.glyphs[of.status]} {timeline.forCheckpoint(of.checkpoint)}
      </span>
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
