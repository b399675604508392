import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { fencingToken } from "../../../projection/fencing.ts";
import { type NextTrigger, nextTrigger } from "../../../projection/next-trigger.ts";
import { restartBudget } from "../../../projection/restart-budget.ts";
import { jobLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { clockTime, duration } from "../../format.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { SubtaskList } from "./subtask-list.tsx";

export function TaskManagerFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { view } = moment;
  const { alive, registered, subtasks } = at(view.taskManagers, id);
  return (
    <Fields>
      <Field name={inspector.fields.process}>{alive ? inspector.running : inspector.gone}</Field>
      <Field name={inspector.fields.registered}>{registered ? inspector.yes : inspector.no}</Field>
      <Field name={inspector.fields.slots}>
        {subtasks.length === 0 ? text.common.none : <SubtaskList subtasks={subtasks} moment={moment} />}
      </Field>
    </Fields>
  );
}

export function JobManagerFields({ moment }: { readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields, since } = inspector;
  const words = useInspectorText();
  const { job, coordinator } = moment.view;
  const token = fencingToken(moment.view);
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
      <Field name={words.fields.leader}>
        {words.leader(job.leader, job.led, moment.scenario.config.state.highAvailability)}
      </Field>
      <Field name={words.fields.token}>
        {token === null ? text.common.none : <span className="mono">{token}</span>}
        <p className="muted">{words.tokenNote(moment.scenario.config.state.highAvailability)}</p>
      </Field>
      <Field name={fields.job}>
        <StateChip look={jobLooks[job.status]} /> {since(clockTime(job.since))}
      </Field>
      <Restarts moment={moment} />
      <Field name={fields.pending}>{checkpoints(coordinator.pending)}</Field>
      <Field name={fields.completed}>{checkpoints(coordinator.completed)}</Field>
      <Field name={words.fields.coordinator}>
        {words.coordinator[coordinatorState(nextTrigger(moment.view), coordinator.pending.length)]}
      </Field>
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

type CoordinatorState = "idle" | "pending" | "waiting" | "suspended" | "gone";

/** What the checkpoint coordinator does now: a `CheckpointCoordinator` has no state of this name. */
function coordinatorState({ kind }: NextTrigger, pending: number): CoordinatorState {
  if (kind === "leaderless" || kind === "ended") return "gone";
  if (pending > 0) return "pending";
  if (kind === "suspended" || kind === "stopped") return "suspended";
  return kind === "off" ? "idle" : "waiting";
}

/** Restarts under way, and what the restart strategy has left. */
function Restarts({ moment }: { readonly moment: Moment }): ReactElement {
  const text = useText();
  const words = useInspectorText();
  const { fields, restartIn } = text.panels.inspector;
  const { job } = moment.view;
  return (
    <>
      {job.restarting.map(({ step, delay, restarted, failure }) => (
        <Field key={step} name={fields.restart}>
          {restartIn(duration(delay), restarted.length)}
          {failure === null ? null : <p className="failure-note">{text.stageText.reason(failure)}</p>}
        </Field>
      ))}
      <Field name={words.fields.strategy}>
        <span className="mono">{moment.scenario.config.restartStrategy.type}</span>
        <p className="muted">{words.strategy(moment.scenario.config.restartStrategy)}</p>
      </Field>
      <Field name={fields.restarts}>
        {job.restarts} ({text.stageText.budget(restartBudget(moment.view))})
      </Field>
    </>
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
