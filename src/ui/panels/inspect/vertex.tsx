import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { duration } from "../../format.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { edgeName } from "../../../view/stage/elements.ts";
import type { Moment } from "../../use-view.ts";
import { SubtaskList } from "./subtask-list.tsx";

/** A task vertex: the chain, its subtasks, and the exchanges that it has. */
export function VertexFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const { fields } = useInspectorText();
  const { graph } = moment;
  const vertex = at(graph.vertices, id);
  const edges = graph.edges.filter(({ from, to }) => from === id || to === id);
  return (
    <>
      <Fields>
        <Field name={fields.parallelism}>{vertex.parallelism}</Field>
        <Field name={fields.keyGroups}>{vertex.maxParallelism}</Field>
        <Field name={fields.slotSharing}>{vertex.slotSharingGroup}</Field>
        <Field name={fields.subtasks}>
          <SubtaskList subtasks={vertex.subtasks} moment={moment} />
        </Field>
        <Field name={fields.channels}>
          <ul className="list">
            {edges.map(({ index }) => (
              <li key={index}>
                <ElementLink element={{ kind: "edge", id: index }} name={edgeName(graph, index)} />
              </li>
            ))}
          </ul>
        </Field>
      </Fields>
      <CodeOf vertex={id} moment={moment} />
    </>
  );
}

/** What each operator of a chain does, as Flink's classes have it. */
export function CodeOf({ vertex, moment }: { readonly vertex: number; readonly moment: Moment }): ReactElement {
  const { fields, code } = useInspectorText();
  const { graph } = moment;
  return (
    <>
      {at(graph.vertices, vertex).operators.map((operator) => {
        const { uid, name, type, cost } = at(graph.operators, operator).vertex;
        const { classes, lines } = code[type];
        return (
          <section key={uid} className="inspected-code">
            <h3 className="small-title">{name}</h3>
            <Fields>
              <Field name={fields.classes}>{classes}</Field>
              <Field name={fields.cost}>{duration(cost)}</Field>
              <Field name={fields.steps}>
                <pre className="code-lines">{lines.join("\n")}</pre>
              </Field>
            </Fields>
          </section>
        );
      })}
    </>
  );
}
