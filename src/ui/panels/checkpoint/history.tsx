/** The newest checkpoints in Flink's columns; each row opens on its tasks, and leads to the checkpoint by subtask. */
import { ChartGantt, ChevronDown, ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import { at } from "../../../base/assert.ts";
import type { CheckpointStatistics, CheckpointStats, Totals } from "../../../projection/checkpoint-stats.ts";
import { select } from "../../app-actions.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { IconButton } from "../../controls/icon-button.tsx";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { Status } from "./status.tsx";

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
  const older = moment.view.checkpoints.length - history.length;
  return (
    <>
      <table className="table">
        <caption className="visually-hidden">{words.caption}</caption>
        <Head names={words.columns} />
        <tbody>
          {history.map((stats) => (
            <Row
              key={stats.id}
              stats={stats}
              moment={moment}
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

function Head({ names }: { readonly names: { readonly [column: string]: string } }): ReactElement {
  return (
    <thead>
      <tr>
        {Object.values(names).map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly stats: CheckpointStats;
  readonly moment: Moment;
  readonly open: boolean;
  readonly toggle: (id: number) => void;
  readonly show: () => void;
}

function Row({ stats, moment, open, toggle, show }: RowProps): ReactElement {
  const text = useText();
  const words = useCheckpointsText();
  const { id } = stats;
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
      </tr>
      {open ? (
        <tr className="subtask-rows">
          <td colSpan={Object.keys(words.columns).length}>
            <Tasks stats={stats} moment={moment} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** From the latest acknowledgement on, tasks have the columns of their checkpoint. */
function TotalCells({ of }: { readonly of: Totals }): ReactElement {
  const { common } = useText();
  return (
    <>
      <td>{of.latestAck < 0 ? common.none : clockTime(of.latestAck)}</td>
      <td>{of.duration < 0 ? common.none : duration(of.duration)}</td>
      <td>{byteSize(of.checkpointedSize)}</td>
      <td>{byteSize(of.fullSize)}</td>
      <td>{`${byteSize(of.processed)} (${byteSize(of.persisted)})`}</td>
    </>
  );
}

function Tasks({ stats, moment }: { readonly stats: CheckpointStats; readonly moment: Moment }): ReactElement {
  const words = useCheckpointsText();
  return (
    <table className="table">
      <caption className="visually-hidden">{words.tasksOf(stats.id)}</caption>
      <Head names={words.taskColumns} />
      <tbody>
        {stats.tasks.map((task) => (
          <tr key={task.vertex}>
            <td>{at(moment.graph.vertices, task.vertex).name}</td>
            <td>{`${task.acknowledged}/${task.subtasks}`}</td>
            <TotalCells of={task} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
