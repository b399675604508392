/** The newest checkpoints in Flink's columns and, behind a rule, in two of ours; each row opens on more of it. */
import { ChartGantt, ChevronDown, ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import { at } from "../../../base/assert.ts";
import type { CheckpointStatistics, CheckpointStats } from "../../../projection/checkpoint-stats.ts";
import { select } from "../../app-actions.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { IconButton } from "../../controls/icon-button.tsx";
import { clockTime } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { Details } from "./details.tsx";
import { IfCrashedCell, TransactionsCell } from "./lab-cells.tsx";
import { Status } from "./status.tsx";
import { Head, TotalCells } from "./tasks.tsx";
import { type IfCrashed, useIfCrashed } from "./use-if-crashed.ts";

interface HistoryProps {
  readonly statistics: CheckpointStatistics;
  readonly moment: Moment;
  readonly show: (id: number) => void;
}

export function History({ statistics: { history }, moment, show }: HistoryProps): ReactElement {
  const words = useCheckpointsText();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number): void =>
    setOpen((before) =>
      before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id]),
    );
  const ifCrashed = useIfCrashed(moment);
  const older = moment.view.checkpoints.length - history.length;
  return (
    <>
      <table className="table">
        <caption className="visually-hidden">{words.caption}</caption>
        <Head names={words.columns} lab={words.labColumns} />
        <tbody>
          {history.map((stats) => (
            <Row
              key={stats.id}
              stats={stats}
              moment={moment}
              ifCrashed={ifCrashed}
              open={open.has(stats.id)}
              toggle={toggle}
              show={() => show(stats.id)}
            />
          ))}
        </tbody>
      </table>
      {older > 0 ? <p className="panel-bar muted">{words.older(older, history.length)}</p> : null}
    </>
  );
}

interface RowProps {
  readonly stats: CheckpointStats;
  readonly moment: Moment;
  readonly ifCrashed: IfCrashed;
  readonly open: boolean;
  readonly toggle: (id: number) => void;
  readonly show: () => void;
}

function Row({ stats, moment, ifCrashed, open, toggle, show }: RowProps): ReactElement {
  const text = useText();
  const words = useCheckpointsText();
  const { id } = stats;
  const checkpoint = at(
    moment.view.checkpoints.filter((each) => each.id === id),
    0,
  );
  return (
    <>
      <tr data-checkpoint={id}>
        <td>
          <span className="expand-cell">
            <IconButton label={words.expand(id)} aria-expanded={open} onClick={() => toggle(id)}>
              {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
            </IconButton>
            <button
              type="button"
              className="link-button plain"
              onClick={() => select({ kind: "checkpoint", id })}
              aria-label={text.stageText.checkpoint(id, stats.savepoint !== null)}
            >
              <CheckpointFlag id={id} />
            </button>
            <IconButton label={words.inTime(id)} onClick={show}>
              <ChartGantt aria-hidden />
            </IconButton>
          </span>
        </td>
        <td>
          <Status stats={stats} moment={moment} />
        </td>
        <td>{words.types[stats.type]}</td>
        <td>{`${stats.acknowledged}/${stats.subtasks}`}</td>
        <td>{clockTime(stats.triggered)}</td>
        <TotalCells of={stats} />
        <TransactionsCell checkpoint={checkpoint} moment={moment} />
        <IfCrashedCell checkpoint={checkpoint} moment={moment} ifCrashed={ifCrashed} />
      </tr>
      {open ? (
        <tr className="subtask-rows">
          <td colSpan={Object.keys(words.columns).length + Object.keys(words.labColumns).length}>
            <Details stats={stats} checkpoint={checkpoint} moment={moment} ifCrashed={ifCrashed} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
