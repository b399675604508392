/** The kinds of sinks by name: who wants to know what one does opens its file. */
import { type LateSink, lateParts } from "../late-parts.ts";
import type { SinkKind } from "../plan.ts";
import { appending, printing } from "./appending.ts";
import { kafkaTransactional } from "./kafka-sink.ts";
import type { Sink } from "./sink.ts";

const early: { readonly [K in Exclude<SinkKind, LateSink>]: Sink } = { appending, printing, kafkaTransactional };

function isLate(kind: SinkKind): kind is LateSink {
  return !(kind in early);
}

export function sinkOfKind(kind: SinkKind): Sink {
  return isLate(kind) ? lateParts().sinks[kind] : early[kind];
}
