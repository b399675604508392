/**
 * The kinds of log entries and what their fields hold. From the table `event-table.ts` come the TypeScript union, the
 * columnar encoding, the NDJSON trace, the docs page and the filter of the event panel.
 *
 * The rule of the log: whatever is shown can be told from it.
 */
import { events } from "./event-table.ts";

export { events };

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events) as readonly EventType[];

/** The number of each type in the log. */
export const EventNumber = Object.fromEntries(eventTypes.map((type, index) => [type, index])) as {
  readonly [T in EventType]: number;
};

/** The fields of one type as the log holds them: numbers, and lists of numbers. */
export type FieldsOf<T extends EventType> = {
  readonly [F in keyof (typeof events)[T]["fields"]]: (typeof events)[T]["fields"][F] extends "subtasks" | "ints"
    ? readonly number[]
    : number;
};
