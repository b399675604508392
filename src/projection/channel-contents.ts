/** What is in a channel, with the checkpoint that each element belongs to and the one that stores it (CP-075 to CP-079). */
import { at } from "../base/assert.ts";
import { partOf } from "./checkpoints.ts";
import type { ElementView, InFlightView } from "./element-view.ts";
import { checkpointPlace } from "./own.ts";
import type { RunView } from "./views.ts";

/** A pending checkpoint stores a record in flight, by its reader or its writer; `stored`: it is in the storage. */
export interface Capture {
  readonly checkpoint: number;
  readonly side: InFlightView["side"];
  readonly stored: boolean;
}

export interface Content {
  readonly element: ElementView;
  /** A record is before the barrier of this checkpoint, and its effect in it; of a barrier or marker its own. */
  readonly epoch: number;
  readonly captured: Capture | null;
}

/** Elements by identity, for they never change. */
export function capturesOf(view: RunView): ReadonlyMap<ElementView, Capture> {
  const captures = new Map<ElementView, Capture>();
  for (const id of view.coordinator.pending) {
    const place = checkpointPlace(view, id);
    for (const part of place < 0 ? [] : at(view.checkpoints, place).parts) {
      if (part === null || part.inFlight.length === 0) continue;
      const stored = part.persistedAt >= 0;
      for (const { element, side } of part.inFlight) captures.set(element, { checkpoint: id, side, stored });
    }
  }
  return captures;
}

/** The next to be taken first. */
export function contentsOf(view: RunView, channel: number): Content[] {
  const captures = capturesOf(view);
  const { queue } = at(view.channels, channel);
  let epoch = nextEpoch(view, at(view.shared.graph.channels, channel).from);
  const contents: Content[] = [];
  for (const element of queue.toReversed()) {
    const captured = captures.get(element) ?? null;
    if (element.kind === "barrier" || element.kind === "cancel-marker") epoch = element.id;
    contents.unshift({ element, epoch: captured?.checkpoint ?? epoch, captured });
  }
  return contents;
}

/** Of what the sender sends now: behind the barriers of every checkpoint that it has begun. */
function nextEpoch(view: RunView, sender: number): number {
  const begun = view.checkpoints.findLast(({ id }) => (partOf(view, id, sender)?.startedAt ?? -1) >= 0);
  return (begun?.id ?? 0) + 1;
}
