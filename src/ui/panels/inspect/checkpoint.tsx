import type { ReactElement } from "react";
import { storedFilesOf } from "../../../projection/stored-files.ts";
import { triggerOf } from "../../../projection/triggers.ts";
import type { CheckpointView, RunView } from "../../../projection/views.ts";
import { checkpointLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { WindowsButton } from "../../windows/windows-button.tsx";
import { Contents } from "./contents.tsx";
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
  const words = useInspectorText();
  const { inspector } = text.panels;
  // It is dropped in the moment in which a later one completes (CP-130).
  const by = moment.view.checkpoints.find(
    ({ id, endedAt }) => id > checkpoint.id && endedAt === checkpoint.subsumedAt,
  )?.id;
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
        <p className="failure-note">
          {inspector.subsumed(clockTime(checkpoint.subsumedAt))}{" "}
          {by === undefined ? null : (
            <ElementLink element={{ kind: "checkpoint", id: by }} name={`${words.subsumedBy} ${by}`} />
          )}
        </p>
      )}
      {moment.view.coordinator.restoreCandidate === checkpoint.id ? (
        <p className="failure-note">{text.stageText.restores()}</p>
      ) : null}
      <p>
        <WindowsButton step={checkpoint.step} />
      </p>
    </>
  );
}

/** CP-130, CP-160: who keeps it, and may delete it. */
function holderOf(
  { id, kind, state }: CheckpointView,
  { coordinator }: RunView,
): "user" | "flink" | "nobody" | "pending" {
  if (state === "PENDING" || state === "FINALIZING") return "pending";
  if (coordinator.completed.includes(id)) return "flink";
  return kind !== "CHECKPOINT" && state === "COMPLETED" ? "user" : "nobody";
}

function Kind({ checkpoint, view }: { readonly checkpoint: CheckpointView; readonly view: RunView }): ReactElement {
  const words = useInspectorText();
  return (
    <>
      <Field name={words.fields.kind}>{words.kinds[checkpoint.kind] ?? checkpoint.kind}</Field>
      {checkpoint.savepoint === null ? null : (
        <Field name={words.fields.path}>
          <span className="mono">{checkpoint.savepoint.path}</span>
        </Field>
      )}
      <Field name={words.fields.held}>{words.owners[holderOf(checkpoint, view)]}</Field>
    </>
  );
}

/** Its own files; those that it refers to lie in `shared`. */
function Files({ checkpoint, moment }: { readonly checkpoint: number; readonly moment: Moment }): ReactElement {
  const words = useInspectorText();
  const { submission } = moment.view.shared;
  const directory = storedFilesOf(moment.log)
    .at(moment.step)
    .find((each) => each.submission === submission && each.checkpoint === checkpoint);
  return <Field name={words.fields.files}>{directory === undefined ? words.noFiles : words.files(directory)}</Field>;
}

export function CheckpointFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields } = inspector;
  const words = useInspectorText();
  const { view } = moment;
  const checkpoint = view.checkpoints.find((candidate) => candidate.id === id);
  if (checkpoint === undefined) return <p className="muted">{inspector.notYet}</p>;
  return (
    <Fields>
      <Field name={fields.status}>
        <Outcome checkpoint={checkpoint} moment={moment} />
      </Field>
      <Kind checkpoint={checkpoint} view={view} />
      <Field name={fields.triggered}>
        {clockTime(checkpoint.triggeredAt)}, {words.triggers(triggerOf(moment.log, checkpoint.step))}
      </Field>
      <Field name={fields.acknowledged}>{inspector.fill(checkpoint.acknowledged, checkpoint.parts.length)}</Field>
      {checkpoint.endedAt < 0 ? null : (
        <>
          <Field name={fields.ended}>{clockTime(checkpoint.endedAt)}</Field>
          <Field name={fields.duration}>{duration(checkpoint.endedAt - checkpoint.triggeredAt)}</Field>
          <Field name={words.fields.told}>{words.told(checkpoint.notified, checkpoint.parts.length)}</Field>
        </>
      )}
      {checkpoint.restores === 0 ? null : (
        <Field name={words.fields.restored}>{words.restores(checkpoint.restores)}</Field>
      )}
      <Field name={fields.size}>{byteSize(checkpoint.bytes)}</Field>
      <Files checkpoint={id} moment={moment} />
      <Field name={fields.parts}>
        <Contents checkpoint={checkpoint} moment={moment} />
      </Field>
      <TransactionList name={fields.transactions} moment={moment} of={(transaction) => transaction.checkpoint === id} />
    </Fields>
  );
}
