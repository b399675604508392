/** What a checkpoint holds: by operator chain and subtask its keyed state, its operator state, and its channels' records. */
import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import type { InFlightView } from "../../../projection/element-view.ts";
import type { CheckpointView, SnapshotView } from "../../../projection/views.ts";
import { recordName } from "../../../protocol/ids.ts";
import { isKeyed } from "../../../protocol/job-graph.ts";
import { snapshotLooks } from "../../../view/machines/presentations.ts";
import { ElementLink } from "../../controls/element-link.tsx";
import { StateChip } from "../../controls/state-chip.tsx";
import { useInspectorText } from "../../text/inspector-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";
import { PartNotes } from "./part-notes.tsx";

interface ContentsProps {
  readonly checkpoint: CheckpointView;
  readonly moment: Moment;
}

export function Contents({ checkpoint, moment }: ContentsProps): ReactElement {
  const { inspector } = useText().panels;
  const { graph } = moment;
  return (
    <ul className="list contents-tree">
      {graph.vertices.map(({ index, name, subtasks }) => (
        <li key={index}>
          <ElementLink element={{ kind: "vertex", id: index }} name={name} />
          <ul className="list">
            {subtasks.map((subtask) => {
              const part = checkpoint.parts[subtask] ?? null;
              return (
                <li key={subtask}>
                  <ElementLink element={{ kind: "subtask", id: subtask }} name={at(graph.subtasks, subtask).name} />{" "}
                  {part === null ? (
                    <span className="muted">{inspector.snapshotStates.NONE}</span>
                  ) : (
                    <>
                      <StateChip look={snapshotLooks[part.state]} label={inspector.snapshotStates[part.state]} />
                      <PartNotes part={part} />
                      <Part part={part} subtask={subtask} moment={moment} />
                    </>
                  )}
                </li>
              );
            })}
          </ul>
        </li>
      ))}
    </ul>
  );
}

interface PartProps {
  readonly part: SnapshotView;
  readonly subtask: number;
  readonly moment: Moment;
}

/** A line for each kind of state that there is. */
function Part({ part, subtask, moment }: PartProps): ReactElement | null {
  const words = useInspectorText().contents;
  const { contents } = part;
  if (contents === null) return null;
  const lines = linesOf(part, contents, subtask, moment, words);
  return (
    <ul className="list muted snapshot-contents">
      {lines.length === 0 ? <li>{words.nothing}</li> : null}
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function linesOf(
  { inFlight }: SnapshotView,
  contents: NonNullable<SnapshotView["contents"]>,
  subtask: number,
  { graph, view }: Moment,
  words: ReturnType<typeof useInspectorText>["contents"],
): string[] {
  const positions = contents.positions.map(
    (position, split) => `${at(graph.inputs, at(at(view.shared.splits, subtask), split)).name}@${position}`,
  );
  const states = contents.operators.map(({ operator, values, counts }) => {
    if (!isKeyed(at(graph.operators, operator).vertex)) return words.counter(at(values, 0));
    const keys = graph.keys.flatMap((name, key) => ((counts[key] ?? 0) > 0 ? [`${name} = ${values[key]}`] : []));
    return words.keyed(keys.length, few(keys, words.more));
  });
  const committables = contents.committables.flat().length;
  const logged = contents.logged.flat().reduce((sum, { records }) => sum + records.length, 0);
  const channels = (["input", "output"] as const).flatMap((side) => {
    const names = inFlight.filter((each) => each.side === side).map((each) => nameOf(each, graph));
    return names.length === 0 ? [] : [words.channel(side, names.length, few(names, words.more))];
  });
  return [
    ...(positions.length > 0 ? [words.positions(few(positions, words.more))] : []),
    ...states,
    ...(committables > 0 ? [words.committables(committables)] : []),
    ...(logged > 0 ? [words.logged(logged)] : []),
    ...channels,
  ];
}

function nameOf({ element }: InFlightView, graph: Moment["graph"]): string {
  return element.kind === "record" ? recordName(graph, element.id) : element.kind;
}

/** So many are told one by one. */
const FEW = 6;

function few(names: readonly string[], more: (count: number) => string): string {
  const rest = names.length - FEW;
  return [...names.slice(0, FEW), ...(rest > 0 ? [more(rest)] : [])].join(", ");
}
