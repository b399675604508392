import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { transactionName } from "../../../protocol/ids.ts";
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
        <Field name={fields.arrived}>{records.filter((record) => record.at <= view.clock).length}</Field>
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
  const { fields } = text.panels.inspector;
  const { graph, view } = moment;
  const output = at(view.outputs, id);
  return (
    <Fields>
      <Field name={fields.highWatermark}>{output.length}</Field>
      <Field name={fields.lastStable}>{output.lastStableOffset}</Field>
      <Field name={fields.holding}>
        {output.ongoing.length === 0 ? (
          text.common.none
        ) : (
          <ul className="list">
            {output.ongoing.map(({ transaction, first }) => {
              const { number } = at(view.transactions, transaction);
              return (
                <li key={first}>
                  <ElementLink element={{ kind: "transaction", id: number }} name={transactionName(graph, number)} />{" "}
                  {text.panels.inspector.fromOffset(first)}
                </li>
              );
            })}
          </ul>
        )}
      </Field>
    </Fields>
  );
}
