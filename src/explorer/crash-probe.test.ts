import { expect, test } from "vitest";
import { libraryScenario } from "../engine/testing/runs.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { crashes } from "../scenario/targets.ts";
import { CrashProbe } from "./crash-probe.ts";
import { Runner, usualOptions } from "./runner.ts";

const scenario = libraryScenario("order-totals");
const commands = crashes(executionGraph(scenario), scenario);
const probe = new CrashProbe({ scenario, decisions: [], length: 0 });
const { length } = probe.survey;

test("a failure lands where the same failure in a run from the start lands", () => {
  const runner = new Runner(scenario, [], { ...usualOptions, merge: false }, 16);
  for (const [index, command] of commands.entries()) {
    const step = 17 + index * 131;
    const run = runner.at(step);
    run.submit(command);
    const { outcome } = runner.finish(run, runner.remember());
    expect(outcome.violation).toBeNull();
    const landing = probe.strike({ step, command });
    expect(landing).toMatchObject({ verdict: outcome.verdict, lost: outcome.lost, duplicated: outcome.duplicated });
    expect(landing.flags).toEqual(outcome.flags);
  }
});

test("dragged away and back, a failure has the identical fingerprint; elsewhere it has another", () => {
  const [command] = commands;
  if (command === undefined) throw new Error("something can fail");
  const there = probe.strike({ step: 400, command });
  const elsewhere = probe.strike({ step: 900, command });
  expect(probe.strike({ step: 400, command })).toEqual(there);
  expect(elsewhere.fingerprint).not.toBe(there.fingerprint);
});

test("what was decided before stays decided, and the failure comes behind it", () => {
  const [command, other] = commands;
  if (command === undefined || other === undefined) throw new Error("two things can fail");
  const decided = new CrashProbe({ scenario, decisions: [{ step: 300, command }], length });
  expect(decided.survey.from).toBe(300);
  expect(decided.survey.length).toBeGreaterThan(length);
  expect(decided.strike({ step: 900, command: other }).length).toBeGreaterThan(decided.survey.length);
});
