/** Where events lie in the space-time picture: along the axis by simulated time or by causal order, across by lifeline. */
import { at } from "../../base/assert.ts";
import type { SpaceTime } from "../../projection/space-time.ts";
import type { EventLog } from "../../protocol/log.ts";

export type Axis = "time" | "order";

/** A stretch of the axis: milliseconds, or ranks. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Along the axis by step. Entries of one millisecond lie one behind the other within it, so that time is told apart. */
export function positions(space: SpaceTime, log: EventLog, axis: Axis): Float64Array {
  const { length } = space;
  const places = new Float64Array(length);
  if (axis === "order") {
    for (let step = 0; step < length; step++) places[step] = space.rankOf(step);
    return places;
  }
  for (let first = 0; first < length;) {
    const clock = log.clock(first);
    let end = first + 1;
    while (end < length && log.clock(end) === clock) end++;
    for (let step = first; step < end; step++) places[step] = clock + (step - first) / (end - first);
    first = end;
  }
  return places;
}

/** Everything, with a little room. */
export function whole(places: Float64Array): Stretch {
  let most = 1;
  for (const place of places) most = Math.max(most, place);
  return { from: 0, to: most + 1 };
}

/** Events of a lifeline within a stretch. */
export function within(events: readonly number[], places: Float64Array, stretch: Stretch): readonly number[] {
  return events.slice(...bounds(events, places, stretch));
}

/** The place of the first of them, and that behind the last. */
export function bounds(
  events: readonly number[],
  places: Float64Array,
  { from, to }: Stretch,
): readonly [from: number, to: number] {
  const bound = (limit: number): number => {
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((places[at(events, middle)] as number) < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };
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

export function pointOf(frame: Frame, place: number, line: number): readonly [number, number] {
  const [a, b] = [along(frame, place), across(frame, line)];
  return frame.vertical ? [b, a] : [a, b];
}
