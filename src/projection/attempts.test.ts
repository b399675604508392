import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { withFaults } from "../engine/testing/runs.ts";
import { attemptsOf } from "./attempts.ts";

const fails = (time: string, target = "total[1]") => ({ at: { time }, do: "fail-task", target });
const run = (...faults: Parameters<typeof withFaults>[1]) => runScenario(withFaults("order-totals", faults));

test("FR-005: a subtask's attempts, newest first, with their states, up to the cursor", () => {
  const { log, graph } = run(fails("1500 ms"));
  const total = graph.subtasks.findIndex(({ name }) => name === "total[1]");
  const [second, first] = attemptsOf(log).of(0, total, log.length);
  expect(first).toMatchObject({ attempt: 0, failure: { cause: "USER_EXCEPTION" } });
  expect(first?.states.map(({ state }) => state)).toEqual([
    "CREATED",
    "SCHEDULED",
    "DEPLOYING",
    "INITIALIZING",
    "RUNNING",
    "FAILED",
  ]);
  expect(second?.attempt).toBe(1);
  const running = first?.states.find(({ state }) => state === "RUNNING")?.step ?? 0;
  const [then, ...others] = attemptsOf(log).of(0, total, running);
  expect(others).toEqual([]);
  expect(then?.states.at(-1)?.state).toBe("RUNNING");
  expect(then?.failure).toBeNull();
});

test("FR-020, FR-080: a failure names its fault, and, not before it is made, the decision on it", () => {
  const { log, graph } = run(fails("1500 ms"));
  const [entry, ...others] = attemptsOf(log).exceptions(log.length);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    failure: "USER_EXCEPTION",
    fault: { verb: "fail-task" },
    attempt: 0,
    concurrent: false,
  });
  expect(graph.subtasks[entry?.subtask ?? -1]?.name).toBe("total[1]");
  expect(entry?.decision?.restart).toMatchObject({ delay: 1000 });
  expect(attemptsOf(log).exceptions(entry?.step ?? 0)[0]?.decision).toBeNull();
});

test("FR-043: once no restart is left, the decision on a failure is that the job fails", () => {
  const { log } = run(fails("500 ms"), fails("2600 ms"), fails("4600 ms"), fails("6600 ms"), fails("8600 ms"));
  const decisions = attemptsOf(log)
    .exceptions(log.length)
    .map(({ decision }) => decision?.restart ?? null);
  expect(decisions[0]).toBeNull();
  expect(decisions.slice(1).every((decision) => decision !== null)).toBe(true);
});

test("FR-024: when a process dies a neighbour notices first, by its connection; the fault is told all the same", () => {
  const { log } = run({ at: { time: "1500 ms" }, do: "kill-taskmanager", target: "tm-2" });
  const [entry] = attemptsOf(log).exceptions(log.length);
  expect(entry).toMatchObject({ failure: "CONNECTION_LOST", fault: { verb: "kill-taskmanager" } });
});

test("FR-046: a job that fails as a whole has an entry without a task", () => {
  const { log } = run({ at: { time: "1500 ms" }, do: "fail-job" });
  expect(attemptsOf(log).exceptions(log.length)).toMatchObject([
    { subtask: -1, failure: "JOB_FAILURE", fault: { verb: "fail-job" }, decision: { restart: {} } },
  ]);
});
