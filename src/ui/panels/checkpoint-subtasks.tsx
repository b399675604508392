import type { ReactElement } from "react";
import { at } from "../../base/assert.ts";
import type { CheckpointView, SnapshotView } from "../../projection/views.ts";
import { ElementLink } from "../controls/element-link.tsx";
import { byteSize, clockTime, duration } from "../format.ts";
import { useText } from "../text/use-text.ts";
import type { Moment } from "../use-view.ts";

interface CheckpointSubtasksProps {
  readonly checkpoint: CheckpointView;
  readonly moment: Moment;
}

export function CheckpointSubtasks({ checkpoint, moment }: CheckpointSubtasksProps): ReactElement {
  const { checkpoints } = useText().panels;
  return (
    <table className="table">
      <caption className="visually-hidden">{checkpoints.parts(checkpoint.id)}</caption>
      <thead>
        <tr>
          {Object.values(checkpoints.subtaskColumns).map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {checkpoint.parts.map((part, subtask) => (
          <SubtaskRow
            key={at(moment.graph.subtasks, subtask).name}
            id={subtask}
            name={at(moment.graph.subtasks, subtask).name}
            part={part}
            triggeredAt={checkpoint.triggeredAt}
          />
        ))}
      </tbody>
    </table>
  );
}

interface SubtaskRowProps {
  readonly id: number;
  readonly name: string;
  readonly part: SnapshotView | null;
  readonly triggeredAt: number;
}

function SubtaskRow({ id, name, part, triggeredAt }: SubtaskRowProps): ReactElement {
  const { common } = useText();
  const known = (value: number | undefined, words: (value: number) => string): string =>
    value === undefined || value < 0 ? common.none : words(value);
  const acknowledged = part === null || part.acknowledgedAt < 0 ? -1 : part.acknowledgedAt;
  return (
    <tr>
      <td>
        <ElementLink element={{ kind: "subtask", id }} name={name} />
      </td>
      <td>{known(acknowledged, clockTime)}</td>
      <td>{known(acknowledged < 0 ? -1 : acknowledged - triggeredAt, duration)}</td>
      <td>{known(part === null || part.persistedAt < 0 ? -1 : part.bytes, byteSize)}</td>
      <td>{known(part?.sync, duration)}</td>
      <td>{known(part?.async, duration)}</td>
      <td>{known(part?.alignment, duration)}</td>
      <td>{known(part?.startDelay, duration)}</td>
      <td>{common.no}</td>
    </tr>
  );
}
