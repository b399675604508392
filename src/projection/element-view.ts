/** What is in a channel: values, which never change. */
import type { channelSides } from "../protocol/reasons.ts";

export interface ElementView {
  readonly kind: "record" | "committable" | "barrier" | "cancel-marker" | "end-of-data" | "end-of-partition";
  /** The record, the transaction of a committable (`-1`: it names none), or the checkpoint; 0 for an end. */
  readonly id: number;
  readonly value: number;
  /** A record's pass: 1, or more where a source has read it again. */
  readonly pass: number;
  /** The checkpoint whose channel state it came from; `-1`: it was sent. */
  readonly restored: number;
  readonly sentAt: number;
  /** From then on its reader can take it. */
  readonly arrivesAt: number;
  /** The entry that put it in. */
  readonly step: number;
}

/** Does it take a buffer, and can it be channel state? */
export function isData({ kind }: Pick<ElementView, "kind">): boolean {
  return kind === "record" || kind === "committable";
}

/** A record, or a committable, in flight that a snapshot holds, by its reader (`input`) or its writer (`output`). */
export interface InFlightView {
  readonly channel: number;
  readonly side: (typeof channelSides)[number];
  readonly element: ElementView;
}
