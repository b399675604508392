import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { libraryScenario } from "../engine/testing/runs.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { variants } from "./testing/variants.ts";
import { type Ruler, parties, rulerOf } from "./windows.ts";

const logOf = (scenario: Scenario): EventLog => runScenario(scenario).log;

/** The ruler of the `nth` entry of a type. */
function ruler(log: EventLog, type: "CheckpointTriggered" | "TransactionBegun", nth: number): Ruler {
  let left = nth;
  for (let step = 0; step < log.length; step++)
    if (log.type(step) === EventNumber[type] && --left === 0) return rulerOf(log, step) as Ruler;
  throw new Error(`there is no ${type} ${nth}`);
}

function drawn({ windows }: Ruler): string {
  return windows
    .map(({ from, to, known }) => {
      const seen = parties.map((party) => {
        const what = known[party];
        return what === null ? "-" : `${what.name} ${what.count}/${what.of}`;
      });
      return `${from.which} ${from.name} → ${to.which} ${to.name} ${to.clock - from.clock} ms: ${seen.join(", ")}`;
    })
    .join("\n");
}

describe("X-06: windows between the boundaries of the protocol", () => {
  const orders = logOf(libraryScenario("orders"));

  test("SK-141, SK-144: a transaction from its begin until a later checkpoint has it no longer", () => {
    expect(drawn(ruler(orders, "TransactionBegun", 1))).toMatchInlineSnapshot(`
      "only begun → only triggered 27 ms: -, begun 1/1, begun 1/1, -
      only triggered → last written 7 ms: triggered 1/1, written 1/3, written 1/3, -
      last written → only preCommitted 7 ms: triggered 1/1, written 3/3, written 3/3, -
      only preCommitted → only snapshot 1 ms: acknowledged 2/6, preCommitted 1/1, written 3/3, -
      only snapshot → only persisted 8 ms: acknowledged 2/6, snapshot 1/1, written 3/3, -
      only persisted → only acknowledged 2 ms: acknowledged 4/6, persisted 1/1, written 3/3, persisted 1/1
      only acknowledged → last acknowledged 0 ms: acknowledged 5/6, persisted 1/1, written 3/3, persisted 1/1
      last acknowledged → only metadata 0 ms: acknowledged 6/6, persisted 1/1, written 3/3, persisted 1/1
      only metadata → only completed 0 ms: metadata 1/1, persisted 1/1, written 3/3, metadata 1/1
      only completed → only notified 2 ms: completed 1/1, persisted 1/1, written 3/3, completed 1/1
      only notified → only commitSent 0 ms: completed 1/1, notified 1/1, written 3/3, completed 1/1
      only commitSent → only committed 1 ms: completed 1/1, commitSent 1/1, written 3/3, completed 1/1
      only committed → only superseded 57 ms: completed 1/1, committed 1/1, committed 1/1, completed 1/1"
    `);
  });

  test("CP-121, CP-122, CP-123: a checkpoint with the first and the last of what each subtask does", () => {
    expect(drawn(ruler(orders, "CheckpointTriggered", 1))).toMatchInlineSnapshot(`
      "only triggered → first snapshot 3 ms: triggered 1/1, -, -, -
      first snapshot → first persisted 8 ms: triggered 1/1, snapshot 1/6, -, -
      first persisted → first acknowledged 2 ms: triggered 1/1, persisted 1/6, -, persisted 1/6
      first acknowledged → first preCommitted 1 ms: acknowledged 1/6, persisted 2/6, -, persisted 2/6
      first preCommitted → last preCommitted 0 ms: acknowledged 2/6, persisted 2/6, -, persisted 2/6
      last preCommitted → last snapshot 1 ms: acknowledged 2/6, persisted 2/6, -, persisted 2/6
      last snapshot → last persisted 8 ms: acknowledged 2/6, persisted 2/6, -, persisted 2/6
      last persisted → last acknowledged 2 ms: acknowledged 4/6, persisted 6/6, -, persisted 6/6
      last acknowledged → only metadata 0 ms: acknowledged 6/6, persisted 6/6, -, persisted 6/6
      only metadata → only completed 0 ms: metadata 1/1, persisted 6/6, -, metadata 1/1
      only completed → first notified 2 ms: completed 1/1, persisted 6/6, -, completed 1/1
      first notified → first commitSent 0 ms: completed 1/1, notified 1/6, -, completed 1/1
      first commitSent → last notified 0 ms: completed 1/1, commitSent 1/2, -, completed 1/1
      last notified → last commitSent 0 ms: completed 1/1, commitSent 1/2, -, completed 1/1
      last commitSent → first committed 1 ms: completed 1/1, commitSent 2/2, -, completed 1/1
      first committed → last committed 0 ms: completed 1/1, committed 1/2, committed 1/2, completed 1/1
      last committed → only superseded 57 ms: completed 1/1, committed 2/2, committed 2/2, completed 1/1"
    `);
  });

  test("CP-212: one that expires ends with that", () => {
    const [, scenario] = at(
      variants.filter(([name]) => name.includes("acknowledgement is lost")),
      0,
    );
    const { boundaries } = ruler(logOf(scenario), "CheckpointTriggered", 1);
    expect(boundaries.at(-1)?.name).toBe("aborted");
  });

  test("only a trigger and a begin have one", () => {
    expect(rulerOf(orders, 0)).toBeNull();
  });

  test("with a restart the sink forgets, and is asked again from what was restored", () => {
    const [, scenario] = at(
      variants.filter(([name]) => name === "a sink fails before it is told"),
      0,
    );
    const { windows } = ruler(logOf(scenario), "TransactionBegun", 2);
    const sink = windows.map(({ from, known }) => `${from.name}: ${known.sink?.name}`);
    expect(sink.slice(sink.findIndex((each) => each.startsWith("restart")))).toMatchInlineSnapshot(`
      [
        "restart: restart",
        "commitSent: commitSent",
        "committed: committed",
      ]
    `);
  });

  test.each(variants)(
    "%s: each trigger and each begin has windows without a gap, and nobody knows of more than there is",
    (_, scenario) => {
      const log = logOf(scenario);
      for (let step = 0; step < log.length; step++) {
        const found = rulerOf(log, step);
        const begins =
          log.type(step) === EventNumber.CheckpointTriggered || log.type(step) === EventNumber.TransactionBegun;
        expect(found !== null).toBe(begins);
        const { boundaries, windows } = found ?? { boundaries: [], windows: [] };
        expect(boundaries.map((boundary) => boundary.step)).toEqual(
          [...new Set(boundaries.map((boundary) => boundary.step))].sort((a, b) => a - b),
        );
        expect(windows.map(({ from }) => from)).toEqual(boundaries.slice(0, -1));
        expect(windows.map(({ to }) => to)).toEqual(boundaries.slice(1));
        for (const { known } of windows)
          for (const party of parties) expect(known[party]?.count ?? 0).toBeLessThanOrEqual(known[party]?.of ?? 0);
      }
    },
  );
});
