import { expect, test, vi } from "vitest";
import { runScenario } from "../engine/run.ts";
import type { LogChunk } from "../protocol/log.ts";
import { library } from "../scenario/library.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { BranchRun, Session } from "./store.ts";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
const { Player } = await import("./player.ts");
const { playhead } = await import("./playhead.ts");
const { Run } = await import("./run.ts");
const { appStore } = await import("./store.ts");

const read = scenarioFrom(library.find(({ id }) => id === "orders")?.source ?? {});
if (!read.ok) throw new Error(JSON.stringify(read.problems));
const scenario = read.value;
const { graph, log } = runScenario(scenario);

/** What arrives before entry `cut`. */
function until(cut: number): LogChunk {
  const [whole, rest] = [log.chunk(0), log.chunk(cut)];
  return {
    from: 0,
    rows: whole.rows.slice(0, whole.rows.length - rest.rows.length),
    pool: whole.pool.slice(0, whole.pool.length - rest.pool.length),
  };
}

/** Shows a branch of which the entries before `cut` are there. */
function shown(cut: number): BranchRun {
  const run = new Run({ graph, scenario, parent: null, base: 0, commands: [] });
  run.append(until(cut));
  const made = { id: 0, parent: null, step: 0, command: null };
  const told = { report: null, violation: null, judged: 0, paused: true, name: null, removed: false };
  const branch = { branch: made, run, length: run.log.length, ...told };
  const job = { scenario, text: "", library: null, planned: 0, graph, commands: [] };
  const session: Session = { ...job, number: 1, branches: [branch] };
  appStore.setState({ session, branch: 0, step: 0 });
  return branch;
}

/** The rest of it arrives. */
function grow({ run, ...told }: BranchRun, cut: number): void {
  run.append(log.chunk(cut));
  appStore.setState(({ session }) => ({
    session: session === null ? null : { ...session, branches: [{ ...told, run, length: run.log.length }] },
  }));
}

test("who stands at the end of what has been computed stands at the same event when more of its instant arrives", () => {
  const within = Array.from({ length: log.length - 1 }, (_, before) => before + 1).filter(
    (cut) => log.clock(cut) === log.clock(cut - 1),
  );
  let moved = 0;
  for (const cut of within) {
    const player = new Player();
    const branch = shown(cut);
    player.seek(cut - 1);
    grow(branch, cut);
    const { clock } = branch.run;
    if (clock.stepAt(playhead.getState().presentation) !== cut - 1) moved++;
    player.grown();
    expect(appStore.getState().step).toBe(cut - 1);
    expect(clock.momentAt(playhead.getState().presentation)).toEqual({ step: cut - 1, clock: log.clock(cut - 1) });
  }
  // An instant of many events is laid out closer together as they arrive.
  expect(moved).toBeGreaterThan(0);
});
