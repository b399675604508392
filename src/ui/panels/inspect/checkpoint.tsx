import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import type { CheckpointView, RunView, SnapshotView } from "../../../projection/views.ts";
import { checkpointLooks, snapshotLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { WindowsButton } from "../../windows/windows-button.tsx";
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

interface ContentsProps {
  readonly part: SnapshotView;
  readonly subtask: number;
  readonly moment: Moment;
}

/** What a subtask has put into it: positions, keyed and operator state, committables, data in flight. */
function Contents({ part: { contents, inFlight }, subtask, moment }: ContentsProps): ReactElement | null {
  const words = useInspectorText().contents;
  if (contents === null) return null;
  const { graph, shared } = { graph: moment.graph, shared: moment.view.shared };
  const positions = contents.positions.map(
    (position, split) => `${at(graph.inputs, at(at(shared.splits, subtask), split)).name}@${position}`,
  );
  const committables = contents.committables.flat().length;
  const logged = contents.logged.flat().reduce((sum, { records }) => sum + records.length, 0);
  const input = inFlight.filter(({ side }) => side === "input").length;
  const parts = [
    ...(positions.length > 0 ? [words.positions(positions.join(", "))] : []),
    ...contents.operators.map(({ counts }) => words.keys(counts.filter((count) => count > 0).length)),
    ...(committables > 0 ? [words.committables(committables)] : []),
    ...(logged > 0 ? [words.logged(logged)] : []),
    ...(inFlight.length > 0 ? [words.inFlight(input, inFlight.length - input)] : []),
  ];
  return <p className="muted snapshot-contents">{parts.length === 0 ? words.nothing : parts.join(" · ")}</p>;
}

export function CheckpointFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields } = inspector;
  const words = useInspectorText();
  const { graph, view } = moment;
  const checkpoint = view.checkpoints.find((candidate) => candidate.id === id);
  if (checkpoint === undefined) return <p className="muted">{inspector.notYet}</p>;
  return (
    <Fields>
      <Field name={fields.status}>
        <Outcome checkpoint={checkpoint} moment={moment} />
      </Field>
      <Kind checkpoint={checkpoint} view={view} />
      <Field name={fields.triggered}>{clockTime(checkpoint.triggeredAt)}</Field>
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
                  <Contents part={part} subtask={subtask} moment={moment} />
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
