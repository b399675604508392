/**
 * The same fact in another run. An entry is told apart by its type and by what it is about (subtask, record, checkpoint,
 * attempt, …), not by how much there was of something nor how long it took, nor by its step. Where a run has several
 * such entries (a record that is read again), they are counted.
 */
import { at } from "../base/assert.ts";
import { events, eventTypes } from "../protocol/events.ts";
import { type FieldKind, lists } from "../protocol/field-kinds.ts";
import type { EventLog } from "../protocol/log.ts";

/** How much, how long, and what somebody counted: the same fact may come with others. */
const measures: ReadonlySet<FieldKind> = new Set(["ms", "bytes", "int"]);
/** Numbers that are names. */
const names: ReadonlySet<string> = new Set(["attempt", "fault", "submission", "leader"]);

/** By event number: places of the fields that make the fact. */
const deciding: readonly (readonly number[])[] = eventTypes.map((type) =>
  Object.entries(events[type].fields as Record<string, FieldKind>).flatMap(([name, kind], place) =>
    lists.has(kind) || (measures.has(kind) && !names.has(name)) ? [] : [place],
  ),
);

function isSame(log: EventLog, step: number, other: EventLog, otherStep: number): boolean {
  const type = log.type(step);
  return (
    other.type(otherStep) === type &&
    at(deciding, type).every((place) => log.field(step, place) === other.field(otherStep, place))
  );
}

/** What becomes of a fact in another run. `step`: where it is there. */
export type Fate =
  | { readonly kind: "still"; readonly step: number }
  | { readonly kind: "later"; readonly step: number; readonly ms: number }
  | { readonly kind: "gone" };

/**
 * What becomes of the entry at `step` in `other`, which shares the entries before `shared`: it is still there if there are
 * as many of its kind by its time.
 */
export function fateOf(log: EventLog, step: number, other: EventLog, shared: number): Fate {
  const clock = log.clock(step);
  let [place, owed] = [0, 0];
  for (let each = shared; each < log.length && log.clock(each) <= clock; each++) {
    if (!isSame(log, step, log, each)) continue;
    owed++;
    if (each <= step) place++;
  }
  const found: number[] = [];
  for (let each = shared; each < other.length && found.length < owed; each++)
    if (isSame(log, step, other, each)) found.push(each);
  const last = found[owed - 1];
  if (last === undefined) return { kind: "gone" };
  if (other.clock(last) > clock) return { kind: "later", step: last, ms: other.clock(last) - clock };
  return { kind: "still", step: at(found, place - 1) };
}
