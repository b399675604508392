/** How long the log still waits for a transaction, as the stage shows it. */
import { expect, test } from "vitest";
import { at } from "../../../base/assert.ts";
import { runScenario } from "../../../engine/run.ts";
import { withFaults } from "../../../engine/testing/runs.ts";
import { Story } from "../../../engine/testing/stories.ts";
import { advance, initialView } from "../../../projection/fold.ts";
import { createFollower } from "../../machines/follower.ts";
import { frameAt } from "../frame.ts";
import { laterWith } from "../frame-later.ts";
import type { TransactionFrame } from "../frame-types.ts";
import { stageLayout } from "../layout.ts";
import { legendOf } from "./legend.ts";
import { remaining } from "./timeout.ts";

const TIMEOUT = 3000;

type Json = { [key: string]: unknown };

/** Checkpoint 2 never completes, so what was pre-committed for it waits until the log gives it up. */
const scenario = withFaults(
  "order-totals",
  [{ at: { after: "CheckpointTriggered", checkpoint: 2 }, do: "lose-rpc", rpc: "ack", target: "total[1]" }],
  (source) => {
    for (const vertex of (source["job"] as { vertices: Json[] }).vertices)
      if (vertex["uid"] === "out") vertex["properties"] = { "transaction.timeout.ms": `${TIMEOUT} ms` };
    source["broker"] = { "transaction.abort.timed.out.transaction.cleanup.interval.ms": "500 ms" };
  },
);
const done = runScenario(scenario);
const story = new Story(done);
const layout = await stageLayout(done.graph, { width: 1060, height: 560 });

function shownAt(step: number): {
  readonly transactions: readonly TransactionFrame[];
  readonly legend: readonly string[];
} {
  const view = initialView(scenario, done.graph);
  advance(view, done.log, step);
  const states = createFollower().follow(done.log, view);
  const { scene } = frameAt(
    view,
    states,
    view.clock,
    layout,
    laterWith(() => []),
  );
  return { transactions: scene.subtasks.flatMap(({ transactions }) => transactions), legend: legendOf(scene) };
}

const given = story.first("TransactionTimedOut");
const name = given["transaction"] as string;
const shown = (step: number): TransactionFrame =>
  at(
    shownAt(step).transactions.filter((each) => each.name === name),
    0,
  );

test("KF-013: the clock of a transaction runs from its first record, as long as it is not decided", () => {
  const begun = story.first("TransactionBegun", { transaction: name });
  const written = story.all("RecordWritten").filter(({ step, clock }) => step > begun.step && clock >= begun.clock);
  const first = at(written, 0);
  expect(shown(begun.step).clock).toBeNull();
  expect(shown(first.step - 1).clock).toBeNull();
  expect(shown(first.step).clock).toEqual({ from: first.clock, to: first.clock + TIMEOUT });
  const kept = story.first("TransactionPreCommitted", { transaction: name });
  expect(shown(kept.step).clock).toEqual({ from: first.clock, to: first.clock + TIMEOUT });
  // The log looks now and then, so it gives up a little later.
  expect(given.clock).toBeGreaterThanOrEqual(first.clock + TIMEOUT);
  expect(shown(given.step).clock).toBeNull();
  expect(shownAt(kept.step).legend).toContain("timeout");
});

test("its arc shrinks from whole to nothing with simulated time, and its number counts whole seconds", () => {
  const clock = { from: 1000, to: 4000 };
  const at_ = (time: number, still = false): readonly [number, number] => {
    const { share, left } = remaining(clock, time, still);
    return [Number(share.toFixed(3)), left];
  };
  expect([1000, 1300, 2500, 3999, 4000, 9000].map((time) => at_(time))).toEqual([
    [1, 3000],
    [0.9, 3000],
    [0.5, 2000],
    [0, 1000],
    [0, 0],
    [0, 0],
  ]);
});

test("without motion the arc stands between two seconds, and jumps with the number", () => {
  const clock = { from: 0, to: 4000 };
  const shares = [1, 300, 999, 1001, 1999, 4000].map((time) => remaining(clock, time, true).share);
  expect(shares).toEqual([1, 1, 1, 0.75, 0.75, 0]);
});
