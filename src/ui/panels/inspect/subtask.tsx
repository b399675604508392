import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import type { SubtaskView } from "../../../projection/views.ts";
import { handlerLooks, snapshotLooks, taskLooks } from "../../../view/machines/presentations.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { clockTime } from "../../format.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { TransactionList } from "./transaction.tsx";

interface SubtaskProps {
  readonly id: number;
  readonly moment: Moment;
}

export function SubtaskFields({ id, moment }: SubtaskProps): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields } = inspector;
  const { graph, view } = moment;
  const subtask = at(view.subtasks, id);
  const vertex = at(graph.vertices, at(graph.subtasks, id).taskVertex);
  return (
    <Fields>
      <Field name={fields.state}>
        <StateChip look={taskLooks[subtask.state]} /> {inspector.since(clockTime(subtask.since))}
        {subtask.failure === null ? null : <p className="failure-note">{text.stageText.reason(subtask.failure)}</p>}
        {subtask.thread === "ended" && subtask.ending !== null && !over.has(subtask.state) ? (
          <p className="failure-note">{inspector.unknownEnd[subtask.ending]}</p>
        ) : null}
        {subtask.stalled === null ? null : <p className="failure-note">{text.stageText.stalled()}</p>}
      </Field>
      <Field name={fields.attempt}>
        {subtask.attempt < 0 ? text.common.none : `#${subtask.attempt}${restoredFrom(subtask, inspector.restoredFrom)}`}
      </Field>
      <Field name={fields.taskManager}>
        {subtask.taskManager < 0 ? (
          text.common.none
        ) : (
          <ElementLink
            element={{ kind: "taskManager", id: subtask.taskManager }}
            name={at(graph.taskManagers, subtask.taskManager)}
          />
        )}
      </Field>
      <Field name={fields.operators}>
        {vertex.operators.map((operator) => at(graph.operators, operator).vertex.name).join(" → ")}
      </Field>
      {at(graph.subtasks, id).inputs.length === 0 ? null : (
        <BarrierField subtask={subtask} inputs={at(graph.subtasks, id).inputs.length} />
      )}
      <SnapshotField id={id} moment={moment} />
      <HeldFields id={id} moment={moment} />
      <Channels name={fields.inputs} channels={at(graph.subtasks, id).inputs} moment={moment} end="from" />
      <Channels name={fields.outputs} channels={at(graph.subtasks, id).outputs} moment={moment} end="to" />
      <TransactionList name={fields.transactions} moment={moment} of={(transaction) => transaction.subtask === id} />
    </Fields>
  );
}

/** States in which the JobManager knows that the thread has ended. */
const over: ReadonlySet<string> = new Set(["FAILED", "CANCELED", "FINISHED"]);

function restoredFrom({ restored }: SubtaskView, words: (checkpoint: number) => string): string {
  return restored < 0 ? "" : ` ${words(restored)}`;
}

function BarrierField({ subtask, inputs }: { readonly subtask: SubtaskView; readonly inputs: number }): ReactElement {
  const { inspector } = useText().panels;
  const { handler } = subtask;
  return (
    <Field name={inspector.fields.barrier}>
      {handler.state === "COLLECTING" ? (
        <>
          <StateChip
            look={handlerLooks.COLLECTING}
            label={inspector.waitingFor(handler.checkpoint, handler.aligned.length, inputs)}
          />
        </>
      ) : (
        inspector.notAligning
      )}
    </Field>
  );
}

/** This subtask's part in the newest checkpoint. */
function SnapshotField({ id, moment }: SubtaskProps): ReactElement | null {
  const { inspector } = useText().panels;
  const newest = moment.view.checkpoints.at(-1);
  const part = newest?.parts[id];
  if (newest === undefined || part === undefined || part === null) return null;
  return (
    <Field name={inspector.fields.snapshot}>
      <CheckpointFlag id={newest.id} />{" "}
      <StateChip look={snapshotLooks[part.state]} label={inspector.snapshotStates[part.state]} />
    </Field>
  );
}

/** What it would put into a snapshot now: positions, keyed state. */
function HeldFields({ id, moment }: SubtaskProps): ReactElement {
  const { inspector } = useText().panels;
  const { graph, view } = moment;
  const { held } = at(view.subtasks, id);
  const positions = view.inputs.filter(({ subtask }) => subtask === id);
  return (
    <>
      {positions.length === 0 ? null : (
        <Field name={inspector.fields.offsets}>
          <ul className="list">
            {positions.map(({ partition, position }) => (
              <li key={partition}>
                <ElementLink element={{ kind: "input", id: partition }} name={at(graph.inputs, partition).name} />{" "}
                {inspector.nextOffset(position)}
              </li>
            ))}
          </ul>
        </Field>
      )}
      {held.operators.map(({ operator, values, counts }) => (
        <Field key={operator} name={inspector.fields.keyed}>
          <span className="pair-list">
            {Array.from(values, (value, key) => ({ key, value }))
              .filter(({ key }) => counts[key] !== 0)
              .map(({ key, value }) => (
                <span key={key} className="pair">
                  {graph.keys[key] ?? ""} = {value}
                </span>
              ))}
          </span>
        </Field>
      ))}
    </>
  );
}

interface ChannelsProps {
  readonly name: string;
  readonly channels: readonly number[];
  readonly moment: Moment;
  readonly end: "from" | "to";
}

function Channels({ name, channels, moment, end }: ChannelsProps): ReactElement | null {
  const { inspector } = useText().panels;
  const { graph, view } = moment;
  if (channels.length === 0) return null;
  return (
    <Field name={name}>
      <ul className="list">
        {channels.map((id) => {
          const channel = at(graph.channels, id);
          const { fill, blocked } = at(view.channels, id);
          return (
            <li key={id}>
              <ElementLink element={{ kind: "channel", id }} name={at(graph.subtasks, channel[end]).name} />{" "}
              {inspector.fill(fill, at(graph.edges, channel.edge).capacity)}
              {blocked < 0 ? null : <span className="warn"> {inspector.blockedBy(blocked)}</span>}
            </li>
          );
        })}
      </ul>
    </Field>
  );
}
