import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { recordName } from "../../../protocol/ids.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { clockTime, duration } from "../../format.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

export function ChannelFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields } = inspector;
  const { graph, view } = moment;
  const channel = at(graph.channels, id);
  const edge = at(graph.edges, channel.edge);
  const { queue, fill, blocked, blockedSince } = at(view.channels, id);
  return (
    <Fields>
      <Field name={fields.from}>
        <ElementLink element={{ kind: "subtask", id: channel.from }} name={at(graph.subtasks, channel.from).name} />
      </Field>
      <Field name={fields.to}>
        <ElementLink element={{ kind: "subtask", id: channel.to }} name={at(graph.subtasks, channel.to).name} />
      </Field>
      <Field name={fields.exchange}>{text.stageText.ship(edge.ship)}</Field>
      <Field name={fields.blocked}>
        {blocked < 0 ? inspector.no : `${inspector.blockedBy(blocked)}, ${inspector.since(clockTime(blockedSince))}`}
      </Field>
      <Field name={fields.capacity}>{inspector.fill(fill, edge.capacity)}</Field>
      <Field name={fields.latency}>{duration(edge.latency)}</Field>
      <Field name={fields.content}>
        {queue.length === 0 ? (
          inspector.empty
        ) : (
          <ol className="list">
            {queue.map((element) => (
              <li key={element.step}>
                {element.kind === "record" ? (
                  <span className="mono">{recordName(graph, element.id)}</span>
                ) : (
                  <>
                    {inspector.elements[element.kind]} <CheckpointFlag id={element.id} />
                  </>
                )}
                {element.pass > 1 ? <span className="tag">{inspector.again}</span> : null}
                {element.arrivesAt > view.clock ? <span className="muted"> {inspector.onTheWay}</span> : null}
              </li>
            ))}
          </ol>
        )}
      </Field>
    </Fields>
  );
}
