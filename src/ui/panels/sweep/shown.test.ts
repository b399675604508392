import { expect, test } from "vitest";
import type { HarmfulRun, SweepFlag } from "../../../scenario/exploration.ts";
import type { VerdictWord } from "../../../scenario/report.ts";
import { onlyInState, outcomeOfRun, tallied } from "./shown.ts";

function run(verdict: VerdictWord, state: VerdictWord, flags: readonly SweepFlag[] = []): HarmfulRun {
  return { verdict, state, flags, injections: [], lost: [], duplicated: [] };
}

test("each verdict counts for one of the app's outcomes", () => {
  const outcomes = {
    "exactly-once": 1,
    "effectively-once": 2,
    "at-least-once": 4,
    "at-most-once": 8,
    broken: 16,
    pending: 32,
  };
  expect(tallied({ outcomes })).toEqual({ OK: 3, DUPLICATE: 4, LOSS: 24, pending: 32 });
});

test("a harmful run is named by what readers see, else by its state, else by why it cannot be told", () => {
  expect(outcomeOfRun(run("at-least-once", "exactly-once", ["late"]))).toBe("DUPLICATE");
  expect(outcomeOfRun(run("broken", "exactly-once", ["stuck"]))).toBe("LOSS");
  expect(outcomeOfRun(run("exactly-once", "at-least-once"))).toBe("DUPLICATE");
  expect(onlyInState(run("exactly-once", "at-least-once"))).toBe(true);
  expect(onlyInState(run("at-least-once", "at-least-once"))).toBe(false);
  expect(outcomeOfRun(run("pending", "exactly-once", ["jobFailed"]))).toBe("STUCK");
  expect(outcomeOfRun(run("pending", "exactly-once"))).toBe("pending");
});
