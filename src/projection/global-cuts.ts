/**
 * Cuts through the space-time picture: one place on each lifeline. A cut is consistent if whatever is received
 * before it was sent before it (Chandy and Lamport); what was sent before it and received behind it is in transit, the
 * channel state that this cut would need.
 */
import { at } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { places } from "./fields.ts";
import type { SpaceTime } from "./space-time.ts";

/** By lifeline: the last entry in front of the cut; `-1`: none is. */
export type Cut = readonly number[];

/** The receipt of a message, and its sending. */
export interface Message {
  readonly sent: number;
  readonly received: number;
}

export interface Verdict {
  /** Received before the cut, sent behind it: with one of these it is not consistent. */
  readonly violations: readonly Message[];
  readonly inTransit: readonly Message[];
}

export function judgeCut(space: SpaceTime, cut: Cut): Verdict {
  const violations: Message[] = [];
  const inTransit: Message[] = [];
  space.lifelines.forEach(({ events }, line) => {
    for (const received of events) {
      const sent = space.senderOf(received);
      if (sent < 0) continue;
      const [sentBefore, receivedBefore] = [sent <= at(cut, space.lineOf(sent)), received <= at(cut, line)];
      if (receivedBefore && !sentBefore) violations.push({ sent, received });
      else if (sentBefore && !receivedBefore) inTransit.push({ sent, received });
    }
  });
  const byStep = (a: Message, b: Message): number => a.received - b.received;
  return { violations: violations.sort(byStep), inTransit: inTransit.sort(byStep) };
}

/** The largest consistent cut that is nowhere behind this one. */
export function repairCut(space: SpaceTime, cut: Cut): Cut {
  const repaired = [...cut];
  for (let moved = true; moved;) {
    moved = false;
    space.lifelines.forEach(({ events }, line) => {
      // What is in front of the first violation stays.
      const bad = events.find((received) => {
        if (received > at(repaired, line)) return false;
        const sent = space.senderOf(received);
        return sent >= 0 && sent > at(repaired, space.lineOf(sent));
      });
      if (bad === undefined) return;
      repaired[line] = events[space.placeOf(bad) - 1] ?? -1;
      moved = true;
    });
  }
  return repaired;
}

/** All that has happened up to a step: always consistent. */
export function cutAt(space: SpaceTime, step: number): Cut {
  return space.lifelines.map(({ events }) => lastUpTo(events, step));
}

function lastUpTo(events: readonly number[], step: number): number {
  return events[countUpTo(events, step) - 1] ?? -1;
}

function countUpTo(events: readonly number[], step: number): number {
  return firstPlace(events.length, (place) => at(events, place) > step);
}

const taken = places("SnapshotTaken");
const triggered = places("CheckpointTriggered");

/** By checkpoint: where its trigger and its snapshots stand, by lifeline the last of them. */
interface Fixed {
  length: number;
  readonly byCheckpoint: Map<number, Map<number, number>>;
}

const known = new WeakMap<SpaceTime, Fixed>();

/** Goes once through what the run has more. */
function fixedBy(space: SpaceTime, log: EventLog, checkpoint: number): ReadonlyMap<number, number> {
  const fixed = known.get(space) ?? { length: 0, byCheckpoint: new Map<number, Map<number, number>>() };
  known.set(space, fixed);
  for (; fixed.length < space.length; fixed.length++) {
    const step = fixed.length;
    const line = space.lineOf(step);
    const type = log.type(step);
    const isTrigger = type === EventNumber.CheckpointTriggered;
    if (!isTrigger && type !== EventNumber.SnapshotTaken) continue;
    const id = log.field(step, isTrigger ? triggered.checkpoint : taken.checkpoint);
    const lines = fixed.byCheckpoint.get(id) ?? new Map<number, number>();
    fixed.byCheckpoint.set(id, lines.set(line, step));
  }
  return fixed.byCheckpoint.get(checkpoint) ?? new Map<number, number>();
}

/**
 * The cut that a checkpoint makes: each subtask where its state was fixed, the JobManager at the trigger, the storage and
 * the log as far as they have heard of that. `null`: not every subtask has taken its snapshot.
 */
export function checkpointCut(space: SpaceTime, log: EventLog, checkpoint: number): Cut | null {
  const fixed = fixedBy(space, log, checkpoint);
  const cut = space.lifelines.map(({ kind }, line) =>
    kind === "storage" || kind === "log" ? Infinity : (fixed.get(line) ?? -1),
  );
  if (space.lifelines.some(({ kind }, line) => kind === "task" && cut[line] === -1)) return null;
  return cut.map((step, line) => (step === Infinity ? lastUnheard(space, cut, line) : step));
}

/** The last entry of a process before it hears of anything behind the cut: it does not up to the cut's first entry. */
export function lastUnheard(space: SpaceTime, cut: Cut, line: number): number {
  const { events } = at(space.lifelines, line);
  const early = countUpTo(events, Math.min(...cut));
  for (let place = early; place < events.length; place++) {
    const sent = space.senderOf(at(events, place));
    if (sent >= 0 && sent > at(cut, space.lineOf(sent))) return events[place - 1] ?? -1;
  }
  return events[events.length - 1] ?? -1;
}
