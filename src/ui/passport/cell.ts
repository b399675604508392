/** A record that was pointed at in the picture: its name is said, or its passport opened. */
import { at } from "../../base/assert.ts";
import { recordName } from "../../protocol/ids.ts";
import type { Cell, CellAsked } from "../../view/stage/cells.ts";
import { factsOf } from "../facts.ts";
import { appStore, branchOf } from "../store.ts";
import { currentCellsText } from "../text/cells-text.ts";
import { openPassport } from "./asked.ts";

interface Pointed {
  readonly record: number;
  readonly says: string;
}

export function cellChosen({ what, ...cell }: CellAsked): void {
  const pointed = pointedAt(cell);
  if (pointed === null) return;
  if (what === "open") openPassport(pointed.record);
  else appStore.setState({ announcement: { says: "words", words: pointed.says } });
}

/** `null`: what is there is no record, or is there no longer. */
function pointedAt({ element: { kind, id }, offset }: Cell): Pointed | null {
  const app = appStore.getState();
  const words = currentCellsText();
  const branch = branchOf(app);
  if (branch === null || branch.length === 0) return null;
  const { shared, outputs } = factsOf(branch.run).viewAt(Math.min(app.step, branch.length - 1));
  const { graph, cells } = shared;
  if (kind === "input") {
    const record = offset * graph.inputs.length + id;
    return { record, says: words.read(recordName(graph, record)) };
  }
  if (kind !== "output" || offset >= at(outputs, id).length || !at(cells, id).isRecord(offset)) return null;
  const { record, value } = at(cells, id).get(offset);
  return { record, says: words.written(recordName(graph, record), value, at(graph.outputs, id).name, offset) };
}
