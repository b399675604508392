/** The metrics of a checkpoint as Flink's details have them: for each task minimum, average and maximum, then its subtasks. */
import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import {
  type CheckpointStats,
  type SubtaskMeasure,
  type SubtaskStats,
  type TaskStats,
  overSubtasks,
} from "../../../projection/checkpoint-stats.ts";
import type { BarKind, CheckpointTimeline, TimelineRow } from "../../../projection/checkpoint-timeline.ts";
import { useController } from "../../controller-context.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useCheckpointsText } from "../../text/checkpoints-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

interface SubtasksProps {
  readonly stats: CheckpointStats;
  readonly timeline: CheckpointTimeline;
  readonly moment: Moment;
  readonly pin: () => void;
}

export function Subtasks({ stats, timeline, moment, pin }: SubtasksProps): ReactElement {
  const words = useCheckpointsText();
  return (
    <table className="table checkpoint-subtasks">
      <caption className="visually-hidden">{words.subtasks.caption(stats.id)}</caption>
      <thead>
        <tr>
          {Object.values(words.subtaskColumns).map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {stats.tasks.map((task) => (
        <tbody key={task.vertex}>
          <TaskRows task={task} name={at(moment.graph.vertices, task.vertex).name} />
          {task.parts.map((part) => (
            <SubtaskRow
              key={part.subtask}
              part={part}
              row={timeline.rows.find(({ subtask }) => subtask === part.subtask)}
              name={at(moment.graph.subtasks, part.subtask).name}
              pin={pin}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** The task's name, and Flink's three rows over its subtasks where it has several. */
function TaskRows({ task, name }: { readonly task: TaskStats; readonly name: string }): ReactElement {
  const words = useCheckpointsText().subtasks;
  const over = (measure: SubtaskMeasure, row: "min" | "avg" | "max"): number => overSubtasks(task, measure)[row];
  return (
    <>
      <tr className="task-row">
        <th scope="rowgroup" colSpan={11}>
          {words.task(name, task.acknowledged, task.subtasks)}
        </th>
      </tr>
      {task.acknowledged < 2
        ? null
        : (["min", "avg", "max"] as const).map((row) => (
            <tr key={row} className="statistic-row">
              <td colSpan={2}>{words[row]}</td>
              <td>{duration(over("duration", row))}</td>
              <td>{byteSize(over("checkpointedSize", row))}</td>
              <td>{byteSize(over("fullSize", row))}</td>
              <td>{duration(over("sync", row))}</td>
              <td>{duration(over("async", row))}</td>
              <td>{`${byteSize(over("processed", row))} (${byteSize(over("persisted", row))})`}</td>
              <td>{duration(over("alignment", row))}</td>
              <td colSpan={2}>{duration(over("startDelay", row))}</td>
            </tr>
          ))}
    </>
  );
}

interface SubtaskRowProps {
  readonly part: SubtaskStats;
  readonly row: TimelineRow | undefined;
  readonly name: string;
  readonly pin: () => void;
}

function SubtaskRow({ part, row, name, pin }: SubtaskRowProps): ReactElement {
  const { common } = useText();
  const words = useCheckpointsText();
  const controller = useController();
  const jump = (step: number, label: string, shown: string): ReactElement => {
    const go = (): void => {
      pin();
      controller.goTo(step);
    };
    return (
      <button type="button" className="link-button" aria-label={label} onClick={go}>
        {shown}
      </button>
    );
  };
  const measured = (kind: BarKind): ReactElement | string => {
    const bar = row?.bars.find((each) => each.kind === kind);
    if (part[kind] < 0) return common.none;
    const shown = duration(part[kind]);
    const label = `${shown}, ${words.time.goTo(`${name}, ${words.time.bars[kind]}`, clockTime(bar?.from ?? 0))}`;
    return bar === undefined ? shown : jump(bar.step, label, shown);
  };
  const { acknowledged, duration: took } = part;
  const acknowledgement = row?.acknowledged ?? null;
  return (
    <tr>
      <td>
        <ElementLink element={{ kind: "subtask", id: part.subtask }} name={name} />
      </td>
      <td>
        {acknowledgement === null
          ? words.time.open
          : jump(
              acknowledgement.step,
              words.time.goTo(`${name}, ${words.time.acknowledged}`, clockTime(acknowledged)),
              part.finished ? words.time.finished : clockTime(acknowledged),
            )}
      </td>
      <td>{took < 0 ? common.none : duration(took)}</td>
      <td>{byteSize(part.checkpointedSize)}</td>
      <td>{byteSize(part.fullSize)}</td>
      <td>{measured("sync")}</td>
      <td>{measured("async")}</td>
      <td>{`${byteSize(part.processed)} (${byteSize(part.persisted)})`}</td>
      <td>{measured("alignment")}</td>
      <td>{measured("startDelay")}</td>
      <td>{part.unaligned ? common.yes : common.no}</td>
    </tr>
  );
}
