import { Tabs } from "radix-ui";
import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { subtaskLoads } from "../../../projection/backpressure.ts";
import type { SubtaskView } from "../../../projection/views.ts";
import { handlerLooks, snapshotLooks, taskLooks } from "../../../view/machines/presentations.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { byteSize, clockTime, duration } from "../../format.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { AttemptList } from "./attempts.tsx";
import { Channels } from "./channel-list.tsx";
import { HeldFields } from "./held.tsx";
import { PartNotes } from "./part-notes.tsx";
import { GivenField } from "./given.tsx";
import { TransactionList } from "./transaction.tsx";
import { CodeOf } from "./vertex.tsx";

interface SubtaskProps {
  readonly id: number;
  readonly moment: Moment;
}

type TabName = keyof ReturnType<typeof useInspectorText>["tabs"];

export function SubtaskFields({ id, moment }: SubtaskProps): ReactElement {
  const words = useInspectorText();
  const { graph } = moment;
  const { inputs, outputs, taskVertex, name } = at(graph.subtasks, id);
  const { fields } = useText().panels.inspector;
  const contents: { readonly [T in TabName]: ReactElement } = {
    state: <StateFields id={id} moment={moment} />,
    channels: (
      <Fields>
        <Channels name={fields.inputs} channels={inputs} moment={moment} end="from" />
        <Channels name={fields.outputs} channels={outputs} moment={moment} end="to" />
      </Fields>
    ),
    snapshot: <SnapshotFigures id={id} moment={moment} />,
    attempts: <AttemptList id={id} moment={moment} />,
    code: <CodeOf vertex={taskVertex} moment={moment} />,
  };
  return (
    <Tabs.Root defaultValue="state">
      <Tabs.List className="inspected-tabs" aria-label={words.tabsOf(name)}>
        {Object.entries(words.tabs).map(([each, title]) => (
          <Tabs.Trigger key={each} value={each} className="inspected-tab">
            {title}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {Object.entries(contents).map(([each, content]) => (
        <Tabs.Content key={each} value={each}>
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** Flink's figures of its part in the newest checkpoints, the newest first. */
function SnapshotFigures({ id, moment }: SubtaskProps): ReactElement {
  const words = useInspectorText();
  const { inspector } = useText().panels;
  const { fields } = words;
  const shown = moment.view.checkpoints
    .flatMap((checkpoint) => {
      const part = checkpoint.parts[id] ?? null;
      return part === null ? [] : [{ checkpoint: checkpoint.id, part }];
    })
    .slice(-FIGURES)
    .toReversed();
  if (shown.length === 0) return <p className="muted">{words.noCheckpoint}</p>;
  const known = (value: number): string => (value < 0 ? inspector.snapshotStates.NONE : duration(value));
  return (
    <>
      {shown.map(({ checkpoint, part }) => (
        <section key={checkpoint} className="inspected-code">
          <p>
            <ElementLink
              element={{ kind: "checkpoint", id: checkpoint }}
              name={`${inspector.kinds.checkpoint} ${checkpoint}`}
            />{" "}
            <StateChip look={snapshotLooks[part.state]} label={inspector.snapshotStates[part.state]} />
            <PartNotes part={part} />
          </p>
          <Fields>
            <Field name={fields.startDelay}>{known(part.startDelay)}</Field>
            <Field name={fields.alignment}>{known(part.alignment)}</Field>
            <Field name={fields.sync}>{known(part.sync)}</Field>
            <Field name={fields.async}>{known(part.async)}</Field>
            <Field name={fields.size}>{byteSize(Math.max(0, part.bytes))}</Field>
            {part.reused > 0 ? <Field name={fields.reused}>{byteSize(part.reused)}</Field> : null}
            <Field name={fields.channelState}>{byteSize(Math.max(0, part.persisted))}</Field>
            <Field name={fields.acknowledged}>
              {part.acknowledgedAt < 0 ? inspector.snapshotStates.NONE : clockTime(part.acknowledgedAt)}
            </Field>
          </Fields>
        </section>
      ))}
    </>
  );
}

/** Checkpoints whose figures are shown. */
const FIGURES = 3;

function StateFields({ id, moment }: SubtaskProps): ReactElement {
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
        <ElementLink
          element={{ kind: "vertex", id: vertex.index }}
          name={vertex.operators.map((operator) => at(graph.operators, operator).vertex.name).join(" → ")}
        />
      </Field>
      <LoadField id={id} moment={moment} />
      {at(graph.subtasks, id).inputs.length === 0 ? null : (
        <BarrierField subtask={subtask} inputs={at(graph.subtasks, id).inputs.length} moment={moment} />
      )}
      <GivenField id={id} moment={moment} />
      <SnapshotField id={id} moment={moment} />
      <HeldFields id={id} moment={moment} />
      <Transactions id={id} moment={moment} />
    </Fields>
  );
}

/** Those that it writes, or commits for others. */
function Transactions({ id, moment }: SubtaskProps): ReactElement {
  const { fields } = useText().panels.inspector;
  return (
    <TransactionList
      name={fields.transactions}
      moment={moment}
      of={({ subtask: writer, operator }) => writer === id || operator === committedFor(id, moment)}
    />
  );
}

/** The sink whose transactions a committer commits, where it is a task of its own; `null`: the subtask is none. */
function committedFor(id: number, { graph }: Moment): number | null {
  const head = at(at(graph.vertices, at(graph.subtasks, id).taskVertex).operators, 0);
  const { vertex } = at(graph.operators, head);
  return vertex.type === "committer" ? graph.operators.findIndex((other) => other.vertex.uid === vertex.sink) : null;
}

/** States in which the JobManager knows that the thread has ended. */
const over: ReadonlySet<string> = new Set(["FAILED", "CANCELED", "FINISHED"]);

function restoredFrom({ restored }: SubtaskView, words: (checkpoint: number) => string): string {
  return restored < 0 ? "" : ` ${words(restored)}`;
}

/** Flink's three figures over the last second, the level, and who holds whom back. */
function LoadField({ id, moment }: SubtaskProps): ReactElement | null {
  const { inspector } = useText().panels;
  const { graph, view } = moment;
  const { shares, level, holds, heldBy } = at(subtaskLoads(view), id);
  if (shares === null) return null;
  const links = (subtasks: readonly number[]): ReactElement[] =>
    subtasks.map((subtask) => (
      <span key={subtask}>
        <ElementLink element={{ kind: "subtask", id: subtask }} name={at(graph.subtasks, subtask).name} />{" "}
      </span>
    ));
  return (
    <Field name={inspector.fields.load}>
      <span className="load-bar" aria-hidden>
        {(["backpressured", "busy", "idle"] as const).map((kind) => (
          <i key={kind} className={`load-${kind}`} style={{ flexGrow: shares[kind] }} />
        ))}
      </span>
      {inspector.load(shares.busy, shares.backpressured, shares.idle, level)}
      {holds.length === 0 ? null : (
        <p className="failure-note">
          {inspector.holdsBack(at(graph.subtasks, id).name)} {links(holds)}
        </p>
      )}
      {heldBy.length === 0 ? null : (
        <p className="failure-note">
          {inspector.heldBackBy} {links(heldBy)}
        </p>
      )}
    </Field>
  );
}

interface BarrierProps {
  readonly subtask: SubtaskView;
  readonly inputs: number;
  readonly moment: Moment;
}

function BarrierField({ subtask, inputs, moment }: BarrierProps): ReactElement {
  const { inspector } = useText().panels;
  const { state, checkpoint, aligned } = subtask.handler;
  const counts = moment.scenario.config.checkpointing.mode === "AT_LEAST_ONCE";
  if (state === "WAITING") return <Field name={inspector.fields.barrier}>{inspector.notAligning}</Field>;
  const words =
    state === "WAITING_UNALIGNED"
      ? inspector.timedOut
      : inspector[state === "COLLECTING_UNALIGNED" ? "collectingUnaligned" : counts ? "counting" : "waitingFor"](
          checkpoint,
          aligned.length,
          inputs,
        );
  return (
    <Field name={inspector.fields.barrier}>
      <StateChip look={handlerLooks[state]} label={words} />
    </Field>
  );
}

/** This subtask's parts in the checkpoints under way and in the newest one. */
function SnapshotField({ id, moment }: SubtaskProps): ReactElement | null {
  const { inspector } = useText().panels;
  const { checkpoints, coordinator } = moment.view;
  const newest = checkpoints.at(-1)?.id;
  const parts = checkpoints.flatMap((checkpoint) => {
    const part = checkpoint.parts[id] ?? null;
    const shown = checkpoint.id === newest || coordinator.pending.includes(checkpoint.id);
    return part !== null && shown ? [{ checkpoint: checkpoint.id, part }] : [];
  });
  if (parts.length === 0) return null;
  return (
    <Field name={inspector.fields.snapshot}>
      <ul className="list">
        {parts.map(({ checkpoint, part }) => (
          <li key={checkpoint}>
            <CheckpointFlag id={checkpoint} />{" "}
            <StateChip look={snapshotLooks[part.state]} label={inspector.snapshotStates[part.state]} />
            <PartNotes part={part} />
          </li>
        ))}
      </ul>
    </Field>
  );
}
