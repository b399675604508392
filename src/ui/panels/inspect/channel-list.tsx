/** The channels on one side of a subtask: how full, how much credit their writer has, where a barrier stands, and what is in them. */
import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import type { ElementView } from "../../../projection/element-view.ts";
import { recordName, recordOffset, recordPartition } from "../../../protocol/ids.ts";
import { keyLetter, shapePath } from "../../../view/stage/marks/key-shape.ts";
import { CheckpointFlag } from "../../controls/checkpoint-flag.tsx";
import { ElementLink } from "../../controls/element-link.tsx";
import { Field } from "../../controls/fields.tsx";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

interface ChannelsProps {
  readonly name: string;
  readonly channels: readonly number[];
  readonly moment: Moment;
  /** Which end is told: the other one is the subtask. */
  readonly end: "from" | "to";
}

export function Channels({ name, channels, moment, end }: ChannelsProps): ReactElement | null {
  const { inspector } = useText().panels;
  const words = useInspectorText().channels;
  const { graph, view } = moment;
  if (channels.length === 0) return null;
  return (
    <Field name={name}>
      <ul className="list">
        {channels.map((id) => {
          const channel = at(graph.channels, id);
          const { capacity } = at(graph.edges, channel.edge);
          const { fill, blocked, queue } = at(view.channels, id);
          const barrier = queue.findIndex(({ kind }) => kind === "barrier");
          return (
            <li key={id} className="channel-line">
              <ElementLink element={{ kind: "channel", id }} name={at(graph.subtasks, channel[end]).name} />{" "}
              {inspector.fill(fill, capacity)}, {words.credit(Math.max(0, capacity - fill))}
              {blocked < 0 ? null : <span className="warn"> {inspector.blockedBy(blocked)}</span>}
              {barrier < 0 ? null : (
                <span className="muted">
                  {" "}
                  {words.barrier(
                    at(queue, barrier).id,
                    queue.slice(0, barrier).filter(({ kind }) => kind === "record").length,
                  )}
                </span>
              )}
              <Ribbon queue={queue} moment={moment} />
            </li>
          );
        })}
      </ul>
    </Field>
  );
}

/** What lies in it as the picture has it: what is taken next is at the right, what is still on the wire is hollow. */
function Ribbon({
  queue,
  moment,
}: {
  readonly queue: readonly ElementView[];
  readonly moment: Moment;
}): ReactElement | null {
  const words = useInspectorText().channels;
  const { elements } = useText().panels.inspector;
  if (queue.length === 0) return null;
  const names = queue.map((element) =>
    element.kind === "record"
      ? recordName(moment.graph, element.id)
      : `${elements[element.kind]}${element.kind === "barrier" || element.kind === "cancel-marker" ? ` ${element.id}` : ""}`,
  );
  return (
    <>
      <span className="visually-hidden">{words.content(names.join(", "))}</span>
      <span className="channel-ribbon" aria-hidden>
        {queue.map((element, place) => (
          <i key={`${element.step} ${place}`} data-wire={element.arrivesAt > moment.view.clock ? "" : undefined}>
            <Mark element={element} moment={moment} />
          </i>
        ))}
      </span>
    </>
  );
}

function Mark({ element, moment }: { readonly element: ElementView; readonly moment: Moment }): ReactElement {
  const { shared } = moment.view;
  if (element.kind === "barrier") return <CheckpointFlag id={element.id} />;
  if (element.kind !== "record") return <>{element.kind === "committable" ? "◇" : "▮"}</>;
  const key = shared.keys[recordPartition(moment.graph, element.id)]?.[recordOffset(moment.graph, element.id)] ?? -1;
  const path = shapePath(key, 6, 6, 4.6);
  return path === null ? (
    <>{keyLetter(shared.graph.keys[key] ?? "")}</>
  ) : (
    <svg viewBox="0 0 12 12" focusable="false">
      <path d={path} />
    </svg>
  );
}
