import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { arrivedOf } from "../../../projection/input-log.ts";
import { visibleTo } from "../../../projection/outputs.ts";
import type { CellView } from "../../../projection/output-view.ts";
import { recordName, transactionName } from "../../../protocol/ids.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

interface PartitionProps {
  readonly id: number;
  readonly moment: Moment;
}

export function InputFields({ id, moment }: PartitionProps): ReactElement {
  const text = useText();
  const { fields } = text.panels.inspector;
  const { graph, view, scenario } = moment;
  const { topic, partition } = at(graph.inputs, id);
  const records = scenario.topics.find(({ name }) => name === topic)?.partitions[partition] ?? [];
  const offset = (value: number): string => (value < 0 ? text.common.none : String(value));
  return (
    <>
      <Fields>
        <Field name={fields.end}>{records.length}</Field>
        <Field name={fields.arrived}>{arrivedOf(view, id, view.clock)}</Field>
        {at(view.inputLog.starts, id) > 0 ? <Field name={fields.logStart}>{at(view.inputLog.starts, id)}</Field> : null}
      </Fields>
      {view.inputs
        .filter((input) => input.partition === id)
        .map((input) => (
          <Fields key={input.operator}>
            <Field name={fields.to}>
              <ElementLink
                element={{ kind: "subtask", id: input.subtask }}
                name={at(graph.subtasks, input.subtask).name}
              />
            </Field>
            <Field name={fields.position}>{offset(input.position)}</Field>
            <Field name={fields.furthest}>{offset(input.furthest)}</Field>
            <Field name={fields.restoreTo}>{offset(input.checkpointed)}</Field>
            <Field name={fields.groupOffset}>{offset(input.groupOffset)}</Field>
          </Fields>
        ))}
    </>
  );
}

export function OutputFields({ id, moment }: PartitionProps): ReactElement {
  const text = useText();
  const { fields, fromOffset } = text.panels.inspector;
  const output = at(moment.view.outputs, id);
  return (
    <Fields>
      <Field name={fields.highWatermark}>{output.length}</Field>
      <Field name={fields.lastStable}>{output.lastStableOffset}</Field>
      <Field name={fields.holding}>
        {output.ongoing.length === 0 ? (
          text.common.none
        ) : (
          <ul className="list">
            {output.ongoing.map(({ transaction, first }) => (
              <li key={first}>
                <TransactionLink place={transaction} moment={moment} /> {fromOffset(first)}
              </li>
            ))}
          </ul>
        )}
      </Field>
      <Field name={fields.committed}>{seenBy(moment, id, "read_committed")}</Field>
      <Field name={fields.uncommitted}>{seenBy(moment, id, "read_uncommitted")}</Field>
      <Field name={fields.newest}>
        <ol className="list">
          {newestCells(moment, id).map(({ offset, cell }) => (
            <Cell key={offset} offset={offset} cell={cell} moment={moment} />
          ))}
        </ol>
      </Field>
    </Fields>
  );
}

function TransactionLink({ place, moment }: { readonly place: number; readonly moment: Moment }): ReactElement {
  const { number } = at(moment.view.transactions, place);
  return <ElementLink element={{ kind: "transaction", id: number }} name={transactionName(moment.graph, number)} />;
}

function seenBy({ view }: Moment, id: number, reader: "read_committed" | "read_uncommitted"): number {
  const output = at(view.outputs, id);
  let seen = 0;
  for (let offset = 0; offset < output.length; offset++) {
    if (visibleTo(view, reader, output, at(at(view.shared.cells, id), offset), offset)) seen++;
  }
  return seen;
}

/** Cells that are listed. */
const NEWEST = 12;

function newestCells({ view }: Moment, id: number): { readonly offset: number; readonly cell: CellView }[] {
  const { length } = at(view.outputs, id);
  return Array.from({ length: Math.min(NEWEST, length) }, (_, back) => {
    const offset = length - 1 - back;
    return { offset, cell: at(at(view.shared.cells, id), offset) };
  });
}

interface CellProps {
  readonly offset: number;
  readonly cell: CellView;
  readonly moment: Moment;
}

/** What is at an offset, and whether committed readers see it. */
function Cell({ offset, cell, moment }: CellProps): ReactElement {
  const { inspector } = useText().panels;
  const { graph, view } = moment;
  const state = cell.transaction < 0 ? null : at(view.transactions, cell.transaction).state;
  const aborted = state === "ABORTED" || state === "TIMED_OUT";
  return (
    <li className={aborted ? "cell aborted" : "cell"}>
      <span className="cell-offset">{offset}</span>
      {cell.kind === "record" ? (
        <span>
          <span className="mono">{recordName(graph, cell.record)}</span> = {cell.value}
          {cell.pass > 1 ? <span className="tag">{inspector.again}</span> : null}
        </span>
      ) : (
        <span>
          {inspector.markers[cell.kind]}{" "}
          {cell.transaction < 0 ? null : <TransactionLink place={cell.transaction} moment={moment} />}
        </span>
      )}
      {cell.kind === "record" && state !== null && state !== "COMMITTED" ? (
        <span className="muted">{inspector.cellStates[aborted ? "aborted" : "open"]}</span>
      ) : null}
    </li>
  );
}
