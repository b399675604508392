/**
 * Breakpoints: conditions at which playing and running stop. Each is a kind of entry, an element, a comparison over the
 * entry's fields, together, and from which of the run's hits on it stops. They are remembered from visit to visit.
 */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { type Comparison, compares, operators } from "../../projection/comparisons.ts";
import { elementsOf, isEntryElement } from "../../projection/entry-elements.ts";
import { EventSearch } from "../../projection/event-search.ts";
import { nextOf, previousOf } from "../../projection/phases.ts";
import { at } from "../../base/assert.ts";
import { type EventType, eventTypes } from "../../protocol/events.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import { elementName } from "../element-name.ts";
import { type KindChip, type NamedElement, elementIn, isKind, isNamedElement, typesOf } from "../events/filter.ts";
import type { Run } from "../run.ts";
import { currentText } from "../text/use-text.ts";
import { KEY } from "./remembered.ts";

export interface Condition {
  /** `null`: of any kind. */
  readonly kind: KindChip | null;
  readonly element: NamedElement | null;
  readonly comparison: Comparison | null;
  /** It stops at the hit of this number in the run, and at each behind it. */
  readonly hit: number;
}

export interface Breakpoint extends Condition {
  readonly id: number;
  readonly on: boolean;
}

export interface Hit {
  readonly step: number;
  readonly breakpoint: Breakpoint;
}

/** The entries that meet a condition in a run, found as far as its log goes; its hits begin with the one asked for. */
const searches = new WeakMap<Run, Map<string, Search>>();

interface Search {
  readonly search: EventSearch;
  readonly found: number[];
}

function search(run: Run, condition: Condition): readonly number[] {
  const { kind, element, comparison } = condition;
  const key = JSON.stringify([kind, element, comparison]);
  const known = searches.get(run) ?? new Map<string, Search>();
  searches.set(run, known);
  const made = known.get(key) ?? begun(run, condition);
  known.set(key, made);
  made.search.advance(run.log, Infinity);
  return made.found;
}

function begun(run: Run, { kind, element, comparison }: Condition): Search {
  const found: number[] = [];
  const search = new EventSearch(
    {
      types: kind === null ? [] : typesOf([kind]),
      elements: element === null ? [] : [(job) => elementIn(job, element)],
      checkpoints: [],
      causedBy: null,
      compares: comparison === null ? null : compares(comparison),
      words: [],
    },
    run.jobs,
    () => "",
    (step) => found.push(step),
  );
  return { search, found };
}

/** Steps at which a condition stops. */
export function hitsOf(run: Run, condition: Condition): readonly number[] {
  const all = search(run, condition);
  return condition.hit <= 1 ? all : all.slice(condition.hit - 1);
}

/** The nearest hit of a breakpoint that is on, behind a step or before it; `null`: there is none. */
export function nearestHit(run: Run, step: number, direction: 1 | -1): Hit | null {
  const along = direction === 1 ? nextOf : previousOf;
  const hits = breakpointStore.getState().list.flatMap((breakpoint): Hit[] => {
    const hit = breakpoint.on ? along(hitsOf(run, breakpoint), step) : null;
    return hit === null ? [] : [{ step: hit, breakpoint }];
  });
  return hits.sort((a, b) => (a.step - b.step) * direction)[0] ?? null;
}

/** The breakpoint for what is at the cursor: its kind, and the selected element where the entry is about it. */
export function conditionAt(run: Run, step: number, selection: StageElement | null): Condition {
  const { graph } = run.jobs.at(step);
  const kind: EventType = at(eventTypes, run.log.type(step));
  const about = elementsOf(graph, run.log, step);
  const chosen = selection !== null && isEntryElement(selection) ? selection : null;
  const isIt = chosen !== null && about.some(({ kind: of, id }) => of === chosen.kind && id === chosen.id);
  const element = isIt ? { ...chosen, name: elementName(graph, chosen, currentText()) } : null;
  return { kind, element, comparison: null, hit: 1 };
}

export function sameCondition(a: Condition, b: Condition): boolean {
  const parts = ({ kind, element, comparison, hit }: Condition): unknown => [kind, element, comparison, hit];
  return JSON.stringify(parts(a)) === JSON.stringify(parts(b));
}

export function add(condition: Condition, on = true): void {
  breakpointStore.setState(({ list }) => ({
    list: [...list, { ...condition, id: 1 + Math.max(0, ...list.map(({ id }) => id)), on }],
  }));
}

export function remove(id: number): void {
  breakpointStore.setState(({ list }) => ({ list: list.filter((each) => each.id !== id) }));
}

export function setOn(id: number, on: boolean): void {
  breakpointStore.setState(({ list }) => ({ list: list.map((each) => (each.id === id ? { ...each, on } : each)) }));
}

export function useBreakpoints(): readonly Breakpoint[] {
  return useStore(breakpointStore, ({ list }) => list);
}

/** As they are written somewhere else than here: without their numbers. */
export function writtenBreakpoints(): readonly Omit<Breakpoint, "id">[] {
  return breakpointStore.getState().list.map(({ id: _id, ...breakpoint }) => breakpoint);
}

/** Adds those that somebody wrote; one that is there already is on or off as written. How many are not known here. */
export function addWritten(written: readonly unknown[]): number {
  const read = written.map((each, id): unknown => (typeof each === "object" ? { ...each, id } : null));
  for (const { id: _, ...breakpoint } of read.filter(isBreakpoint)) {
    const there = breakpointStore.getState().list.find((each) => sameCondition(each, breakpoint));
    if (there === undefined) add(breakpoint, breakpoint.on);
    else setOn(there.id, breakpoint.on);
  }
  return read.length - read.filter(isBreakpoint).length;
}

/** Only what is of today is taken over: the stored may be of another version, or edited. */
function remembered(): Breakpoint[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const list: readonly unknown[] = Array.isArray(stored) ? (stored as unknown[]) : [];
    return list.filter(isBreakpoint);
  } catch {
    return [];
  }
}

function isBreakpoint(value: unknown): value is Breakpoint {
  if (typeof value !== "object" || value === null) return false;
  const { id, on, kind, element, comparison, hit } = value as { readonly [key: string]: unknown };
  return (
    Number.isInteger(id) &&
    typeof on === "boolean" &&
    (kind === null || isKind(kind)) &&
    (element === null || isNamedElement(element)) &&
    (comparison === null || isComparison(comparison)) &&
    Number.isInteger(hit)
  );
}

function isComparison(value: unknown): value is Comparison {
  if (typeof value !== "object" || value === null) return false;
  const { field, operator, value: wanted } = value as { readonly [key: string]: unknown };
  return typeof field === "string" && typeof wanted === "string" && operators.some((known) => known === operator);
}

export const breakpointStore = createStore<{ readonly list: readonly Breakpoint[] }>()(() => ({ list: remembered() }));
breakpointStore.subscribe(({ list }) => {
  try {
    if (list.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // Storage is full or not allowed: they last as long as the page.
  }
});
