import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import type { CheckpointView } from "../../../projection/views.ts";
import { checkpointLooks, snapshotLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { PartNotes } from "./part-notes.tsx";
import { TransactionList } from "./transaction.tsx";

/** Its status; why it failed, in Flink's words, and whether that counts; that it was subsumed. */
function Outcome({
  checkpoint,
  moment,
}: {
  readonly checkpoint: CheckpointView;
  readonly moment: Moment;
}): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  return (
    <>
      <StateChip look={checkpointLooks[checkpoint.state]} label={text.stageText.checkpointState(checkpoint.state)} />
      {checkpoint.reason === null ? null : (
        <p className="failure-note">
          {text.stageText.reason(checkpoint.reason)}{" "}
          {checkpoint.counts
            ? inspector.counts(checkpoint.failures, moment.scenario.config.checkpointing.tolerableFailed)
            : inspector.countsNot}
        </p>
      )}
      {checkpoint.subsumedAt < 0 ? null : (
        <p className="failure-note">{inspector.subsumed(clockTime(checkpoint.subsumedAt))}</p>
      )}
      {moment.view.coordinator.restoreCandidate === checkpoint.id ? (
        <p className="failure-note">{text.stageText.restores()}</p>
      ) : null}
    </>
  );
}

export function CheckpointFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields } = inspector;
  const { graph, view } = moment;
  const checkpoint = view.checkpoints.find((candidate) => candidate.id === id);
  if (checkpoint === undefined) return <p className="muted">{inspector.notYet}</p>;
  return (
    <Fields>
      <Field name={fields.status}>
        <Outcome checkpoint={checkpoint} moment={moment} />
      </Field>
      <Field name={fields.triggered}>{clockTime(checkpoint.triggeredAt)}</Field>
      <Field name={fields.acknowledged}>{inspector.fill(checkpoint.acknowledged, checkpoint.parts.length)}</Field>
      {checkpoint.endedAt < 0 ? null : (
        <>
          <Field name={fields.ended}>{clockTime(checkpoint.endedAt)}</Field>
          <Field name={fields.duration}>{duration(checkpoint.endedAt - checkpoint.triggeredAt)}</Field>
        </>
      )}
      <Field name={fields.size}>{byteSize(checkpoint.bytes)}</Field>
      <Field name={fields.parts}>
        <ul className="list">
          {checkpoint.parts.map((part, subtask) => (
            <li key={at(graph.subtasks, subtask).name}>
              <ElementLink element={{ kind: "subtask", id: subtask }} name={at(graph.subtasks, subtask).name} />{" "}
              {part === null ? (
                <span className="muted">{inspector.snapshotStates.NONE}</span>
              ) : (
                <>
                  <StateChip look={snapshotLooks[part.state]} label={inspector.snapshotStates[part.state]} />
                  <PartNotes part={part} />
                </>
              )}
            </li>
          ))}
        </ul>
      </Field>
      <TransactionList name={fields.transactions} moment={moment} of={(transaction) => transaction.checkpoint === id} />
    </Fields>
  );
}
