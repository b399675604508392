/**
 * Two sources, one operator with two inputs, one sink (chained to it, as Flink does), one checkpoint, and a TaskManager
 * that crashes at any place: every order of everything, in each of the three modes.
 */
import { describe, expect, test } from "vitest";
import { type Document, pathOf, scenarioOf } from "./schedule.ts";
import { search } from "./search.ts";
import { commandOf, join, withOptions } from "./testing/searched.ts";

const targets = [commandOf("restart-taskmanager", "tm-1")];
const states = 300_000;
const long = process.env["BARRIERSCOPE_LONG"] === "1";
const modes = {
  aligned: {},
  unaligned: { "execution.checkpointing.unaligned.enabled": true },
  atLeastOnce: { "execution.checkpointing.mode": "AT_LEAST_ONCE" },
};

/** So many records of each source, a checkpoint behind the first. */
function joined(first: number, second: number, options: { readonly [key: string]: unknown }): Document {
  const document = withOptions(join(first, second), options);
  const job = document["job"] as { readonly vertices: readonly Document[] };
  const vertices = job.vertices.map((vertex) => ({ ...vertex, chain: true }));
  return { ...document, job: { ...job, vertices } };
}

describe("one checkpoint of two joined sources, and a crash at any place", () => {
  test.each([
    { proves: "INV-003, INV-033: aligned", options: modes.aligned, states: 39_164, ends: 43 },
    { proves: "INV-001, INV-004, INV-033: unaligned", options: modes.unaligned, states: 92_878, ends: 97 },
    { proves: "INV-005: at-least-once", options: modes.atLeastOnce, states: 39_541, ends: 57 },
  ])(
    "$proves keeps what it promises in every order up to Flink 2.0, and these are all states",
    ({ options, ...all }) => {
      const outcome = search(scenarioOf({ ...joined(1, 1, options), flink: "1.20" }), { targets, states });
      expect(outcome).toMatchObject({ findings: [], exhaustive: true, states: all.states, ends: all.ends });
    },
  );

  test("FLINK-35051: unaligned since Flink 2.1, in some order the trigger overtakes a split that is then lost", () => {
    const scenario = scenarioOf({ ...joined(1, 1, modes.unaligned), flink: "2.2" });
    const options = { targets, states, stopsAtFirst: true };
    const [finding] = search(scenario, options).findings;
    expect(finding?.property).toBe("state: no record is lost");
    const path = pathOf(scenario, finding?.moves ?? [], options);
    expect(path.story.en).toMatchInlineSnapshot(
      `"trigger-checkpoint; checkpoint 1 is triggered; P-0-1 is pre-committed; A[0] takes its snapshot for checkpoint 1; B[0] takes its snapshot for checkpoint 1; MAP[0] takes its snapshot for checkpoint 1; checkpoint 1 completes; restart-taskmanager tm-1; a restart is scheduled; A[0] is given checkpoint 1; B[0] is given checkpoint 1; MAP[0] is given checkpoint 1; P-0-1 is committed."`,
    );
  });

  test("INV-005: at least once, in some order the record behind the early barrier is in the state twice", () => {
    const scenario = scenarioOf(joined(1, 1, modes.atLeastOnce));
    const { findings } = search(scenario, { targets, states, invariants: false, strict: true });
    expect(findings.map(({ property, message }) => `${property}: ${message}`)).toEqual([
      "state: no record is doubled: MAP: b-0@0",
      "end to end: no record is doubled: SNK: b-0@0",
    ]);
  });
});

/** With a record more a bound is reached: in the long run by one of the modes, else by all. */
test.each([
  { mode: "aligned", options: modes.aligned, exhaustive: long },
  { mode: "unaligned", options: modes.unaligned, exhaustive: false },
  { mode: "at-least-once", options: modes.atLeastOnce, exhaustive: long },
])("INV-033: with three records $mode keeps it too, as far as the bound reaches, which is told", (row) => {
  const outcome = search(scenarioOf(joined(2, 1, row.options)), { targets, states: long ? states : 10_000 });
  expect(outcome).toMatchObject({ findings: [], exhaustive: row.exhaustive });
});
