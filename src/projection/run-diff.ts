/**
 * Two runs compared as programs are: entries are aligned by what they are of, not by when they happened. The same source
 * record, the same checkpoint, the same task: the n-th entry of a kind about the same things in one run stands for the
 * n-th in the other. What is left over, and what is not the same, follows from what is left over before it, by the log's
 * own causes.
 */
import { at } from "../base/assert.ts";
import { events, eventTypes } from "../protocol/events.ts";
import { type FieldKind, lists } from "../protocol/field-kinds.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { fieldValue } from "../protocol/field-values.ts";
import type { EventLog } from "../protocol/log.ts";

/** A run as far as a comparison needs it. */
export interface DiffSide {
  readonly log: EventLog;
  /** Of two jobs that are not known to be the same: numbers of their tasks, channels and records may mean something else. */
  readonly jobs?: { at(step: number): { readonly graph: ExecutionGraph } };
}

export interface Pair {
  readonly a: number;
  readonly b: number;
}

export interface RunDiff {
  /** The first step at which the logs are not the same, entry by entry; `null`: one is the other. */
  readonly divergence: number | null;
  /** Steps of entries that have none in the other run. */
  readonly onlyA: readonly number[];
  readonly onlyB: readonly number[];
  /** Entries of both that say something else; and those that say the same at another time. */
  readonly changed: readonly Pair[];
  readonly moved: readonly Pair[];
}

/** Kinds of fields that say what an entry is of; numbers and amounts say how it went. */
const identities: ReadonlySet<FieldKind> = new Set<FieldKind>([
  "subtask",
  "operator",
  "channel",
  "taskManager",
  "record",
  "input",
  "output",
  "transaction",
  "checkpoint",
  "uid",
  "faultVerb",
  "jobStatus",
  "executionState",
  "notificationKind",
  "checkpointKind",
  "rpc",
]);

const fieldKinds: readonly (readonly FieldKind[])[] = eventTypes.map((type) =>
  Object.values(events[type].fields as Record<string, FieldKind>),
);

/** How fields are compared: by their numbers, or where the two jobs differ, by the names that those stand for. */
type Reads = (side: DiffSide, step: number, kind: FieldKind, place: number) => unknown;

const byNumber: Reads = ({ log }, step, _, place) => log.field(step, place);
const byName: Reads = ({ log, jobs }, step, kind, place) =>
  jobs === undefined ? log.field(step, place) : fieldValue(jobs.at(step).graph, kind, log.field(step, place));

function readsOf(a: DiffSide, b: DiffSide): Reads {
  if (a.jobs === undefined || b.jobs === undefined || a.log.length === 0 || b.log.length === 0) return byNumber;
  return namesIn(a.jobs.at(0).graph) === namesIn(b.jobs.at(0).graph) ? byNumber : byName;
}

function namesIn({ subtasks, channels, operators, inputs, outputs, taskManagers }: ExecutionGraph): string {
  const named = [subtasks, channels, inputs, outputs].map((all) => all.map(({ name }) => name));
  return JSON.stringify([...named, operators.map(({ vertex }) => vertex.uid), taskManagers]);
}

function identityOf(side: DiffSide, step: number, reads: Reads): string {
  const type = side.log.type(step);
  let key = String(type);
  at(fieldKinds, type).forEach((kind, place) => {
    if (identities.has(kind)) key += `,${String(reads(side, step, kind, place))}`;
  });
  return key;
}

/** Do two entries say the same, but for their time and their numbers in the log? */
function saysTheSame(a: DiffSide, stepA: number, b: DiffSide, stepB: number, reads: Reads): boolean {
  return at(fieldKinds, a.log.type(stepA)).every((kind, place) =>
    lists.has(kind)
      ? String(a.log.list(stepA, place)) === String(b.log.list(stepB, place))
      : reads(a, stepA, kind, place) === reads(b, stepB, kind, place),
  );
}

