/** What write-ahead log sinks hold: the open stream, and the batches that wait to be sent (SK-170 to SK-172). */
import { at } from "../base/assert.ts";
import { type Handler, places } from "./fields.ts";
import { ownState } from "./own.ts";
import type { LoggedView, RunView } from "./views.ts";

const logged = places("BatchLogged");
const committed = places("BatchCommitted");

/** In the place of a checkpoint: the open stream. */
const STREAM = -1;

function change(
  view: RunView,
  subtask: number,
  operator: number,
  to: (held: readonly LoggedView[]) => LoggedView[],
): void {
  const index = at(view.shared.sinks, subtask).indexOf(operator);
  if (index < 0) return;
  const state = ownState(view, subtask);
  state.logged[index] = to(at(state.logged, index));
}

/** Does this operator keep what it is given instead of sending it? */
export function isWriteAhead({ shared: { graph } }: RunView, operator: number): boolean {
  return at(graph.operators, operator).vertex.type === "write-ahead-log-sink";
}

export function intoStream(view: RunView, subtask: number, operator: number, record: number): void {
  change(view, subtask, operator, (held) => [
    ...held.filter(({ checkpoint }) => checkpoint !== STREAM),
    { checkpoint: STREAM, records: [...streamOf(held), record] },
  ]);
}

function streamOf(held: readonly LoggedView[]): readonly number[] {
  return held.find(({ checkpoint }) => checkpoint === STREAM)?.records ?? [];
}

export const batchLogged: Handler = (view, log, step) => {
  const checkpoint = log.field(step, logged.checkpoint);
  change(view, log.field(step, logged.subtask), log.field(step, logged.operator), (held) => [
    ...held.filter((batch) => batch.checkpoint !== STREAM),
    { checkpoint, records: streamOf(held) },
  ]);
};

export const batchCommitted: Handler = (view, log, step) => {
  const checkpoint = log.field(step, committed.checkpoint);
  change(view, log.field(step, committed.subtask), log.field(step, committed.operator), (held) =>
    held.filter((batch) => batch.checkpoint !== checkpoint),
  );
};
