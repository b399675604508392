/** Where events lie in the space-time picture: along the axis by simulated time or by causal order, across by lifeline. */
import { at } from "../../base/assert.ts";
import { firstPlace } from "../../base/first-place.ts";
import type { SpaceTime } from "../../projection/space-time.ts";
import type { Places } from "./places.ts";

/** A stretch of the axis: milliseconds, or ranks. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Everything, with a little room. */
export function whole({ end }: Places): Stretch {
  return { from: 0, to: Math.max(1, end) + 1 };
}

/** Events of a lifeline within a stretch. */
export function within(events: readonly number[], places: Places, stretch: Stretch): readonly number[] {
  return events.slice(...bounds(events, places, stretch));
}

/** The place of the first of them, and that behind the last. */
export function bounds(
  events: readonly number[],
  places: Places,
  { from, to }: Stretch,
): readonly [from: number, to: number] {
  const bound = (limit: number): number => firstPlace(events.length, (place) => places.at(at(events, place)) >= limit);
  return [bound(from), bound(to)];
}

export function zoomed({ from, to }: Stretch, factor: number, around: number, all: Stretch): Stretch {
  const width = Math.min(all.to - all.from, Math.max(0.5, (to - from) * factor));
  const share = (around - from) / (to - from);
  return shifted({ from: around - width * share, to: around + width * (1 - share) }, 0, all);
}

/** Moved along, but not beyond the ends. */
export function shifted({ from, to }: Stretch, by: number, all: Stretch): Stretch {
  const move = Math.min(Math.max(by, all.from - from), Math.max(all.to - to, all.from - from));
  const over = from + move < all.from ? all.from - from - move : 0;
  return { from: from + move + over, to: to + move + over };
}

/** The picture's sizes, in CSS pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Time goes down instead of right. */
  readonly vertical: boolean;
  readonly lines: number;
  readonly stretch: Stretch;
}

/** Room for names at the begin, and at the end. */
export const MARGIN = { names: 118, top: 62, end: 14 } as const;

export function along({ width, height, vertical, stretch }: Frame, place: number): number {
  const [begin, size] = vertical ? [MARGIN.top, height] : [MARGIN.names, width];
  return begin + ((place - stretch.from) / (stretch.to - stretch.from)) * (size - begin - MARGIN.end);
}

export function placeAt({ width, height, vertical, stretch }: Frame, pixel: number): number {
  const [begin, size] = vertical ? [MARGIN.top, height] : [MARGIN.names, width];
  return stretch.from + ((pixel - begin) / (size - begin - MARGIN.end)) * (stretch.to - stretch.from);
}

/** Where a lifeline is across. */
export function across({ width, height, vertical, lines }: Frame, line: number): number {
  const size = vertical ? width : height - 20;
  return (vertical ? 0 : 4) + ((line + 0.5) / lines) * size;
}

export function lineAt(frame: Frame, pixel: number): number {
  const first = across(frame, 0);
  const step = frame.lines > 1 ? across(frame, 1) - first : 1;
  return Math.min(frame.lines - 1, Math.max(0, Math.round((pixel - first) / step)));
}

/** A message as far as it is in the window. */
export interface Stroke {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  /** It comes from outside, or goes on there: what is drawn begins, or ends, at the window's edge. */
  readonly enters: boolean;
  readonly leaves: boolean;
}

/** The part of a message that lies in the window, whichever way it goes; `null`: none does. */
export function strokeOf(
  frame: Frame,
  sent: readonly [place: number, line: number],
  received: typeof sent,
): Stroke | null {
  const { from, to } = frame.stretch;
  if (Math.max(sent[0], received[0]) < from || Math.min(sent[0], received[0]) > to) return null;
  const [begin, end] = [pointOf(frame, ...sent), pointOf(frame, ...received)];
  const length = received[0] - sent[0];
  const within = (place: number): number => Math.min(to, Math.max(from, place));
  const share = (place: number): number => (length === 0 ? 0 : (within(place) - sent[0]) / length);
  const pointAt = (part: number): readonly [number, number] => [
    begin[0] + (end[0] - begin[0]) * part,
    begin[1] + (end[1] - begin[1]) * part,
  ];
  const [enters, leaves] = [within(sent[0]) !== sent[0], within(received[0]) !== received[0]];
  return {
    from: enters ? pointAt(share(sent[0])) : begin,
    to: leaves ? pointAt(share(received[0])) : end,
    enters,
    leaves,
  };
}

/** How far apart the two ends of a message are at most; found out once for the places of a run. */
const farthest = new WeakMap<Places, number>();

function farthestIn(space: SpaceTime, places: Places): number {
  let most = farthest.get(places);
  if (most !== undefined) return most;
  most = 0;
  for (let step = 0; step < places.length; step++) {
    const sender = space.senderOf(step);
    if (sender >= 0) most = Math.max(most, places.at(step) - places.at(sender));
  }
  farthest.set(places, most);
  return most;
}

/**
 * Receipts of the messages that have to do with a window: received there, sent there, or on their way all through it.
 * `seen`: the entries of each lifeline in it.
 */
export function messagesIn(
  space: SpaceTime,
  places: Places,
  { from, to }: Stretch,
  seen: readonly (readonly number[])[],
): readonly number[] {
  const receipts: number[] = [];
  for (const events of seen)
    for (const step of events) {
      if (space.senderOf(step) >= 0) receipts.push(step);
      for (const receipt of space.receiptsOf(step)) if (places.at(receipt) >= to) receipts.push(receipt);
    }
  for (const { events } of space.lifelines)
    for (const step of within(events, places, { from: to, to: from + farthestIn(space, places) })) {
      const sender = space.senderOf(step);
      if (sender >= 0 && places.at(sender) < from) receipts.push(step);
    }
  return receipts;
}

export function pointOf(frame: Frame, place: number, line: number): readonly [number, number] {
  const [a, b] = [along(frame, place), across(frame, line)];
  return frame.vertical ? [b, a] : [a, b];
}