export function runDiff(a: DiffSide, b: DiffSide): RunDiff {
  const reads = readsOf(a, b);
  const divergence = firstDivergence(a, b, reads);
  const from = divergence ?? a.log.length;
  // Before the divergence each entry stands for itself.
  const waiting = new Map<string, number[]>();
  for (let step = from; step < b.log.length; step++) {
    const key = identityOf(b, step, reads);
    const known = waiting.get(key);
    if (known === undefined) waiting.set(key, [step]);
    else known.push(step);
  }
  const onlyA: number[] = [];
  const changed: Pair[] = [];
  const moved: Pair[] = [];
  const taken = new Map<string, number>();
  for (let step = from; step < a.log.length; step++) {
    const key = identityOf(a, step, reads);
    const place = taken.get(key) ?? 0;
    const other = waiting.get(key)?.[place];
    if (other === undefined) {
      onlyA.push(step);
      continue;
    }
    taken.set(key, place + 1);
    if (!saysTheSame(a, step, b, other, reads)) changed.push({ a: step, b: other });
    else if (a.log.clock(step) !== b.log.clock(other)) moved.push({ a: step, b: other });
  }
  const onlyB = [...waiting].flatMap(([key, steps]) => steps.slice(taken.get(key) ?? 0)).sort((x, y) => x - y);
  return { divergence, onlyA, onlyB, changed, moved };
}

export type Side = "a" | "b";

/** Entries of a run that the other does not have, not as they are, or not then. */
export function ownSteps({ onlyA, onlyB, changed, moved }: RunDiff, side: Side): ReadonlySet<number> {
  return new Set([...(side === "a" ? onlyA : onlyB), ...[...changed, ...moved].map((pair) => pair[side])]);
}

/** By such an entry the one that stands for it in the other run, if one does. */
export function counterparts({ changed, moved }: RunDiff, side: Side): Map<number, number> {
  return new Map([...changed, ...moved].map(({ a, b }) => (side === "a" ? [a, b] : [b, a])));
}

/** Is nothing of one run other than in the other? */
export function isEmpty({ divergence, onlyA, onlyB, changed, moved }: RunDiff): boolean {
  return divergence === null && onlyA.length + onlyB.length + changed.length + moved.length === 0;
}

function firstDivergence(one: DiffSide, other: DiffSide, reads: Reads): number | null {
  const [a, b] = [one.log, other.log];
  const both = Math.min(a.length, b.length);
  for (let step = sharedPrefix(a, b); step < both; step++) {
    const same =
      a.type(step) === b.type(step) &&
      a.clock(step) === b.clock(step) &&
      a.cause(step) === b.cause(step) &&
      saysTheSame(one, step, other, step, reads);
    if (!same) return step;
  }
  return a.length === b.length ? null : both;
}

/** Branches have the entries before their fork in common: those need not be looked at. */
function sharedPrefix(a: EventLog, b: EventLog): number {
  if (a === b) return a.length;
  if (a.parent !== null && a.base > 0 && (b.parent === null || a.base >= b.base))
    return Math.min(a.base, sharedPrefix(a.parent, b));
  return b.parent === null ? 0 : Math.min(b.base, sharedPrefix(a, b.parent));
}

/** An entry that one run has and the other does not, and what it follows from. */
export interface Consequence {
  readonly step: number;
  /** The nearest entry on the way of its causes that is told too; `null`: nothing that is other in this run brought it about. */
  readonly because: number | null;
}

/**
 * What of a run is its own, told by those entries that `isTold` lets through: each with the entry before it on the way of
 * its causes. Every step of that way is a cause that the log has, and other than in the other run.
 */
export function consequences(
  log: EventLog,
  own: ReadonlySet<number>,
  isTold: (step: number) => boolean,
): Consequence[] {
  return [...own]
    .filter(isTold)
    .sort((a, b) => a - b)
    .map((step) => ({ step, because: toldCause(log, own, isTold, step) }));
}

function toldCause(
  log: EventLog,
  own: ReadonlySet<number>,
  isTold: (step: number) => boolean,
  step: number,
): number | null {
  let cause = log.cause(step);
  while (cause >= 0 && own.has(cause) && !isTold(cause)) cause = log.cause(cause);
  return cause >= 0 && own.has(cause) ? cause : null;
}
