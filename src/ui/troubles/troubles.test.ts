import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { library } from "../../scenario/library.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import { factsOf } from "../facts.ts";
import { Run } from "../run.ts";
import { troublesOf } from "./troubles.ts";

type Json = { readonly [key: string]: unknown };
const source = structuredClone(library.find(({ id }) => id === "order-totals")?.source) as Json;
/** `out[0]`, behind two subtasks of each other vertex. */
const OUT = 4;
const jobManager = { kind: "jobManager", id: 0 } as const;

function at(clock: number, change: Json, element: StageElement) {
  const read = scenarioFrom({ ...source, ...change });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const scenario = read.value;
  const graph = executionGraph(scenario);
  const { log } = runScenario(scenario);
  const run = new Run({ graph, scenario, parent: null, base: 0, commands: scenario.faults });
  run.append(log.chunk(0));
  const step = Math.min(log.firstAt(clock + 1), log.length) - 1;
  const facts = factsOf(run);
  return troublesOf({ graph, scenario, log, step, view: facts.viewAt(step), shelf: facts.shelf.at(step) }, element);
}

test("E-30: a job that failed for good says why, by which strategy, and from where it can start again", () => {
  const fails = {
    config: { ...(source["config"] as Json), "restart-strategy.type": "none" },
    faults: [{ at: { time: "2500 ms" }, do: "fail-task", target: "total[1]" }],
  };
  const [failed] = at(4000, fails, jobManager);
  expect(failed).toMatchObject({ id: "E-30", cause: "USER_EXCEPTION", strategy: "none" });
  expect(at(2000, fails, jobManager)).toEqual([]);
});

test("FR-031, E-30: after an error that no restart mends the strategy was not asked, and none is to be changed", () => {
  const fails = { faults: [{ at: { time: "2500 ms" }, do: "fail-task", target: "total[1]", unrecoverable: true }] };
  const [failed] = at(4000, fails, jobManager);
  expect(failed).toMatchObject({ id: "E-30", cause: "UNRECOVERABLE_ERROR", strategy: null });
});

test("SK-131: E-33 where a database has prepared transactions and nobody is there to decide them", () => {
  const { vertices, ...job } = source["job"] as { readonly vertices: readonly Json[] };
  const database = {
    job: {
      ...job,
      vertices: vertices.map((vertex) =>
        vertex["uid"] === "out" ? { uid: "out", type: "two-phase-commit-sink", parallelism: 1, chain: false } : vertex,
      ),
    },
    topics: { orders: (source["topics"] as Json)["orders"] },
    faults: [{ at: { after: "SnapshotTaken", subtask: "out[0]", checkpoint: 2 }, do: "kill-jobmanager" }],
  };
  expect(at(1500, database, jobManager)).toEqual([]);
  expect(at(60_000, database, jobManager)).toContainEqual(
    expect.objectContaining({ id: "E-33", transactions: ["out-0-2"], leadsAt: null }),
  );
});

test("E-35: why no checkpoint can start", () => {
  const off = { config: { "restart-strategy.type": "none" } };
  expect(at(1000, off, jobManager)).toEqual([{ id: "E-35", why: "off" }]);
  expect(at(1000, {}, jobManager)).toEqual([]);
  expect(at(1600, { faults: [{ at: { time: "1500 ms" }, do: "fail-task", target: "out[0]" }] }, jobManager)).toEqual([
    { id: "E-35", why: "status" },
  ]);
});

test("SK-159: E-31 at the sink whose timeout the broker refuses, and at the JobManager", () => {
  const refused = { broker: { "transaction.max.timeout.ms": "1 s" } };
  expect(at(1000, refused, { kind: "subtask", id: OUT })).toMatchObject([{ id: "E-31", most: 1000 }]);
  expect(at(1000, refused, jobManager)).toContainEqual(expect.objectContaining({ id: "E-31" }));
});

test("KF-030: E-32 while committed readers wait for a transaction of a producer that is gone", () => {
  const stuck = {
    config: { ...(source["config"] as Json), "restart-strategy.type": "none" },
    faults: [{ at: { time: "2400 ms" }, do: "kill-taskmanager", target: "tm-1" }],
  };
  const output = { kind: "output", id: 0 } as const;
  const [held] = at(60_000, stuck, output);
  expect(held).toMatchObject({ id: "E-32", partition: "totals-0" });
  expect(at(1200, stuck, output)).toEqual([]);
});
