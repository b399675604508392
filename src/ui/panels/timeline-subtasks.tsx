/**
 * What each subtask does for each checkpoint: start delay, alignment, sync and async part, acknowledgement. Only pictures:
 * the table has the same as places to go to.
 */
import { type ReactElement, useMemo } from "react";
import { type Bar, checkpointTimeline } from "../../projection/checkpoint-timeline.ts";
import { factsOf } from "../facts.ts";
import { clockTime, duration } from "../format.ts";
import type { BranchRun } from "../store.ts";
import { useCheckpointsText } from "../text/checkpoints-text.ts";
import { useText } from "../text/use-text.ts";
import { Row } from "./timeline-span.tsx";

/** Subtasks that get a row; the panel of checkpoints has all, the slowest first. */
const MOST = 24;

interface Part extends Bar {
  readonly checkpoint: number;
}

interface SubtaskParts {
  readonly name: string;
  readonly parts: Part[];
  readonly acknowledged: { readonly checkpoint: number; readonly step: number; readonly clock: number }[];
}

/** By subtask of the run's last job, in the graph's order. */
export function subtaskParts({ run }: BranchRun): SubtaskParts[] {
  const view = factsOf(run).lastView();
  const rows = view.shared.graph.subtasks.map(({ name }): SubtaskParts => ({ name, parts: [], acknowledged: [] }));
  for (const checkpoint of view.checkpoints) {
    for (const { subtask, bars, acknowledged } of checkpointTimeline(run.log, checkpoint).rows) {
      const row = rows[subtask];
      row?.parts.push(...bars.map((bar) => ({ ...bar, checkpoint: checkpoint.id })));
      if (acknowledged !== null) row?.acknowledged.push({ ...acknowledged, checkpoint: checkpoint.id });
    }
  }
  return rows;
}

export function SubtaskRows({ branch, total }: { readonly branch: BranchRun; readonly total: number }): ReactElement {
  const { timeline } = useText().panels;
  const rows = useMemo(() => subtaskParts(branch), [branch]);
  return (
    <>
      {rows.slice(0, MOST).map((row) => (
        <SubtaskRow key={row.name} row={row} branch={branch} total={total} />
      ))}
      {rows.length > MOST ? (
        <Row name="">
          <span className="row-hint">{timeline.moreSubtasks(rows.length - MOST)}</span>
        </Row>
      ) : null}
    </>
  );
}

interface SubtaskRowProps {
  readonly row: SubtaskParts;
  readonly branch: BranchRun;
  readonly total: number;
}

function SubtaskRow({ row, branch, total }: SubtaskRowProps): ReactElement {
  const words = useCheckpointsText().time;
  const { timeline } = useText().panels;
  const { clock } = branch.run;
  const share = (of: number): number => (clock.presentationAtClock(of) / total) * 100;
  return (
    <Row name={row.name} className="subtask-row">
      {row.parts.map(({ checkpoint, kind, from, to }) => (
        <i
          key={`${checkpoint} ${kind} ${from}`}
          className={`subtask-part ${kind}`}
          style={{ left: `${share(from)}%`, width: `${share(to) - share(from)}%` }}
          title={timeline.partOf(row.name, words.bars[kind], checkpoint, duration(to - from))}
        />
      ))}
      {row.acknowledged.map(({ checkpoint, clock: when }) => (
        <i
          key={checkpoint}
          className="subtask-ack"
          style={{ left: `${share(when)}%` }}
          title={timeline.acknowledged(row.name, checkpoint, clockTime(when))}
        >
          ✓
        </i>
      ))}
    </Row>
  );
}
