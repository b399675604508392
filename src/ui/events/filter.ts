/** What the event log lets through: kinds, elements, checkpoints, a cause and words, all together; remembered. */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { type EntryElement, type EntryElementKind, entryElementKinds } from "../../projection/entry-elements.ts";
import { type EventFamily, eventFamilies, eventFamilyNames } from "../../projection/event-families.ts";
import type { EventQuery } from "../../projection/event-search.ts";
import type { Shared } from "../../projection/shared.ts";
import { type EventType, eventTypes } from "../../protocol/events.ts";
import { transactionName } from "../../protocol/ids.ts";

export type KindChip = EventType | EventFamily;

/** An element by its name: in another job of the run, or another run, its number is another. */
export interface NamedElement extends EntryElement {
  readonly name: string;
}

export interface EventFilter {
  readonly kinds: readonly KindChip[];
  readonly elements: readonly NamedElement[];
  readonly checkpoints: readonly number[];
  readonly causedBy: number | null;
  readonly words: string;
}

export const noFilter: EventFilter = { kinds: [], elements: [], checkpoints: [], causedBy: null, words: "" };

export function filters({ kinds, elements, checkpoints, causedBy, words }: EventFilter): boolean {
  return kinds.length + elements.length + checkpoints.length > 0 || causedBy !== null || words.trim() !== "";
}

const isFamily = (kind: KindChip): kind is EventFamily => (eventFamilyNames as readonly string[]).includes(kind);

export function typesOf(kinds: readonly KindChip[]): readonly EventType[] {
  return kinds.flatMap((kind) => (isFamily(kind) ? eventFamilies[kind] : [kind]));
}

export function queryOf({ kinds, elements, checkpoints, causedBy, words }: EventFilter): EventQuery {
  return {
    types: typesOf(kinds),
    elements: elements.map((element) => (job: Shared) => elementIn(job, element)),
    checkpoints,
    causedBy,
    compares: null,
    words: words.toLowerCase().replaceAll("->", "→").split(/\s+/).filter(Boolean),
  };
}

/** The element of that name in a job; `null`: it has none. */
export function elementIn({ graph }: Shared, { kind, id, name }: NamedElement): EntryElement | null {
  const place = (names: readonly string[]): EntryElement | null => {
    const found = names.indexOf(name);
    return found < 0 ? null : { kind, id: found };
  };
  switch (kind) {
    case "subtask":
      return place(graph.subtasks.map((subtask) => subtask.name));
    case "channel":
      return place(graph.channels.map((channel) => channel.name));
    case "input":
      return place(graph.inputs.map((input) => input.name));
    case "output":
      return place(graph.outputs.map((output) => output.name));
    case "taskManager":
      return place(graph.taskManagers);
    case "transaction":
      return transactionName(graph, id) === name ? { kind, id } : null;
    case "checkpoint":
    case "jobManager":
    case "storage":
      return { kind, id };
  }
}

const KEY = "barrierscope.events";

/** Only what is of today is taken over: the stored may be of another version, or edited. */
function remembered(): EventFilter {
  try {
    return { ...readFilter(JSON.parse(localStorage.getItem(KEY) ?? "{}")).filter, causedBy: null };
  } catch {
    return noFilter;
  }
}

/** A filter that somebody wrote, and how many parts of it this version does not know. */
export function readFilter(written: unknown): { readonly filter: EventFilter; readonly unknown: number } {
  const parts: { readonly [F in keyof EventFilter]?: unknown } =
    typeof written === "object" && written !== null ? written : {};
  const { kinds, elements, checkpoints, causedBy, words } = parts;
  const filter = {
    kinds: list(kinds).filter(isKind),
    elements: list(elements).filter(isNamedElement),
    checkpoints: list(checkpoints).filter(isCount),
    causedBy: isCount(causedBy) ? causedBy : null,
    words: typeof words === "string" ? words : "",
  };
  const known = filter.kinds.length + filter.elements.length + filter.checkpoints.length;
  return { filter, unknown: list(kinds).length + list(elements).length + list(checkpoints).length - known };
}

/** Only what it does; `null`: nothing. */
export function writtenFilter({ kinds, elements, checkpoints, causedBy, words }: EventFilter): object | null {
  const written = {
    ...(kinds.length > 0 && { kinds }),
    ...(elements.length > 0 && { elements }),
    ...(checkpoints.length > 0 && { checkpoints }),
    ...(causedBy !== null && { causedBy }),
    ...(words !== "" && { words }),
  };
  return Object.keys(written).length === 0 ? null : written;
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
export const isKind = (value: unknown): value is KindChip =>
  [...eventTypes, ...eventFamilyNames].some((known) => known === value);

export function isNamedElement(value: unknown): value is NamedElement {
  if (typeof value !== "object" || value === null) return false;
  const { kind, id, name } = value as { readonly kind?: unknown; readonly id?: unknown; readonly name?: unknown };
  const known = entryElementKinds.some((each: EntryElementKind) => each === kind);
  return known && typeof id === "number" && typeof name === "string";
}

export const filterStore = createStore<EventFilter>()(() => remembered());
filterStore.subscribe((filter) => {
  try {
    // A cause is an entry of one run: in another the number means something else.
    localStorage.setItem(KEY, JSON.stringify({ ...filter, causedBy: null }));
  } catch {
    // Storage is full or not allowed: the filter lasts as long as the page.
  }
});

export function useFilter(): EventFilter {
  return useStore(filterStore);
}

export function changeFilter(change: Partial<EventFilter>): void {
  filterStore.setState(change);
}
