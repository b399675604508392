import { expect, test } from "vitest";
import { libraryScenario } from "../../../engine/testing/runs.ts";
import { runScenario } from "../../../engine/run.ts";
import { places } from "../../../projection/fields.ts";
import { EventNumber } from "../../../protocol/events.ts";
import { executionGraph } from "../../../scenario/execution-graph.ts";
import type { Scenario } from "../../../scenario/scenario.ts";
import type { Reply } from "../../../worker/port.ts";
import { EngineSession } from "../../../worker/session.ts";
import type { EngineConnection } from "../../link.ts";
import { OtherRuns } from "../../what-if/runs.ts";
import { type Crashed, MOST_CRASHES, failuresNow, fateOf, tryAll, worstOf } from "./if-crashed.ts";

/** An engine in the same process, which works whenever it is waited for. */
function inProcess(): EngineConnection {
  const listeners: ((reply: Reply) => void)[] = [];
  const session = new EngineSession({
    reply: (reply) => {
      for (const listen of listeners) listen(structuredClone(reply));
    },
    later: (work) => void setTimeout(work),
    now: () => 0,
  });
  return {
    send: (request) => session.handle(request),
    subscribe: (listen) => {
      listeners.push(listen);
      return () => undefined;
    },
    onDeath: () => undefined,
    close: () => undefined,
  };
}

const preCommitted = places("TransactionPreCommitted");

/** Behind the first sink's pre-commit for checkpoint 2. */
async function crashedThere(scenario: Scenario): Promise<readonly Crashed[]> {
  const { log, graph } = runScenario(scenario);
  let step = 0;
  while (log.type(step) !== EventNumber.TransactionPreCommitted || log.field(step, preCommitted.checkpoint) !== 2)
    step++;
  const known: Crashed[] = [];
  const runs = new OtherRuns(inProcess, scenario, []);
  await tryAll(runs, step + 1, failuresNow(graph, scenario), (crashed) => known.push(crashed));
  runs.close();
  return known;
}

test("CP-142, FR-081: whatever process fails between a pre-commit and the end of its checkpoint, that one fails and the one before is restored", async () => {
  const known = await crashedThere(libraryScenario("order-totals"));
  expect(known).toHaveLength(10);
  expect(known.map((each) => `${each.outcome} ${fateOf(each, 2, true)} ${fateOf(each, 1, false)}`)).toEqual(
    Array.from({ length: 10 }, () => "OK fails restored"),
  );
});

test("the worst of what crashes come to is told, and with how many", async () => {
  const known = await crashedThere(
    libraryScenario("order-totals", (source) => {
      (source["config"] as { [key: string]: unknown })["restart-strategy.type"] = "none";
    }),
  );
  const outcomes = known.map((each) => `${each.command.do}: ${each.outcome}`);
  expect([...new Set(outcomes)]).toMatchInlineSnapshot(`
    [
      "fail-task: STUCK",
      "fail-task: LOSS",
      "kill-taskmanager: STUCK",
      "restart-taskmanager: STUCK",
      "fail-job: STUCK",
    ]
  `);
  const { outcome, count } = worstOf(known);
  expect(`${count} ${outcome}`).toMatchInlineSnapshot(`"1 LOSS"`);
});

test("of a job with many subtasks one failure of each kind is tried", () => {
  const scenario = libraryScenario("order-totals", (source) => {
    for (const vertex of (source["job"] as { vertices: { [key: string]: unknown }[] }).vertices)
      vertex["parallelism"] = 8;
    source["cluster"] = { taskManagers: 8, slots: 8 };
  });
  const tried = failuresNow(executionGraph(scenario), scenario);
  expect(tried.length).toBeLessThanOrEqual(MOST_CRASHES);
  expect(tried.map(({ do: verb, target }) => `${verb} ${target}`)).toMatchInlineSnapshot(`
    [
      "fail-task orders[0]",
      "fail-task total[0]",
      "fail-task out[0]",
      "kill-taskmanager tm-1",
      "restart-taskmanager tm-1",
      "fail-job null",
    ]
  `);
});
