import { FastForward } from "lucide-react";
import type { ReactElement } from "react";
import { nameOfBranch } from "../branches.ts";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { faultName } from "../fault-name.ts";
import type { BranchRun, Session } from "../store.ts";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";
import type { BarKind } from "../../projection/checkpoint-timeline.ts";
import { useCheckpointsText } from "../text/checkpoints-text.ts";
import type { TimelineMarks } from "../timeline-marks.ts";
import { subtaskParts } from "./timeline-subtasks.tsx";
import { WindowsButton } from "../windows/windows-button.tsx";
import { Table } from "../controls/table.tsx";

interface TimelineTableProps {
  readonly session: Session;
  readonly marks: TimelineMarks;
  /** Whose checkpoints are told by subtask too; `null`: they are not. */
  readonly parts: BranchRun | null;
}

interface Entry {
  readonly step: number;
  readonly what: string;
  readonly state: string;
  readonly from: number;
  /** `-1`: it has not ended; `null`: it is a moment. */
  readonly to: number | null;
  readonly windows?: boolean;
}

/** Everything of the timeline in words, in the order of its beginning. */
export function TimelineTable({ session, marks, parts }: TimelineTableProps): ReactElement {
  const text = useText();
  const { timeline } = text.panels;
  const { bars } = useCheckpointsText().time;
  const controller = useController();
  const time = (to: number | null): string => (to === null ? "" : to < 0 ? timeline.running : clockTime(to));
  return (
    <Table caption={timeline.caption} columns={timeline.columns}>
      {[...entries(session, marks, text), ...(parts === null ? [] : partEntries(parts, text, bars))]
        .toSorted((a, b) => a.from - b.from)
        .map(({ step, what, state, from, to, windows }) => (
          <tr key={`${step} ${what} ${state}`}>
            <td>
              <button type="button" className="link-button" onClick={() => controller.goTo(step)}>
                {what}
              </button>
            </td>
            <td>{state}</td>
            <td>{clockTime(from)}</td>
            <td>{time(to)}</td>
            <td>
              <button
                type="button"
                className="icon-button"
                aria-label={timeline.runTo(`${what}, ${clockTime(from)}`)}
                onClick={() => controller.player.runTo(step)}
              >
                <FastForward aria-hidden />
              </button>
              {windows === true ? <WindowsButton step={step} of={what} /> : null}
            </td>
          </tr>
        ))}
    </Table>
  );
}

/** What each subtask does for each checkpoint. */
function partEntries(branch: BranchRun, { panels }: Text, bars: { readonly [K in BarKind]: string }): Entry[] {
  return subtaskParts(branch).flatMap(({ name, parts }) =>
    parts.map(({ checkpoint, kind, step, from, to }) => ({
      step,
      what: `${name}, ${panels.inspector.kinds.checkpoint} ${checkpoint}`,
      state: bars[kind],
      from,
      to,
    })),
  );
}

function entries(session: Session, marks: TimelineMarks, text: Text): Entry[] {
  const { timeline, inspector } = text.panels;
  const { branches } = session;
  const list: Entry[] = [
    ...marks.job.map(({ of }) => ({
      step: of.fromStep,
      what: timeline.job,
      state: of.status,
      from: of.from,
      to: of.to,
    })),
    ...marks.checkpoints.map(({ of }) => ({
      step: of.fromStep,
      what: `${inspector.kinds.checkpoint} ${of.id}`,
      windows: true,
      state: of.status,
      from: of.from,
      to: of.to,
    })),
    ...marks.transactions.flatMap(({ list: spans }) =>
      spans.map(({ of, name }) => ({
        step: of.fromStep,
        what: name,
        windows: true,
        state: of.status,
        from: of.from,
        to: of.to,
      })),
    ),
    ...marks.faults.map(({ fault, graph }) => ({
      step: fault.step,
      what: faultName(graph, fault, text),
      state: "",
      from: fault.clock,
      to: null,
    })),
    ...marks.forks.map(({ id, step }) => ({
      step,
      what: nameOfBranch(session, id),
      state: "",
      from: branches[id]?.run.log.clock(Math.max(0, step - 1)) ?? 0,
      to: null,
    })),
  ];
  return list.sort((a, b) => a.step - b.step);
}
