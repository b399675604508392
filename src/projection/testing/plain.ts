/** Views as plain data for comparison: without the bookkeeping of copies and without what grows beyond the cursor. */
import { at } from "../../base/assert.ts";
import type { OperatorStateView, RunView } from "../views.ts";

/** Everything that a view says. Lists of records in states are written out. */
export function plain(view: RunView): unknown {
  const { shared, owner: _, past, ...rest } = view;
  const cells = view.outputs.map(({ length }, output) => at(shared.cells, output).slice(0, length));
  return JSON.parse(
    JSON.stringify({ ...rest, cells, past: past.map(({ checkpoints }) => checkpoints) }, (key, value: unknown) => {
      if (key === "owner") return undefined;
      if (key === "operators")
        return (value as OperatorStateView[]).map((state) => ({ ...state, records: recordsIn(view, state) }));
      return value;
    }),
  );
}

function recordsIn({ shared: { applied } }: RunView, state: OperatorStateView): number[] {
  const records: number[] = [];
  for (let node = state.newest; node >= 0; node = applied.before(node)) records.push(applied.record(node));
  return records;
}
