/** The calculator's words on figures that people meet, the same as in the lesson of the notes. */
import { describe, expect, test } from "vitest";
import { libraryScenario } from "../../engine/testing/runs.ts";
import { runScenario } from "../../engine/run.ts";
import { outcomeOf } from "./first-loss.ts";
import { inequalitiesOf } from "./inequalities.ts";
import { timeoutsOf } from "./prefill.ts";
import { type Timeouts, outOfBounds } from "./timeouts.ts";

const usual: Timeouts = {
  interval: 10_000,
  duration: 2000,
  checkpointTimeout: 600_000,
  attempts: 10,
  delay: 1000,
  detection: 50_000,
  outage: 60_000,
  slotTimeout: 300_000,
  redeploy: 5000,
  transactionTimeout: 900_000,
  brokerLimit: 900_000,
  cleanup: 10_000,
};

const failing = (timeouts: Timeouts): string[] =>
  inequalitiesOf(timeouts).flatMap(({ id, holds }) => (holds ? [] : [id]));

describe("which inequality fails", () => {
  test("SK-160: with the brokers' 15 minutes an outage of a minute is survived", () => {
    expect(failing(usual)).toEqual([]);
    expect(outcomeOf(usual)).toEqual({ kind: "none" });
  });

  test("SK-159: the sink's default of an hour above the brokers' 15 minutes is a restart loop, not a loss", () => {
    const given = { ...usual, transactionTimeout: 3_600_000 };
    expect(failing(given)).toEqual(["broker-limit"]);
    expect(outcomeOf(given)).toEqual({ kind: "restart-loop", at: 5001, cause: "INVALID_TRANSACTION_TIMEOUT" });
  });

  test("SK-160: the outage takes longer than the transaction may be open", () => {
    const given = { ...usual, transactionTimeout: 60_000 };
    expect(failing(given)).toEqual(["outage-survived", "room"]);
    expect(outcomeOf(given)).toEqual({ kind: "loss", at: 80_000, checkpoint: 2, transaction: "P-0-2", why: "outage" });
    const survived = inequalitiesOf(given).find(({ id }) => id === "outage-survived");
    expect(survived?.of.map(({ name, value }) => `${name} ${value}`)).toEqual([
      "period 10000",
      "duration 2000",
      "recovery 60001",
      "redeploy 5000",
      "restore 10",
      "commit 3",
    ]);
  });

  test("KF-020: the coordinator looks every so often, so the same timeout may be in time or late", () => {
    const given = { ...usual, transactionTimeout: 11_500 };
    expect(failing(given)).toEqual(["commit-in-time", "outage-survived", "room"]);
    expect(outcomeOf({ ...given, cleanup: 10 })).toMatchObject({ kind: "loss", why: "no-failure" });
    expect(outcomeOf({ ...given, cleanup: 10_000 })).toMatchObject({ kind: "loss", why: "outage" });
  });

  test("FR-062, FR-037: a strategy that gives up before the machine is back leaves the transaction to the broker", () => {
    const given = { ...usual, attempts: 0 };
    expect(failing(given)).toEqual(["restarts-outlast", "outage-survived"]);
    expect(outcomeOf(given)).toMatchObject({ kind: "loss", transaction: "P-0-2", why: "given-up" });
  });

  test("CP-020: a checkpoint that takes as long as its timeout never completes", () => {
    const given = { ...usual, duration: 600_000 };
    expect(failing(given)).toContain("checkpoint-in-time");
    expect(outcomeOf(given)).toMatchObject({ kind: "restart-loop", cause: "CHECKPOINT_FAILURE_THRESHOLD" });
  });
});

test("the figures of a scenario are its own, and the duration is the longest that its run has shown", () => {
  const scenario = libraryScenario("order-totals");
  const { report } = runScenario(scenario, { checkInvariants: false });
  const given = timeoutsOf(scenario, report);
  expect(given).toMatchObject({ interval: 1000, attempts: 3, delay: 1000, transactionTimeout: 900_000 });
  expect(given.duration).toBe(Math.max(...report.checkpoints.map(({ triggered, ended }) => (ended ?? 0) - triggered)));
  expect(timeoutsOf(scenario, null).duration).toBe(25);
});

test("a figure out of its bounds is told with what it may be", () => {
  expect(outOfBounds(usual, "outage")).toBeNull();
  expect(outOfBounds({ ...usual, interval: 9 }, "interval")).toEqual({ least: 100, most: 86_400_000 });
  expect(outOfBounds({ ...usual, slotTimeout: 100, delay: 0, outage: 200_000 }, "outage")).toEqual({
    least: 1,
    most: 100_000,
  });
});
