/** The kinds of sinks by name: who wants to know what one does opens its file. */
import { appending, printing } from "./appending.ts";
import { file } from "./file-sink.ts";
import { kafkaTransactional } from "./kafka-sink.ts";
import { naive } from "./naive.ts";
import { twoPhaseCommit } from "./two-phase-commit.ts";
import { writeAheadLog } from "./write-ahead-log.ts";
import type { SinkKind } from "../plan.ts";
import type { Sink } from "./sink.ts";

export const sinkKinds: { readonly [K in SinkKind]: Sink } = {
  appending,
  printing,
  kafkaTransactional,
  naive,
  twoPhaseCommit,
  file,
  writeAheadLog,
};
