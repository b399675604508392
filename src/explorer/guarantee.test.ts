/**
 * The matrix SK-040, here and nowhere in the program: what a reader may meet by source, checkpointing and sink. Each cell's
 * runs show nothing else, and each of these at least once. `npm test` asks a part of the cells, and fails as many entries as
 * it takes to see that; `npm run test:long` asks all, and fails each.
 */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import type { Reader } from "../protocol/sinks.ts";
import { type TraceEntry, traceEntries } from "../protocol/trace.ts";
import { faultText } from "../scenario/exploration.ts";
import { cellScenario } from "../scenario/guarantees/cell-scenario.ts";
import {
  type Cell,
  type ModeId,
  cells,
  modeIds,
  nameOfCell,
  sinkKinds,
  sourceKinds,
} from "../scenario/guarantees/kinds.ts";
import { type CellResult, type Harm, harmsOf, seesNothing } from "../scenario/guarantees/result.ts";
import { documentOfLink, runLink } from "../scenario/run-link.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Report } from "../scenario/report.ts";
import { guaranteeOf } from "./guarantee.ts";

/** Each so-many-th entry gets its failures; a finer sample is taken where a coarse one does not show all that is allowed. */
const long = process.env["BARRIERSCOPE_LONG"] === "1";
const strides = long ? [1] : [23, 7, 3, 1];

/** What a reader may meet beside a run that ends later; `nothing`: it sees nothing at all, whatever happens. */
type Allowed = readonly Harm[] | "nothing";
/** By mode, in the order of `modeIds`: exactly-once; at-least-once with several channels and with one; off; off, restart. */
type Column = readonly [Allowed, Allowed, Allowed, Allowed, Allowed];
type Columns = { readonly [column: string]: Column };

/** A task that has failed for good takes with it what it had read and not written. */
const gone: Allowed = ["lost", "job-failed"];
const nothing: readonly [Allowed, Allowed] = ["nothing", "nothing"];

/** A1: appended, and flushed at the barrier; Tu: the dirty reader of what is written in transactions. */
const appended: Column = [["duplicated"], ["duplicated", "wrong"], ["duplicated"], gone, ["duplicated"]];
/** T: committed when the checkpoint is complete, by a sink whose readers are not held up. */
const committed: Column = [[], ["duplicated", "wrong"], [], ...nothing];

/** T in the log, behind whose open transactions its readers wait (KF-033). */
const heldUp: Column = [["blocked"], ["duplicated", "wrong", "blocked"], ["blocked"], ...nothing];

/** Sources that can be read again from where a checkpoint says (RS). */
const replayable: Columns = {
  // A0. Where everything is read again nothing is missed by what was unsent: the matrix says loss is possible there too.
  "kafka-sink none read_committed": [
    ["lost", "duplicated"],
    ["lost", "duplicated", "wrong"],
    ["lost", "duplicated"],
    gone,
    ["duplicated"],
  ],
  "kafka-sink at-least-once read_committed": appended,
  "append-sink read_committed": appended,
  "print-sink read_committed": appended,
  "kafka-sink exactly-once read_committed": heldUp,
  "kafka-sink exactly-once, pooled ids read_committed": heldUp,
  "kafka-sink exactly-once read_uncommitted": appended,
  "two-phase-commit-sink read_committed": committed,
  "two-phase-commit-sink read_uncommitted": appended,
  // W, with its flaw: what was written and not yet recorded is written again (SK-173).
  "write-ahead-log-sink read_committed": [["duplicated"], ["duplicated", "wrong"], ["duplicated"], ...nothing],
  // FS.
  "file-sink finished-files": committed,
  // Not of the matrix: a committer apart, which finds out by the table what it had committed.
  "table-sink read_committed": committed,
  // I.
  "upsert-sink table": [["stepped-back"], ["wrong", "stepped-back"], ["stepped-back"], gone, ["stepped-back"]],
  // Not of the matrix: commits at the barrier, which is why that is wrong.
  "naive-sink read_committed": [["duplicated"], ["duplicated", "wrong"], ["duplicated"], ...nothing],
  "naive-sink read_uncommitted": appended,
};

