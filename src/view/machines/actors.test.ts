import { describe, expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { withFaults } from "../../engine/testing/runs.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { library } from "../../scenario/library.ts";
import { Actors } from "./actors.ts";
import { createFollower, MOVES_MAX } from "./follower.ts";
import { type Seat, seatsOf } from "./seat.ts";

/** Failures that reach most edges of the tables: a task, a process, a lost message, a transaction that times out. */
const faults = [
  { at: { time: "700 ms" }, do: "fail-task", target: "" },
  { at: { time: "2500 ms" }, do: "kill-taskmanager", target: "tm-1" },
  { at: { time: "4 s" }, do: "restart-taskmanager", target: "tm-1" },
];

function runOf(id: string): ReturnType<typeof runScenario> & { scenario: ReturnType<typeof withFaults> } {
  const first = library.find((entry) => entry.id === id)?.source["job"] as { vertices: { uid: string }[] };
  const target = `${first.vertices[1]?.uid ?? ""}[0]`;
  const scenario = withFaults(
    id,
    faults.map((fault) => (fault.target === "" ? { ...fault, target } : fault)),
  );
  return { ...runScenario(scenario), scenario };
}

function byInstance(seats: readonly Seat[]): Record<string, string> {
  return Object.fromEntries(seats.map(({ machine, instance, state }) => [`${machine}/${instance}`, state]));
}

describe.each(library.map(({ id }) => id))("%s with failures", (id) => {
  const { scenario, graph, log } = runOf(id);

  test("re-seating equals replaying, after every entry", () => {
    const view = initialView(scenario, graph);
    const actors = new Actors(graph);
    actors.seat(seatsOf(view));
    for (let step = 0; step < log.length; step++) {
      advance(view, log, step);
      actors.take(log, step);
      expect(byInstance(actors.seats()), `entry ${step}`).toEqual(byInstance(seatsOf(view)));
    }
  });

  test("a jump of any width leads to the same states as playing", () => {
    const view = initialView(scenario, graph);
    const follower = createFollower();
    for (const step of [0, 1, 5, 300, 301, log.length - 1]) {
      if (step >= log.length) continue;
      advance(view, log, step);
      const states = follower.follow(log, view);
      for (const { index } of graph.subtasks) expect(states.task(index)).toBe(view.subtasks[index]?.state);
      expect(states.job()).toBe(view.job.status);
      for (const { id: checkpoint, state } of view.checkpoints.slice(-4))
        expect(states.checkpoint(checkpoint)).toBe(state);
    }
  });
});

test("what a frame has no time to play is a jump", () => {
  expect(MOVES_MAX).toBe(200);
});
