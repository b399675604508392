/** Reads log entries by the names of their fields; the folds of the report go over the log once each. */
import { assert } from "../../base/assert.ts";
import { EventNumber, type EventType, events } from "../../protocol/events.ts";
import type { EventLog } from "../../protocol/log.ts";

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

/** Calls the handler of each entry's type, in order. */
export function foldLog(log: EventLog, handlers: Handlers): void {
  const byNumber: ((step: number) => void)[] = [];
  for (const [type, handler] of Object.entries(handlers)) byNumber[EventNumber[type as EventType]] = handler;
  for (let step = 0; step < log.length; step++) byNumber[log.type(step)]?.(step);
}
