/** The fields of a log entry as sentences speak of them: names for numbers, as `traceEntry` gives them. */
import type { EventType, FieldKind, events } from "../../protocol/events.ts";

type Named<K> = K extends "subtasks" ? readonly string[] : K extends "bool" ? boolean : K extends "int" | "ms" | "bytes" | "checkpoint" ? number : string;

type Declared<T extends EventType> = (typeof events)[T]["fields"];

/** Entry fields of one type; an operator is called `vertex`, as in the trace. */
export type NamedFields<T extends EventType> = {
  readonly [F in keyof Declared<T> as Declared<T>[F] extends "operator" ? "vertex" : F]: Declared<T>[F] extends FieldKind ? Named<Declared<T>[F]> : never;
};

/** One sentence a type. A field that does not apply comes as `null`; sentences that can meet one ask. */
export type Sentences = { readonly [T in EventType]: (entry: NamedFields<T>) => string };
