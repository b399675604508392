import { beforeEach, expect, test, vi } from "vitest";
import { runScenario } from "../engine/run.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { library } from "../scenario/library.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import { isStaged } from "../view/movement-times.ts";
import type { BranchRun } from "./store.ts";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
const { AUTO_STEP, Paces, nextStill } = await import("./paces.ts");
const { played } = await import("./playing.ts");
const { Player } = await import("./player.ts");
const { Run } = await import("./run.ts");
const { defaultSettings } = await import("./settings.ts");
const { appStore } = await import("./store.ts");

function branch(): BranchRun {
  const read = scenarioFrom(library.find(({ id }) => id === "orders")?.source ?? {});
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const graph = executionGraph(read.value);
  const run = new Run({ graph, scenario: read.value, parent: null, base: 0, commands: [] });
  run.append(runScenario(read.value).log.chunk(0));
  const made = { id: 0, parent: null, step: 0, command: null };
  const told = { report: null, violation: null, judged: 0, paused: false, name: null, removed: false };
  return { branch: made, run, length: run.log.length, ...told };
}

const given = branch();
const staged = Array.from({ length: given.length }, (_, step) => step).filter(
  (step) => isStaged[given.run.log.type(step)],
);

/** The staged entries at which the cursor stands in some frame, from the begin to the end. */
function shown(next: (presentation: number) => number): number[] {
  const { clock, log } = given.run;
  const seen = new Set<number>([0]);
  for (let presentation = 0; presentation < clock.total;) {
    presentation = played({ clock, loop: null, stop: () => null }, presentation, next(presentation)).presentation;
    seen.add(clock.stepAt(presentation));
  }
  return [...seen].filter((step) => isStaged[log.type(step)]);
}

const next = (paces: InstanceType<typeof Paces>, branch: BranchRun, presentation: number, elapsed: number): number =>
  paces.play(branch, presentation, elapsed).presentation;

beforeEach(() => appStore.setState({ settings: defaultSettings, playback: "playing" }));

test("with and without motion the same events are shown, in the same order", () => {
  // Slow enough for a frame between any two that are staged at one instant.
  const sliding = shown((presentation) => presentation + 0.2);
  const still = shown((presentation) => nextStill(given, presentation));
  expect(still).toEqual(staged);
  expect(sliding).toEqual(still);
});

test("reduced: one event in 1.2 s at 1x, two at 2x, and nothing between", () => {
  appStore.setState({ settings: { ...defaultSettings, motion: "reduced" } });
  const paces = new Paces(new Player());
  expect(next(paces, given, 0, AUTO_STEP - 1)).toBe(0);
  const first = next(paces, given, 0, 1);
  expect(given.run.clock.stepAt(first)).toBe(staged.find((step) => step > 0));
  appStore.setState({ settings: { ...defaultSettings, motion: "reduced", speed: 2 } });
  expect(next(paces, given, first, AUTO_STEP / 2 - 1)).toBe(first);
  expect(next(paces, given, first, 1)).toBeGreaterThan(first);
});

test("full motion slides, whatever the system asks; at max the state changes ten times a second", () => {
  const paces = new Paces(new Player());
  expect(next(paces, given, 0, 16)).toBe(16);
  appStore.setState({ settings: { ...defaultSettings, speed: "max" } });
  expect(next(paces, given, 0, 60)).toBe(0);
  expect(next(paces, given, 0, 40)).toBeCloseTo(given.run.clock.total / 30, 6);
});
