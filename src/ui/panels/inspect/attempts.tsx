import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { attemptsOf } from "../../../projection/attempts.ts";
import { taskLooks } from "../../../view/machines/presentations.ts";
import { useController } from "../../controller-context.ts";
import { StateChip } from "../../controls/state-chip.tsx";
import { clockTime } from "../../format.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

/** A subtask's attempts, newest first: where each ran, the states it was in, and why it failed. */
export function AttemptList({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const words = useInspectorText();
  const { stageText } = useText();
  const controller = useController();
  const { graph, view, log, step } = moment;
  const attempts = attemptsOf(log).of(view.shared.submission, id, step);
  if (attempts.length === 0) return <p className="muted">{words.noAttempt}</p>;
  return (
    <ol className="list attempts">
      {attempts.map(({ attempt, taskManager, states, failure }) => (
        <li key={attempt}>
          <strong>{words.attempt(attempt)}</strong>{" "}
          <span className="muted">
            {taskManager < 0 ? words.exceptions.unassigned : at(graph.taskManagers, taskManager)}
          </span>
          {failure === null ? null : <p className="failure-note">{stageText.reason(failure.cause)}</p>}
          <ol className="list attempt-states">
            {states.map(({ state, clock, step: when }) => (
              <li key={when}>
                <button
                  type="button"
                  className="link-button"
                  aria-label={`${state}: ${words.exceptions.goTo(clockTime(clock))}`}
                  onClick={() => controller.goTo(when)}
                >
                  {clockTime(clock)}
                </button>{" "}
                <StateChip look={taskLooks[state]} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}
