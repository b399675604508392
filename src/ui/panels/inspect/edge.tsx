import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { overtakingEdges } from "../../../scenario/unaligned-edges.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { Matrix } from "./matrix.tsx";

/** An exchange between two vertices: how records go over, and all its channels as a matrix. */
export function EdgeFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const words = useInspectorText();
  const { stageText, panels } = useText();
  const { fields } = panels.inspector;
  const { graph, view, scenario } = moment;
  const edge = at(graph.edges, id);
  const queued = edge.channels.reduce((sum, channel) => sum + at(view.channels, channel).fill, 0);
  const blocked = edge.channels.filter((channel) => at(view.channels, channel).blocked >= 0).length;
  return (
    <>
      <Fields>
        <Field name={fields.from}>
          <ElementLink element={{ kind: "vertex", id: edge.from }} name={at(graph.vertices, edge.from).name} />
        </Field>
        <Field name={fields.to}>
          <ElementLink element={{ kind: "vertex", id: edge.to }} name={at(graph.vertices, edge.to).name} />
        </Field>
        <Field name={fields.exchange}>{stageText.ship(edge.ship)}</Field>
        <Field name={words.fields.type}>{words.exchanges[edge.exchange]}</Field>
        <Field name={fields.latency}>{words.latencyOf(edge.latency)}</Field>
        <Field name={fields.capacity}>{edge.capacity}</Field>
        <Field name={words.fields.channels}>{edge.channels.length}</Field>
        <Field name={words.fields.queued}>{queued}</Field>
        <Field name={fields.blocked}>{blocked}</Field>
        {scenario.config.checkpointing.unaligned ? (
          <Field name={words.fields.overtakes}>{words.overtakes(at(overtakingEdges(graph, scenario.flink), id))}</Field>
        ) : null}
      </Fields>
      <Matrix edge={id} moment={moment} />
    </>
  );
}
