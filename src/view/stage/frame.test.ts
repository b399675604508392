import fc from "fast-check";
import { type AnyStateMachine, setup } from "xstate";
import { describe, expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import { runScenario } from "../../engine/run.ts";
import { libraryScenario, withFaults } from "../../engine/testing/runs.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { Machine, machines } from "../../protocol/machines/all.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { PresentationClock } from "../clock.ts";
import { viewMachines } from "../machines/actors.ts";
import { createFollower } from "../machines/follower.ts";
import type { Scene } from "./frame-types.ts";
import { createFrames, frameAt } from "./frame.ts";
import { stageLayout } from "./layout.ts";
import { placeOf, progressOf } from "./motion.ts";

function played(scenario: Scenario): ReturnType<typeof runScenario> & { scenario: Scenario } {
  return { ...runScenario(scenario), scenario };
}

const failing = played(withFaults("order-totals", [{ at: { time: "1500 ms" }, do: "fail-task", target: "total[1]" }]));
const plain = played(libraryScenario("order-totals"));
/** All runs here are of one graph. */
const layout = await stageLayout(plain.graph, { width: 960, height: 560 });

/** The scene after a step, reached by one jump from the beginning. */
function jumped(
  { scenario, graph, log }: typeof plain,
  step: number,
  from: readonly AnyStateMachine[] = viewMachines,
): Scene {
  const view = initialView(scenario, graph);
  advance(view, log, step);
  return frameAt(view, createFollower(from).follow(log, view), view.clock, layout).scene;
}

/** Scenes after every step, played one by one. */
function* playing(
  { scenario, graph, log }: typeof plain,
  from: readonly AnyStateMachine[] = viewMachines,
): Generator<Scene> {
  const view = initialView(scenario, graph);
  const follower = createFollower(from);
  const frames = createFrames();
  follower.follow(log, view);
  for (let step = 0; step < log.length; step++) {
    advance(view, log, step);
    yield frames(view, follower.follow(log, view), view.clock, layout).scene;
  }
}

describe.each([
  ["a run without failures", plain],
  ["a run with a failed task", failing],
])("%s", (_name, run) => {
  test("scrubbing to a step and playing to it give the same scene", () => {
    let step = 0;
    for (const scene of playing(run)) {
      if (step % 23 === 0) expect(scene, `entry ${step}`).toEqual(jumped(run, step));
      step++;
    }
  });

  test("what has not changed from one step to the next is the same object", () => {
    let before: Scene | null = null;
    let shared = 0;
    let painted = 0;
    for (const scene of playing(run)) {
      if (before !== null) {
        for (const [index, subtask] of scene.subtasks.entries()) {
          if (subtask === before.subtasks[index]) shared++;
          else painted++;
        }
      }
      before = scene;
    }
    expect(shared).toBeGreaterThan(painted * 3);
  });

  test("every token is on its way between departure and arrival, and its place follows from the time alone", () => {
    const { graph, log, scenario } = run;
    const clock = new PresentationClock(graph, scenario.timing);
    clock.extend(log);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const moment = clock.momentAt(share * clock.total);
        for (const token of jumped(run, moment.step).tokens) {
          expect(token.arrival).toBeGreaterThanOrEqual(token.departure);
          const progress = progressOf(token, moment.clock);
          if (progress !== null) expect(progress).toBeGreaterThanOrEqual(0);
          if (progress !== null) expect(progress).toBeLessThanOrEqual(1);
          expect(placeOf(token, moment.clock)).toEqual(placeOf(structuredClone(token), moment.clock));
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** A machine with all the states of its table and no way out of the first. */
function stuck(machine: number): AnyStateMachine {
  const table = at(machines, machine);
  const states = Object.fromEntries(Object.keys(table.states).map((state) => [state, {}]));
  return setup({}).createMachine({ id: table.name, initial: table.initial, states });
}

function withStuck(machine: number): AnyStateMachine[] {
  return viewMachines.map((made, index) => (index === machine ? stuck(machine) : made));
}

test.each(Object.entries(Machine))(
  "a %s machine that is stuck in its first state gives another picture",
  (_name, machine) => {
    const right = playing(failing);
    let differs = false;
    for (const scene of playing(failing, withStuck(machine))) {
      const wanted = right.next().value as Scene;
      differs ||=
        JSON.stringify({ ...scene, layout: null, graph: null }) !==
        JSON.stringify({ ...wanted, layout: null, graph: null });
      if (differs) break;
    }
    expect(differs).toBe(true);
  },
);

/** The first scene of a run for which something holds. */
function firstScene(run: typeof plain, holds: (scene: Scene) => boolean): Scene {
  for (const scene of playing(run)) if (holds(scene)) return scene;
  throw new Error("no such scene");
}

test("CP-042: a channel whose barrier came early has a lock, and its receiver's ring counts the barriers", () => {
  const scene = firstScene(plain, ({ channels }) => channels.some(({ blocked }) => blocked !== null));
  const blocked = scene.channels.find((channel) => channel.blocked !== null);
  const receiver = scene.subtasks.find(({ name }) => name === blocked?.to);
  expect(receiver?.ring).toMatchObject({ checkpoint: blocked?.blocked, phase: "aligning", arrived: 1, expected: 2 });
});

test("CP-123: the candidate of a recovery moves to a checkpoint when it is completed, not when all have acknowledged", () => {
  const acknowledged = firstScene(plain, ({ jobManager: { current } }) =>
    current.some(({ acknowledged: count, expected }) => count === expected),
  );
  expect(acknowledged.storage.checkpoints.some(({ restoreCandidate }) => restoreCandidate)).toBe(false);
  const completed = firstScene(plain, ({ storage }) =>
    storage.checkpoints.some(({ look }) => look.label === "COMPLETED"),
  );
  expect(completed.storage.checkpoints.map(({ id, restoreCandidate }) => [id, restoreCandidate])).toEqual([[1, true]]);
});

test("SK-144: records are hatched until their transaction commits, and committed readers see none of them before", () => {
  const before = firstScene(plain, ({ outputs }) => outputs.some(({ cells }) => cells.length > 3));
  expect(before.outputs[0]).toMatchObject({ readers: [{ reader: "read_committed", sees: 0 }, {}], lastStable: 0 });
  expect(new Set(before.outputs[0]?.cells.map(({ fate }) => fate))).toEqual(new Set(["open"]));
  const after = firstScene(plain, ({ outputs }) => outputs.some(({ readers }) => (readers[0]?.sees ?? 0) > 0));
  expect(after.subtasks.flatMap(({ transactions }) => transactions.map(({ look }) => look.label))).toContain(
    "COMMITTED",
  );
});

test("FR-080: after a failure the JobManager counts down to the restart, and a dead task holds nothing", () => {
  const dead = firstScene(failing, ({ subtasks }) => subtasks.some((subtask) => subtask.dead));
  const died = dead.subtasks.find((subtask) => subtask.dead);
  expect(died).toMatchObject({ name: "total[1]", state: [], ring: null });
  expect(died?.look.label).toBe("RUNNING");
  const waiting = firstScene(failing, ({ jobManager }) => jobManager.restart !== null);
  expect(waiting.jobManager.look.label).toBe("RESTARTING");
  expect((waiting.jobManager.restart?.to ?? 0) - (waiting.jobManager.restart?.from ?? 0)).toBe(1000);
});

test("replayed records carry how many times they have been sent", () => {
  const scene = firstScene(failing, ({ tokens }) => tokens.some(({ kind, pass }) => kind === "record" && pass === 2));
  expect(
    scene.inputs.every(({ position, restorePosition }) => restorePosition !== null && position >= restorePosition),
  ).toBe(true);
});
