/** The tasks of a checkpoint, in Flink's columns. */
import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import type { CheckpointStats, Totals } from "../../../projection/checkpoint-stats.ts";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

interface HeadProps {
  readonly names: { readonly [column: string]: string };
  /** Columns that are not Flink's, behind a rule. */
  readonly lab?: { readonly [column: string]: string };
}

export function Head({ names, lab = {} }: HeadProps): ReactElement {
  return (
    <thead>
      <tr>
        {Object.values(names).map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
        {Object.values(lab).map((name, place) => (
          <th key={name} scope="col" className={place === 0 ? "lab-first" : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** From the latest acknowledgement on, tasks have the columns of their checkpoint. */
export function TotalCells({ of }: { readonly of: Totals }): ReactElement {
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

export function Tasks({ stats, moment }: { readonly stats: CheckpointStats; readonly moment: Moment }): ReactElement {
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
