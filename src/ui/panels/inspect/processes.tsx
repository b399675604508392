import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { nextTrigger } from "../../../projection/next-trigger.ts";
import { restartBudget } from "../../../projection/restart-budget.ts";
import { checkpointLooks, jobLooks, taskLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

export function TaskManagerFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { graph, view } = moment;
  const { alive, registered, subtasks } = at(view.taskManagers, id);
  return (
    <Fields>
      <Field name={inspector.fields.process}>{alive ? inspector.running : inspector.gone}</Field>
      <Field name={inspector.fields.registered}>{registered ? inspector.yes : inspector.no}</Field>
      <Field name={inspector.fields.slots}>
        {subtasks.length === 0 ? (
          text.common.none
        ) : (
          <ul className="list">
            {subtasks.map((subtask) => (
              <li key={subtask}>
                <ElementLink element={{ kind: "subtask", id: subtask }} name={at(graph.subtasks, subtask).name} />{" "}
                <StateChip look={taskLooks[at(view.subtasks, subtask).state]} />
              </li>
            ))}
          </ul>
        )}
      </Field>
    </Fields>
  );
}

export function JobManagerFields({ moment }: { readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields, since, restartIn } = inspector;
  const { job, coordinator } = moment.view;
  const checkpoints = (ids: readonly number[]): ReactElement | string =>
    ids.length === 0 ? (
      text.common.none
    ) : (
      <span className="pair-list">
        {ids.map((id) => (
          <ElementLink key={id} element={{ kind: "checkpoint", id }} name={String(id)} />
        ))}
      </span>
    );
  return (
    <Fields>
      <Field name={fields.job}>
        <StateChip look={jobLooks[job.status]} /> {since(clockTime(job.since))}
      </Field>
      {job.restarting.map(({ step, delay, restarted, failure }) => (
        <Field key={step} name={fields.restart}>
          {restartIn(duration(delay), restarted.length)}
          {failure === null ? null : <p className="failure-note">{text.stageText.reason(failure)}</p>}
        </Field>
      ))}
      <Field name={fields.restarts}>
        {job.restarts} ({text.stageText.budget(restartBudget(moment.view))})
      </Field>
      <Field name={fields.pending}>{checkpoints(coordinator.pending)}</Field>
      <Field name={fields.completed}>{checkpoints(coordinator.completed)}</Field>
      <NextField moment={moment} />
      {coordinator.lastRejection === null ? null : (
        <Field name={fields.dropped}>
          {coordinator.rejected}
          <p className="failure-note">{text.stageText.reason(coordinator.lastRejection)}</p>
        </Field>
      )}
      <Field name={fields.failures}>
        {inspector.failuresOf(coordinator.failures, moment.scenario.config.checkpointing.tolerableFailed)}
      </Field>
    </Fields>
  );
}

/** When the next checkpoint begins, or for what it waits. */
function NextField({ moment }: { readonly moment: Moment }): ReactElement {
  const { inspector } = useText().panels;
  const next = nextTrigger(moment.view);
  return (
    <Field name={inspector.fields.next}>
      {inspector.next(next)}
      {next.kind !== "queued" ? null : (
        <p className="failure-note">
          {inspector.waitsForCheckpoint}{" "}
          {next.pending.map((id) => (
            <ElementLink key={id} element={{ kind: "checkpoint", id }} name={String(id)} />
          ))}
        </p>
      )}
    </Field>
  );
}

export function StorageFields({ moment }: { readonly moment: Moment }): ReactElement {
  const text = useText();
  const { fields, empty } = text.panels.inspector;
  const kept = moment.view.checkpoints.filter(
    ({ state }) => state === "PENDING" || state === "FINALIZING" || state === "COMPLETED",
  );
  return (
    <Fields>
      <Field name={fields.stored}>
        {kept.length === 0 ? (
          empty
        ) : (
          <ul className="list">
            {kept.map(({ id, state, bytes }) => (
              <li key={id}>
                <ElementLink element={{ kind: "checkpoint", id }} name={`chk-${id}`} />{" "}
                <StateChip look={checkpointLooks[state]} label={text.stageText.checkpointState(state)} />{" "}
                <span className="muted">{byteSize(bytes)}</span>
              </li>
            ))}
          </ul>
        )}
      </Field>
    </Fields>
  );
}