/** Columns of a source that no checkpoint helps: all lose alike, but transactions that are never committed show nothing. */
function allBut(mode: Column, more: Columns): Columns {
  const same = Object.keys(replayable).map((column) => {
    const hidden = replayable[column]?.[4] === "nothing";
    return [column, hidden ? ([mode[0], mode[1], mode[2], ...nothing] as const) : mode] as const;
  });
  return { ...Object.fromEntries(same), ...more };
}

const losing: Allowed = ["lost", "wrong"];
/** Sources that cannot be read again (RN). What is lost is missing in the sums that follow, so that these are wrong too. */
const losingHeldUp: Column = [
  ["lost", "wrong", "blocked"],
  ["lost", "wrong", "blocked"],
  ["lost", "wrong", "blocked"],
  ...nothing,
];
const losingAgain: Allowed = ["lost", "duplicated", "wrong"];
const vanishing = allBut([losing, losing, losing, gone, losing], {
  "kafka-sink exactly-once read_committed": losingHeldUp,
  "kafka-sink exactly-once, pooled ids read_committed": losingHeldUp,
  // The flaw of the log is its own: the matrix leaves it out here.
  "write-ahead-log-sink read_committed": [losingAgain, losingAgain, losingAgain, ...nothing],
});

/** Read again from elsewhere (RG): only without checkpoints does it matter from where. */
const latest = allBut([[], [], [], [], losing], {});
const group = allBut([[], [], [], [], losingAgain], {
  "upsert-sink table": [[], [], [], [], ["lost", "wrong", "stepped-back"]],
});

/** At the end of input Sink V2 commits all at once (SK-146); a failure behind that brings all of it again. */
const ending: Columns = {
  ...replayable,
  "kafka-sink exactly-once read_committed": [[], [], [], [], ["duplicated"]],
  "kafka-sink exactly-once, pooled ids read_committed": [[], [], [], [], ["duplicated"]],
  "file-sink finished-files": [[], [], [], [], ["duplicated"]],
  "table-sink read_committed": [[], [], [], [], ["duplicated"]],
  "naive-sink read_committed": [[], [], [], [], []],
};

const matrix: { readonly [source: string]: Columns } = {
  "kafka-source": replayable,
  "kafka-source latest": latest,
  "kafka-source group": group,
  "file-source": replayable,
  "file-source bounded": ending,
  "socket-source": vanishing,
  "database-source": replayable,
  "database-source incremental": replayable,
};

function allowed({ source, mode, sink }: Cell, reader: Reader): Allowed | undefined {
  return matrix[source]?.[`${sink} ${reader}`]?.[modeIds.indexOf(mode)];
}

const readersOf = ({ sink }: Cell): readonly Reader[] => sinkKinds.find(({ id }) => id === sink)?.readers ?? [];

/** What is allowed to a cell's readers, and what its runs show them beside a later end. */
interface Claims {
  readonly allowed: object;
  readonly seen: object;
}

function claimsOf(cell: Cell, result: CellResult): Claims {
  const sorted = (told: Allowed | undefined): string | undefined =>
    typeof told === "string" ? told : told?.toSorted((a, b) => a.localeCompare(b)).join(", ");
  const seenBy = (reader: Reader): Allowed => {
    const seen = Object.keys(harmsOf(result, reader, null)) as Harm[];
    return seesNothing(result, reader) ? "nothing" : seen.filter((harm) => harm !== "late");
  };
  const readers = readersOf(cell);
  return {
    allowed: Object.fromEntries(readers.map((reader) => [reader, sorted(allowed(cell, reader))])),
    seen: Object.fromEntries(readers.map((reader) => [reader, sorted(seenBy(reader))])),
  };
}

