import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { taskLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import type { Moment } from "../../use-view.ts";

interface SubtaskListProps {
  readonly subtasks: readonly number[];
  readonly moment: Moment;
}

/** Subtasks with the state that each is in. */
export function SubtaskList({ subtasks, moment: { graph, view } }: SubtaskListProps): ReactElement {
  return (
    <ul className="list">
      {subtasks.map((subtask) => (
        <li key={subtask}>
          <ElementLink element={{ kind: "subtask", id: subtask }} name={at(graph.subtasks, subtask).name} />{" "}
          <StateChip look={taskLooks[at(view.subtasks, subtask).state]} />
        </li>
      ))}
    </ul>
  );
}
