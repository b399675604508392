/** What an attempt was given of the snapshot that its job was started from, and whose each piece was. */
import type { ReactElement } from "react";
import { at } from "../../../base/assert.ts";
import { movesTo, ownerBefore, pieceName } from "../../../projection/state-moves.ts";
import { Field } from "../../controls/fields.tsx";
import { useText } from "../../text/use-text.ts";
import type { Moment } from "../../use-view.ts";

export function GivenField({ id, moment }: { readonly id: number; readonly moment: Moment }): ReactElement | null {
  const { inspector } = useText().panels;
  const { graph, view } = moment;
  const { origin } = view.shared;
  if (origin === null || at(view.subtasks, id).restored !== origin.checkpoint) return null;
  const moves = movesTo(view, id);
  return (
    <Field name={inspector.fields.given}>
      {moves.length === 0 ? (
        inspector.givenNothing
      ) : (
        <ul className="list">
          {moves.map((move) => (
            <li key={`${move.operator} ${move.from} ${move.first}`}>
              {inspector.given(pieceName(graph, move), ownerBefore(view.shared, move), move.kind)}
            </li>
          ))}
        </ul>
      )}
    </Field>
  );
}
