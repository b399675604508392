/** Views of branches and of long logs. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { advance as drawn, below, stream } from "../base/prng.ts";
import { command, libraryScenario } from "../engine/testing/runs.ts";
import { Timeline } from "../engine/timeline.ts";
import { EventLog } from "../protocol/log.ts";
import { advance, initialView } from "./fold.ts";
import { Views } from "./keyframes.ts";
import { plain } from "./testing/plain.ts";
import type { RunView } from "./views.ts";

const scenario = libraryScenario("order-totals");
const timeline = new Timeline(scenario);
while (timeline.extend(0));
const { log } = at(timeline.branches, 0);
const { graph } = timeline.tip(0).session.plan;
const commands = timeline.tip(0).session.commands;
const start = (): RunView => initialView(scenario, graph, commands);

function folded(of: EventLog, step: number): unknown {
  const view = start();
  advance(view, of, step);
  return plain(view);
}

describe("a branch", () => {
  const fork = timeline.fork(0, 700, command("fail-task", "total[1]"));
  while (timeline.extend(fork.id));
  const child = at(timeline.branches, fork.id).log;

  test("shares its parent's views, then goes its own way, and neither disturbs the other", () => {
    const parent = new Views(log, start());
    const branch = new Views(child, parent);
    let state = stream(11, "branch");
    for (let i = 0; i < 40; i++) {
      const step = below((state = drawn(state)), log.length);
      expect(plain(parent.viewAt(step))).toEqual(folded(log, step));
      const other = below((state = drawn(state)), child.length);
      expect(plain(branch.viewAt(other))).toEqual(folded(child, other));
    }
  });

  test("two cursors in the shared past are two views", () => {
    const parent = new Views(log, start());
    const branch = new Views(child, parent);
    const [here, there] = [parent.viewAt(300), branch.viewAt(200)];
    expect([here.step, there.step]).toEqual([300, 200]);
    branch.viewAt(500);
    expect(plain(here)).toEqual(folded(log, 300));
  });

  test("a branch of a branch begins where its own log does", () => {
    const fork2 = timeline.fork(fork.id, 900, command("fail-task", "out[0]"));
    while (timeline.extend(fork2.id));
    const grandchild = at(timeline.branches, fork2.id).log;
    const views = new Views(grandchild, new Views(child, new Views(log, start())));
    for (const step of [899, 900, 650, 1200, 100]) expect(plain(views.viewAt(step))).toEqual(folded(grandchild, step));
  });
});

describe("keyframes", () => {
  test("a log may grow after its views have been looked at", () => {
    const growing = new EventLog();
    const views = new Views(growing, start());
    expect(views.viewAt(-1).step).toBe(-1);
    for (let from = 0; from < log.length; from += 333) {
      const chunk = log.chunk(from);
      const until = Math.min(log.length, from + 333);
      growing.appendChunk(chunk);
      if (until < log.length) growing.truncate(until);
      expect(plain(views.viewAt(until - 1))).toEqual(folded(log, until - 1));
    }
  });

  test("a further cursor is disturbed by nobody", () => {
    const views = new Views(log, start());
    const other = views.cursor();
    const here = other.viewAt(900);
    views.viewAt(1200);
    new Views(new EventLog(log, 1000), views).viewAt(999);
    expect(plain(here)).toEqual(folded(log, 900));
    expect(plain(other.viewAt(700))).toEqual(folded(log, 700));
  });

  test("preparing folds the log in pieces, and changes no view", () => {
    const views = new Views(log, start());
    views.viewAt(10);
    while (!views.prepare(600));
    for (const step of [5, 1100, 700]) expect(plain(views.viewAt(step))).toEqual(folded(log, step));
  });
});

test("folded ahead in pieces of any size, and by others meanwhile, a run looks the same everywhere", () => {
  const views = new Views(log, start());
  let state = stream(5, "pieces");
  for (let done = false; !done;) {
    done = views.prepare(1 + below((state = drawn(state)), 90));
    const step = below((state = drawn(state)), log.length);
    expect(views.viewAt(step).step).toBe(step);
  }
  for (const step of [5, 511, 512, 513, 1100, log.length - 1])
    expect(plain(views.viewAt(step))).toEqual(folded(log, step));
});
