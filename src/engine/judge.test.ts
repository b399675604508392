/** A judged branch is what `runScenario` says of the same run, whatever led to it. */
import { expect, test } from "vitest";
import { commitsAtBarrier } from "./defects.ts";
import { Judge } from "./judge.ts";
import { runScenario } from "./run.ts";
import { command, libraryScenario, withFaults } from "./testing/runs.ts";
import { Timeline } from "./timeline.ts";

function judged(timeline: Timeline, branch: number): ReturnType<Judge["conclusion"]> {
  while (timeline.extend(branch));
  const judge = new Judge(timeline, branch, true);
  while (judge.advance(100));
  return judge.conclusion();
}

test("a branch is judged from the beginning: the report and the invariants are those of one run with its fault", () => {
  const timeline = new Timeline(libraryScenario("order-totals"));
  while (timeline.extend(0));
  const child = timeline.fork(0, 300, command("fail-task", "total[0]"));
  const { report, violations } = judged(timeline, child.id);
  const whole = runScenario(withFaults("order-totals", [{ at: { step: 300 }, do: "fail-task", target: "total[0]" }]), {
    checkInvariants: true,
  });
  expect(violations).toEqual([]);
  expect(report.invariants).toEqual(whole.report.invariants);
  expect(report.invariants.checked).toEqual(expect.arrayContaining(["INV-033", "INV-120"]));
  expect({ ...report, notices: [] }).toEqual({ ...whole.report, notices: [] });
});

test("a run that violates an invariant is told as far as that entry, though it was seen to its end", () => {
  const scenario = libraryScenario("order-totals");
  const timeline = new Timeline(scenario);
  Object.assign(timeline.tip(0).session.decisions, commitsAtBarrier);
  const { report, violations } = judged(timeline, 0);
  const whole = runScenario(scenario, { checkInvariants: true, defects: commitsAtBarrier });
  expect(violations.map(({ invariant }) => invariant)).toEqual(["INV-113"]);
  expect(violations).toEqual(whole.violations);
  expect(report).toEqual(whole.report);
  expect(timeline.tip(0).world.step).toBeGreaterThan(report.steps);
});

test("a branch whose parent keeps its entries no more is judged alike", () => {
  const conclusions = [false, true].map((released) => {
    const timeline = new Timeline(libraryScenario("order-totals"));
    judged(timeline, 0);
    if (released) timeline.release(0);
    expect(timeline.branches[0]!.log.isWhole).toBe(!released);
    const child = timeline.fork(0, 700, command("fail-task", "total[0]"));
    const own = judged(timeline, child.id);
    if (released) timeline.release(child.id);
    const grandchild = timeline.fork(child.id, 900, command("fail-task", "out[0]"));
    return [own, judged(timeline, grandchild.id)];
  });
  expect(conclusions[1]).toEqual(conclusions[0]);
});
