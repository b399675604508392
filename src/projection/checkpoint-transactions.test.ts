import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { EventNumber } from "../protocol/events.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { isAtStake, transactionsOf } from "./checkpoint-transactions.ts";
import { advance, initialView } from "./fold.ts";
import { variants } from "./testing/variants.ts";

/** Of each checkpoint, at each entry that changes something: `1 at stake: OPEN OPEN`. */
function told(scenario: Scenario): string[] {
  const { graph, log } = runScenario(scenario);
  const view = initialView(scenario, graph, scenario.faults);
  const lines: string[] = [];
  for (let step = 0; step < log.length; step++) {
    advance(view, log, step);
    for (const checkpoint of view.checkpoints) {
      const states = transactionsOf(view, checkpoint).map(({ state }) => state);
      const line = `${checkpoint.id} ${isAtStake(view, checkpoint) ? "at stake" : "done"}: ${states.join(" ")}`;
      if (lines.findLast((each) => each.startsWith(`${checkpoint.id} `)) !== line) lines.push(line);
    }
  }
  return lines;
}

test("SK-141: each sink's transaction is open, pre-committed and committed with its checkpoint, which then is at stake until the next", () => {
  const lines = told(libraryScenario("orders")).filter((line) => /^[12] /.test(line));
  expect(lines.slice(0, 12)).toMatchInlineSnapshot(`
    [
      "1 at stake: OPEN OPEN",
      "1 at stake: PRE_COMMITTED OPEN",
      "1 at stake: PRE_COMMITTED PRE_COMMITTED",
      "1 at stake: COMMITTED PRE_COMMITTED",
      "1 at stake: COMMITTED COMMITTED",
      "2 at stake: OPEN OPEN",
      "2 at stake: PRE_COMMITTED OPEN",
      "2 at stake: PRE_COMMITTED PRE_COMMITTED",
      "1 done: COMMITTED COMMITTED",
      "2 at stake: COMMITTED PRE_COMMITTED",
      "2 at stake: COMMITTED COMMITTED",
      "2 done: COMMITTED COMMITTED",
    ]
  `);
});

test("SK-155: what was pre-committed for a checkpoint that failed with a task is aborted when the sink starts again", () => {
  const crash = {
    at: { after: "TransactionPreCommitted", subtask: "sink[0]", checkpoint: 2 },
    do: "fail-task",
    target: "count[0]",
  };
  const lines = told(withFaults("orders", [crash]));
  expect(lines.findLast((line) => line.startsWith("2 "))).toMatchInlineSnapshot(`"2 done: ABORTED ABORTED"`);
});

test("SK-140: what a writer begins behind its pre-commit belongs to the next checkpoint", () => {
  const looked: ReadonlySet<number> = new Set([EventNumber.TransactionPreCommitted, EventNumber.TransactionBegun]);
  for (const [name, scenario] of variants) {
    const { graph, log } = runScenario(scenario);
    const view = initialView(scenario, graph, scenario.faults);
    for (let step = 0; step < log.length; step++) {
      advance(view, log, step);
      if (!looked.has(log.type(step))) continue;
      for (const checkpoint of view.checkpoints.filter(({ endedAt }) => endedAt < 0)) {
        const all = transactionsOf(view, checkpoint);
        const writers = (prepared: boolean): string[] =>
          all
            .filter(({ preCommittedAt }) => preCommittedAt >= 0 === prepared)
            .map(({ subtask, operator }) => `${subtask} ${operator}`);
        expect(
          writers(true).filter((writer) => writers(false).includes(writer)),
          `${name} at ${step}`,
        ).toEqual([]);
      }
    }
  }
});
