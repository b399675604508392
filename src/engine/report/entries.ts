/** Reads log entries by the names of their fields; the folds of the report go over the log once each. */
import { assert } from "../../base/assert.ts";
import { EventNumber, type EventType, events } from "../../protocol/events.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { Scenario } from "../../scenario/scenario.ts";

const places = new Map<string, number>(
  Object.entries(events).flatMap(([type, { fields }]) =>
    Object.keys(fields).map((field, index) => [`${type}.${field}`, index] as const),
  ),
);

export type FieldName<T extends EventType> = keyof (typeof events)[T]["fields"] & string;

/** A number field of the entry at `step`, which must be of this type. */
export function field<T extends EventType>(log: EventLog, step: number, type: T, name: FieldName<T>): number {
  const place = places.get(`${type}.${name}`);
  assert(place !== undefined, `${type} has a field ${name}`);
  return log.field(step, place);
}

/** The list field of an entry. */
export function listField<T extends EventType>(
  log: EventLog,
  step: number,
  type: T,
  name: FieldName<T>,
): readonly number[] {
  return log.list(step, places.get(`${type}.${name}`) ?? 0);
}

export type Handlers = { readonly [T in EventType]?: (step: number) => void };

/** The entries of one of a run's jobs: from its `JobSubmitted` (the first: from the beginning) to where the next one's is. */
export interface Span {
  readonly submission: number;
  readonly graph: ExecutionGraph;
  readonly scenario: Scenario;
  readonly from: number;
  readonly to: number;
}

/** The spans of a log, by the jobs that the run has submitted. */
export function spansOf(log: EventLog, jobs: readonly Pick<Span, "graph" | "scenario">[]): Span[] {
  const starts = [0];
  foldLog(log, { JobSubmitted: (step) => starts.push(step) });
  return jobs.map((job, submission) => ({
    ...job,
    submission,
    from: starts[submission] ?? log.length,
    to: starts[submission + 1] ?? log.length,
  }));
}

/** Calls the handler of each entry's type, in order; of one span, or of all. */
export function foldLog(log: EventLog, handlers: Handlers, span: Pick<Span, "from" | "to"> | null = null): void {
  const byNumber: ((step: number) => void)[] = [];
  for (const [type, handler] of Object.entries(handlers)) byNumber[EventNumber[type as EventType]] = handler;
  const to = span?.to ?? log.length;
  for (let step = span?.from ?? 0; step < to; step++) byNumber[log.type(step)]?.(step);
}
