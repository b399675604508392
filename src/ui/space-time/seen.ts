/**
 * Which events are painted: all within the stretch that is looked at; of too many, those of records on their way are left
 * out; of more still every so-manyth is painted. What a picture costs does not depend on how long the run is.
 */
import { at } from "../../base/assert.ts";
import type { SpaceTime } from "../../projection/space-time.ts";
import { EventNumber } from "../../protocol/events.ts";
import type { EventLog } from "../../protocol/log.ts";
import { type Stretch, bounds } from "./geometry.ts";
import type { Places } from "./places.ts";

/** More events at once are too many. */
const MOST = 2500;

export const moving: ReadonlySet<number> = new Set(
  (["RecordEmitted", "RecordSent", "RecordReceived", "RecordProcessed", "RecordWritten"] as const).map(
    (type) => EventNumber[type],
  ),
);

type Lists = readonly (readonly number[])[];

/** By lifeline: its events without those of records on their way; made once as long as the run does not grow. */
const still = new WeakMap<SpaceTime, { readonly length: number; readonly lists: Lists }>();

function stillOf(space: SpaceTime, log: EventLog): Lists {
  const known = still.get(space);
  if (known !== undefined && known.length === space.length) return known.lists;
  const lists = space.lifelines.map(({ events }) => events.filter((step) => !moving.has(log.type(step))));
  still.set(space, { length: space.length, lists });
  return lists;
}

/** By lifeline; `crowded`: some are left out. */
export function seenIn(
  space: SpaceTime,
  log: EventLog,
  places: Places,
  stretch: Stretch,
): { readonly shown: Lists; readonly crowded: boolean } {
  const within = (lists: Lists): { readonly spans: (readonly [number, number])[]; readonly count: number } => {
    const spans = lists.map((events) => bounds(events, places, stretch));
    return { spans, count: spans.reduce((sum, [from, to]) => sum + to - from, 0) };
  };
  const all = space.lifelines.map(({ events }) => events);
  const every = within(all);
  if (every.count <= MOST)
    return { shown: all.map((events, line) => events.slice(...at(every.spans, line))), crowded: false };
  const lists = stillOf(space, log);
  const { spans, count } = within(lists);
  const each = Math.ceil(count / MOST);
  const shown = lists.map((events, line) => {
    const [from, to] = at(spans, line);
    const painted: number[] = [];
    // Counted from the lifeline's beginning, so that the same are painted wherever the stretch begins.
    for (let place = Math.ceil(from / each) * each; place < to; place += each) painted.push(at(events, place));
    return painted;
  });
  return { shown, crowded: true };
}
