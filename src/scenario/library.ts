/** The library: each scenario as a person would write it in a file. They go through the same parser as everyone's. */
import { bounded } from "./library/bounded.ts";
import { alignedTimeout, unaligned } from "./library/backpressure.ts";
import { linear } from "./library/linear.ts";
import { modes } from "./library/modes.ts";
import { orderTotals } from "./library/order-totals.ts";
import { orders } from "./library/orders.ts";
import { savepoint, stop } from "./library/savepoints.ts";
import { shuffle } from "./library/shuffle.ts";
import {
  beside,
  database,
  databaseSource,
  fileSink,
  files,
  globalCommit,
  naive,
  pooledIds,
  socket,
  upsert,
  writeAhead,
} from "./library/stores.ts";
import { twoLanes } from "./library/two-lanes.ts";

export interface LibraryScenario {
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
  /** What one finds it by: what it shows, in Flink's words. */
  readonly tags: readonly string[];
  /** The scenario as JSON, not parsed yet. */
  readonly source: { readonly [key: string]: unknown };
  /** The same as a file's text. */
  readonly text: string;
}

export const library: readonly LibraryScenario[] = [
  entry(orderTotals, ["two-phase commit", "hash", "first"]),
  entry(orders, ["two-phase commit", "hash", "first visit"]),
  entry(linear, ["two-phase commit", "base"]),
  entry(shuffle, ["alignment", "hash", "base"]),
  entry(twoLanes, ["regions", "base"]),
  entry(modes, ["backpressure", "alignment", "at-least-once", "unaligned"]),
  entry(bounded, ["bounded input", "final checkpoint", "two-phase commit"]),
  entry(unaligned, ["unaligned", "backpressure", "in-flight data"]),
  entry(alignedTimeout, ["unaligned", "aligned timeout", "backpressure"]),
  entry(savepoint, ["savepoint", "two-phase commit"]),
  entry(stop, ["savepoint", "stop", "two-phase commit"]),
  entry(pooledIds, ["transactional ids", "two-phase commit"]),
  entry(globalCommit, ["two-phase commit", "global committer"]),
  entry(beside, ["last stable offset", "read_committed"]),
  entry(fileSink, ["files", "two-phase commit"]),
  entry(database, ["database", "two-phase commit"]),
  entry(writeAhead, ["write-ahead log", "at-least-once"]),
  entry(upsert, ["idempotent", "effectively once"]),
  entry(naive, ["laboratory", "commit at the barrier"]),
  entry(files, ["bounded input", "files"]),
  entry(databaseSource, ["database", "start delay"]),
  entry(socket, ["not replayable", "at most once"]),
];

type Source = { readonly [key: string]: unknown } & Pick<LibraryScenario, "id" | "title">;

function entry(source: Source, tags: readonly string[]): LibraryScenario {
  return { id: source.id, title: source.title, tags, source, text: `${JSON.stringify(source, null, 2)}\n` };
}
