/** Whose crash windows a place of the timeline lies in. */
import type { TimelineMarks } from "../timeline-marks.ts";

/** The begin of the transaction or checkpoint that began last and lasts there; else that began last before; `null`: none. */
export function windowsAt({ checkpoints, transactions }: TimelineMarks, left: number): number | null {
  const spans = [...checkpoints, ...transactions.flatMap(({ list }) => list)];
  const begun = spans.filter((span) => span.left <= left);
  const lasting = begun.filter(({ right }) => right >= left);
  const among = lasting.length > 0 ? lasting : begun;
  const last = among.reduce<(typeof spans)[number] | null>(
    (latest, span) => (latest === null || span.left > latest.left ? span : latest),
    null,
  );
  return last?.of.fromStep ?? null;
}