function swept(cell: Cell): CellResult {
  const showsAll = (result: CellResult): boolean => {
    const claims = claimsOf(cell, result);
    return JSON.stringify(claims.seen) === JSON.stringify(claims.allowed);
  };
  let result = guaranteeOf(cell, at(strides, 0));
  for (const stride of strides.slice(1)) if (!showsAll(result)) result = guaranteeOf(cell, stride);
  return result;
}

/** All of the Kafka source; of the others each sink in some mode and each mode with some sink, in the long run all. */
const asked = cells().filter(({ source, mode, sink }) => {
  const place = sourceKinds.findIndex(({ id }) => id === source) + modeIds.indexOf(mode);
  return long || source === "kafka-source" || (place + sinkKinds.findIndex(({ id }) => id === sink)) % 4 === 0;
});

describe("SK-040: the matrix", () => {
  test.each(asked.map((cell) => [nameOfCell(cell), cell] as const))(
    "SK-040, SK-043: %s: what is allowed is seen, and nothing else",
    (_, cell) => {
      const result = swept(cell);
      expect(result.refused).toBeNull();
      expect(result.violations).toEqual([]);
      expect(result.runs).toBeGreaterThan(50);
      const claims = claimsOf(cell, result);
      expect(claims.seen).toEqual(claims.allowed);
    },
  );
});

const kafka = (mode: ModeId, delivery: string): Cell => ({
  source: "kafka-source",
  mode,
  sink: `kafka-sink ${delivery}`,
});

test("SK-041: without alignment a transactional sink doubles only what failures behind a barrier bring back", () => {
  const result = guaranteeOf(kafka("AT_LEAST_ONCE, several channels", "exactly-once"), 3);
  const doubled = (moment: CellResult["moments"][number]["moment"]): boolean =>
    harmsOf(result, "read_committed", moment).duplicated !== undefined;
  expect(doubled("before")).toBe(false);
  for (const moment of ["barrier", "completed", "after"] as const) expect(doubled(moment), moment).toBe(true);
});

test("SK-102: what the client has accepted and not sent is lost once the checkpoint behind it is complete, and not before", () => {
  const result = guaranteeOf(kafka("EXACTLY_ONCE", "none"), 3);
  expect(harmsOf(result, "read_committed", "completed").lost).toBeDefined();
  expect(harmsOf(result, "read_committed", "before").lost).toBeUndefined();
});

test("SK-042: the doubles of an append are what was written between the restored barrier and the failure", () => {
  const cell = kafka("EXACTLY_ONCE", "at-least-once");
  const { moments } = guaranteeOf(cell, 7);
  const shown = moments.flatMap(({ readers }) => readers.flatMap(({ harms }) => harms.duplicated?.worst ?? []));
  expect(shown.length).toBe(5);
  for (const injection of shown) {
    const { entries, report } = played(cellScenario(cell), [faultText(injection)]);
    const restart = entries.find(({ type, attempt }) => type === "AttemptCreated" && attempt === 1);
    const restored = entries.find(({ type }) => type === "StateRestored");
    const barrier = entries.find(
      ({ type, vertex, checkpoint }) =>
        type === "SnapshotTaken" && vertex === "sink" && checkpoint === restored?.["checkpoint"],
    );
    const written = entries.filter(
      ({ type, step }) => type === "RecordWritten" && step > (barrier?.step ?? -1) && step < (restart?.step ?? 0),
    );
    const [row] = report.delivery;
    expect(new Set(row?.duplicated)).toEqual(new Set(written.map(({ record }) => record)));
  }
});

/** A run as its link opens it. */
function played(
  document: object,
  faults: Parameters<typeof runLink>[1],
): { entries: readonly TraceEntry[]; report: Report } {
  const parsed = scenarioFrom(documentOfLink(runLink(document, faults)));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { graphs, log, report } = runScenario(parsed.value, { checkInvariants: false });
  return { entries: [...traceEntries(graphs, log)], report };
}
