import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { type Content, contentsOf } from "../../../projection/channel-contents.ts";
import { overtakingEdges } from "../../../scenario/unaligned-edges.ts";
import { recordName } from "../../../protocol/ids.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field, Fields } from "../../controls/fields.tsx";
import { clockTime, duration } from "../../format.ts";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

/** "Aligned here because …": the inputs whose barrier the reader waits for. */
function Missing({ channel, moment }: { readonly channel: number; readonly moment: Moment }): ReactElement {
  const { inspector } = useText().panels;
  const { graph, view } = moment;
  const { to } = at(graph.channels, channel);
  const { aligned } = at(view.subtasks, to).handler;
  const missing = at(graph.subtasks, to).inputs.filter((input) => !aligned.includes(input));
  return (
    <p className="failure-note">
      {inspector.waitsFor(at(graph.subtasks, to).name)}{" "}
      {missing.map((input) => (
        <span key={input}>
          <ElementLink
            element={{ kind: "channel", id: input }}
            name={at(graph.subtasks, at(graph.channels, input).from).name}
          />{" "}
        </span>
      ))}
    </p>
  );
}

function ContentLine({ content, moment }: { readonly content: Content; readonly moment: Moment }): ReactElement {
  const { inspector } = useText().panels;
  const { element, epoch, captured } = content;
  return (
    <li>
      {element.kind === "record" ? (
        <>
          <span className="mono">{recordName(moment.graph, element.id)}</span>{" "}
          <span className="muted">{inspector.epoch(epoch)}</span>
        </>
      ) : (
        <>
          {inspector.elements[element.kind]}{" "}
          {element.kind === "barrier" || element.kind === "cancel-marker" ? <CheckpointFlag id={element.id} /> : null}
        </>
      )}
      {captured === null ? null : (
        <span className="tag">{inspector.captured(captured.checkpoint, captured.side, captured.stored)}</span>
      )}
      {element.restored < 0 ? null : <span className="tag">{inspector.restoredInFlight(element.restored)}</span>}
      {element.pass > 1 ? <span className="tag">{inspector.again}</span> : null}
      {element.arrivesAt > moment.view.clock ? <span className="muted"> {inspector.onTheWay}</span> : null}
    </li>
  );
}

/** How a barrier passes an exchange, and why (CP-037, CP-060, CP-070). */
function barriersOn({ graph, scenario }: Moment, edge: number): "counted" | "off" | "kept" | "unaligned" | "timeout" {
  const { mode, unaligned, alignedTimeout } = scenario.config.checkpointing;
  if (mode === "AT_LEAST_ONCE") return "counted";
  if (!unaligned) return "off";
  if (!at(overtakingEdges(graph, scenario.flink), edge)) return "kept";
  return alignedTimeout > 0 ? "timeout" : "unaligned";
}

/** What is in it, in its order. */
function Queue({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const { inspector } = useText().panels;
  const { fields } = inspector;
  const contents = contentsOf(moment.view, id);
  return (
    <Field name={fields.content}>
      {contents.length === 0 ? (
        inspector.empty
      ) : (
        <ol className="list channel-contents">
          {contents.map((content, place) => (
            <ContentLine key={`${content.element.step} ${place}`} content={content} moment={moment} />
          ))}
        </ol>
      )}
    </Field>
  );
}

export function ChannelFields({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement {
  const text = useText();
  const { inspector } = text.panels;
  const { fields } = inspector;
  const words = useInspectorText();
  const { graph, view } = moment;
  const channel = at(graph.channels, id);
  const edge = at(graph.edges, channel.edge);
  const { fill, blocked, blockedSince, persisting } = at(view.channels, id);
  return (
    <Fields>
      <Field name={fields.from}>
        <ElementLink element={{ kind: "subtask", id: channel.from }} name={at(graph.subtasks, channel.from).name} />
      </Field>
      <Field name={fields.to}>
        <ElementLink element={{ kind: "subtask", id: channel.to }} name={at(graph.subtasks, channel.to).name} />
      </Field>
      <Field name={fields.exchange}>
        <ElementLink element={{ kind: "edge", id: channel.edge }} name={text.stageText.ship(edge.ship)} />
      </Field>
      <Field name={words.fields.type}>{words.exchanges[edge.exchange]}</Field>
      <Field name={words.fields.order}>{words.fifo}</Field>
      <Field name={fields.blocked}>
        {blocked < 0 ? (
          inspector.no
        ) : (
          <>
            {`${inspector.blockedBy(blocked)}, ${inspector.since(clockTime(blockedSince))}`}
            <Missing channel={id} moment={moment} />
          </>
        )}
        {persisting < 0 ? null : <p className="failure-note">{inspector.persisting(persisting)}</p>}
      </Field>
      <Field name={words.fields.barriersHere}>{words.barriersHere[barriersOn(moment, channel.edge)]}</Field>
      <Field name={fields.capacity}>
        {inspector.fill(fill, edge.capacity)}, {words.channels.credit(Math.max(0, edge.capacity - fill))}{" "}
        <span className="tag">{words.channels.lab}</span>
      </Field>
      <Field name={fields.latency}>{duration(edge.latency)}</Field>
      <Queue id={id} moment={moment} />
    </Fields>
  );
}
