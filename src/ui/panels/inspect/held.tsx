/** What a subtask would put into a snapshot now, and, struck through, what a failure took and replay has not brought back. */
import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { type Ghost, type Ghosts, ghostsOf } from "../../../projection/ghosts.ts";
import type { LoggedView } from "../../../projection/views.ts";
import { isKeyed } from "../../../protocol/job-graph.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field } from "../../controls/fields.tsx";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

/** A number that was there before the failure. */
function Before({
  ghost,
  mark = "",
}: {
  readonly ghost: Ghost | undefined;
  readonly mark?: string;
}): ReactElement | null {
  if (ghost === undefined) return null;
  return (
    <>
      {" "}
      <del className="ghost">
        {mark}
        {ghost.before}
      </del>
    </>
  );
}

export function HeldFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const { inspector } = useText().panels;
  const { graph, view } = moment;
  const words = useInspectorText();
  const { held, thread } = at(view.subtasks, id);
  const ghosts = ghostsOf(view, id);
  const gone = ghosts !== null && thread === "ended";
  const positions = view.inputs.filter(({ subtask }) => subtask === id);
  const [head] = at(graph.vertices, at(graph.subtasks, id).taskVertex).operators;
  const table = head === undefined ? undefined : graph.operators[head]?.vertex;
  return (
    <>
      {positions.length === 0 ? null : (
        <Field name={inspector.fields.offsets}>
          <ul className="list">
            {positions.map(({ partition, position, split }) => (
              <li key={partition}>
                <ElementLink element={{ kind: "input", id: partition }} name={at(graph.inputs, partition).name} />{" "}
                {gone ? null : inspector.nextOffset(position)}
                <Before ghost={ghosts?.positions.find((ghost) => ghost.split === split)} mark="@" />
              </li>
            ))}
          </ul>
        </Field>
      )}
      {table?.type !== "database-source" ? null : (
        <Field name={inspector.fields.fullRead}>
          {inspector.fullRead(at(positions, 0).position, table.rows, table.incremental)}
        </Field>
      )}
      <LoggedField batches={held.logged.flat()} />
      {held.operators.map(({ operator }) => (
        <StateField key={operator} id={id} operator={operator} ghosts={ghosts} moment={moment} />
      ))}
      {ghosts === null ? null : (
        <Field name={words.fields.struck}>
          <span className="muted">{words.ghostNote(gone)}</span>
        </Field>
      )}
    </>
  );
}

interface StateProps {
  readonly id: number;
  readonly operator: number;
  readonly ghosts: Ghosts | null;
  readonly moment: Moment;
}

/** Keys with their values, or what a counter has counted. */
function StateField({ id, operator, ghosts, moment }: StateProps): ReactElement {
  const { inspector } = useText().panels;
  const { fields } = useInspectorText();
  const { graph, view } = moment;
  const { held, thread, ending } = at(view.subtasks, id);
  const keyed = isKeyed(at(graph.operators, operator).vertex);
  const lost = (ghosts?.values ?? []).filter((ghost) => ghost.operator === operator);
  const gone = thread === "ended" && ending !== "FINISHED";
  const { values, counts } = at(
    held.operators.filter((each) => each.operator === operator),
    0,
  );
  const shown = Array.from(values, (value, place) => {
    const key = keyed ? place : -1;
    const now = gone || counts[place] === 0 ? null : value;
    return { key, now, ghost: lost.find((ghost) => ghost.key === key) };
  }).filter(({ now, ghost }) => now !== null || ghost !== undefined);
  return (
    <Field name={keyed ? inspector.fields.keyed : fields.counter}>
      <span className="pair-list">
        {shown.map(({ key, now, ghost }) => (
          <span key={key} className="pair">
            {keyed ? `${graph.keys[key] ?? ""} = ` : ""}
            {now}
            <Before ghost={ghost} />
          </span>
        ))}
      </span>
    </Field>
  );
}

/** What a write-ahead log keeps (SK-170). */
function LoggedField({ batches }: { readonly batches: readonly LoggedView[] }): ReactElement | null {
  const { inspector } = useText().panels;
  if (batches.length === 0) return null;
  return (
    <Field name={inspector.fields.logged}>
      <ul className="list">
        {batches.map(({ checkpoint, records }) => (
          <li key={checkpoint}>{inspector.batch(checkpoint, records.length)}</li>
        ))}
      </ul>
    </Field>
  );
}
