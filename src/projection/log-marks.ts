/**
 * Marks along a log: hashes of all entries up to some steps. Two runs that agree in a mark are the same up to it, so that a
 * link can tell whether another version of the program makes the same run, and between which entries it first differs.
 */
import { at } from "../base/assert.ts";
import { finish, mix } from "../base/hash.ts";
import { events, eventTypes } from "../protocol/events.ts";
import { type FieldKind, lists } from "../protocol/field-kinds.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Mark } from "../scenario/run-document.ts";

/** Marks that a run gets, the last of them at its last entry. */
const MARKS = 8;

const kinds: readonly (readonly FieldKind[])[] = eventTypes.map((type) =>
  Object.values(events[type].fields as Record<string, FieldKind>),
);

/** Of a log as long as it was then: whoever saves a run by itself asks again and again. */
const known = new WeakMap<EventLog, { readonly length: number; readonly marks: Mark[] }>();

export function marksOf(log: EventLog): Mark[] {
  const before = known.get(log);
  if (before?.length === log.length) return before.marks;
  const marks = made(log);
  known.set(log, { length: log.length, marks });
  return marks;
}

function made(log: EventLog): Mark[] {
  const steps = Array.from({ length: MARKS }, (_, index) => Math.ceil((log.length * (index + 1)) / MARKS) - 1);
  return hashes(
    log,
    [...new Set(steps)].filter((step) => step >= 0),
  );
}

/** The span in which a log first differs from one that had these marks; `null`: it does not, as far as they tell. */
export function firstDifference(
  log: EventLog,
  marks: readonly Mark[],
): { readonly from: number; readonly to: number } | null {
  const rising = [...marks].sort(([a], [b]) => a - b);
  const known = hashes(
    log,
    rising.map(([step]) => step).filter((step) => step < log.length),
  );
  const place = rising.findIndex(([, hash], index) => known[index]?.[1] !== hash);
  const differs = rising[place];
  return differs === undefined ? null : { from: (rising[place - 1]?.[0] ?? -1) + 1, to: differs[0] };
}

/** The hash at each of the rising steps. */
function hashes(log: EventLog, steps: readonly number[]): Mark[] {
  const marks: Mark[] = [];
  let hash = 0;
  let step = 0;
  for (const wanted of steps) {
    for (; step <= wanted; step++) hash = withEntry(hash, log, step);
    marks.push([wanted, finish(hash)]);
  }
  return marks;
}

function withEntry(before: number, log: EventLog, step: number): number {
  const type = log.type(step);
  let hash = mix(mix(mix(before, type), log.clock(step)), log.cause(step));
  at(kinds, type).forEach((kind, place) => {
    if (!lists.has(kind)) hash = mix(hash, log.field(step, place));
    else for (const item of log.list(step, place)) hash = mix(hash, item);
  });
  for (let index = 0; index < log.moveCount(step); index++) {
    const { machine, instance, from, to } = log.move(step, index);
    hash = mix(mix(hash, instance), (machine << 16) | (from << 8) | to);
  }
  return hash;
}
