/** Forks keep prefixes, and whoever forks changes nothing that has been: random forks of random forks of random jobs. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import type { EventLog } from "../protocol/log.ts";
import { traceLines } from "../protocol/trace.ts";
import { runScenario } from "./run.ts";
import { Draw, randomCommand } from "./testing/random-jobs.ts";
import { randomScenario } from "./testing/random-scenario.ts";
import { command } from "./testing/runs.ts";
import { Timeline } from "./timeline.ts";

const JOBS = process.env["BARRIERSCOPE_LONG"] === "1" ? 100 : 4;
const FORKS = 4;

function toEnd(timeline: Timeline, branch: number): void {
  while (timeline.extend(branch));
}

function linesOf(timeline: Timeline, log: EventLog): string[] {
  return [...traceLines(timeline.tip(0).session.plan.graph, log)];
}

/** The drawn forks of a job, each of a branch that was there before it; all played to their ends. */
function forked(number: number, wayward: boolean): Timeline {
  const draw = new Draw(number);
  const timeline = new Timeline(randomScenario(number));
  const { graph } = timeline.tip(0).session.plan;
  toEnd(timeline, 0);
  for (let i = 0; i < FORKS; i++) {
    const parent = draw.upTo(timeline.branches.length);
    const step = draw.upTo(at(timeline.branches, parent).log.length + 1);
    const child = timeline.fork(parent, step, randomCommand(draw, graph));
    if (wayward) timeline.dropKeyframes();
    toEnd(timeline, child.id);
  }
  return timeline;
}

describe("forks of random jobs", () => {
  test.each(Array.from({ length: JOBS }, (_, number) => number + 1))("job %i", (number) => {
    const timeline = forked(number, false);
    const first = runScenario(randomScenario(number), { checkInvariants: false });
    const logs = timeline.branches.map(({ log }) => linesOf(timeline, log));
    expect(logs[0]).toEqual([...traceLines(first.graph, first.log)]);
    for (const { id, parent, step } of timeline.branches) {
      if (parent === null) continue;
      expect(at(logs, id).slice(0, step), `branch ${id} of ${parent} at ${step}`).toEqual(
        at(logs, parent).slice(0, step),
      );
    }
    const again = forked(number, true);
    expect(again.branches.map(({ log }) => linesOf(again, log))).toEqual(logs);
  });

  test("a fork is another run from its step on where its command does something", () => {
    const timeline = new Timeline(randomScenario(1));
    toEnd(timeline, 0);
    const { log } = at(timeline.branches, 0);
    const step = Math.floor(log.length / 2);
    const { name } = at(timeline.tip(0).session.plan.graph.subtasks, 0);
    const child = timeline.fork(0, step, command("fail-task", name));
    toEnd(timeline, child.id);
    expect(linesOf(timeline, child.log).slice(step)).not.toEqual(linesOf(timeline, log).slice(step));
  });
});
