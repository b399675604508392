import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { linear } from "../scenario/library/linear.ts";
import { minimise, shortened } from "./minimise.ts";
import { type Document, pathOf, scenarioOf, shown } from "./schedule.ts";
import { search } from "./search.ts";
import { commandOf, shortLine } from "./testing/searched.ts";

const doubles = (scenario: Scenario): boolean =>
  runScenario(scenario).report.delivery.some(({ duplicated }) => duplicated.length > 0);

/** An at-least-once sink, and failures of which one is enough to double a record. */
const doubling: Document = {
  ...linear,
  job: {
    ...linear.job,
    vertices: linear.job.vertices.map((v) => (v.uid === "SNK" ? { ...v, delivery: "at-least-once" } : v)),
  },
  faults: [
    ...linear.faults,
    { at: { step: 5 }, do: "fail-task", target: "SRC[0]" },
    { at: { after: "RecordWritten", record: "in-0@1" }, do: "fail-task", target: "MAP[0]" },
    { at: { step: 200 }, do: "fail-task", target: "SRC[0]" },
  ],
};

test("failures, records and parallelism go as long as the run goes wrong in the same way", () => {
  const smallest = minimise(doubling, { fails: doubles, again: () => null });
  expect(doubles(scenarioOf(smallest))).toBe(true);
  expect(smallest["faults"]).toEqual([
    { at: { after: "RecordWritten", record: "in-0@1" }, do: "fail-task", target: "MAP[0]" },
  ]);
  expect(scenarioOf(smallest).topics[0]?.partitions[0]).toHaveLength(2);
});

test("a smaller job whose failure has to be elsewhere is asked for again", () => {
  const wide: Document = {
    ...doubling,
    job: {
      ...linear.job,
      vertices: linear.job.vertices.map((v) => ({
        ...v,
        parallelism: 2,
        ...(v.uid === "SNK" && { delivery: "at-least-once" }),
      })),
    },
    cluster: { taskManagers: 1, slots: 6 },
    topics: { in: { partitions: 2, records: 4, every: "10 ms" }, out: {} },
    faults: [{ at: { after: "RecordWritten", nth: 3 }, do: "fail-task", target: "MAP[1]" }],
  };
  const again = (candidate: Document): Document | null => {
    for (const subtask of ["MAP[0]", "MAP[1]"])
      for (const nth of [1, 2, 3]) {
        const other = {
          ...candidate,
          faults: [{ at: { after: "RecordWritten", nth }, do: "fail-task", target: subtask }],
        };
        try {
          if (doubles(scenarioOf(other))) return other;
        } catch {
          // There is no such subtask any more.
        }
      }
    return null;
  };
  const smallest = scenarioOf(minimise(wide, { fails: doubles, again }));
  expect(smallest.job.vertices.map(({ parallelism }) => parallelism)).toEqual([1, 1, 1]);
  expect(doubles(smallest)).toBe(true);
});

test("choices that the finding does not need go from its schedule", () => {
  const document: Document = { ...shortLine(2, ["in-0@0"]), broken: ["source-forgets-offset"] };
  const targets = [commandOf("fail-task", "SRC[0]")];
  const scenario = scenarioOf(document);
  const lost = (candidate: Scenario): boolean =>
    runScenario(candidate).report.delivery.some((row) => row.lost.length > 0);
  const [finding] = search(scenario, {
    failures: 1,
    targets,
    stopsAtFirst: true,
    invariants: false,
    states: 50_000,
  }).findings;
  if (finding === undefined) throw new Error("nothing was found");
  const full = shown(document, pathOf(scenario, finding.moves, { targets }));
  const smallest = minimise(full, { fails: lost, again: () => null });
  expect(lost(scenarioOf(smallest))).toBe(true);
  expect((smallest["schedule"] as unknown[]).length).toBeLessThan((full["schedule"] as unknown[]).length);
});

test("input is shortened with the faults that name what is left out", () => {
  const short = scenarioOf(shortened(linear, 4));
  expect(short.topics[0]?.partitions[0]).toHaveLength(4);
  expect(short.faults).toHaveLength(1);
});
