import { beforeEach, expect, test } from "vitest";
import { libraryScenario } from "../engine/testing/runs.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import type { Branch } from "../worker/port.ts";
import { bringBack, removeBranch, renameBranch, withDescendants } from "./branch-edits.ts";
import { Run } from "./run.ts";
import { type BranchRun, type Session, appStore } from "./store.ts";

const parents = [null, 0, 1, 0, 2];
const shownNow: number[] = [];
const show = (id: number): unknown => shownNow.push(id);
const scenario = libraryScenario("linear");

function session(): Session {
  const graph = executionGraph(scenario);
  const branches = parents.map((parent, id): BranchRun => {
    const branch: Branch = { id, parent, step: 0, command: null };
    const run = new Run({ graph, scenario, parent: null, base: 0, commands: [] });
    return {
      branch,
      run,
      length: 0,
      report: null,
      violation: null,
      name: null,
      judged: 0,
      paused: false,
      removed: false,
    };
  });
  return { number: 1, scenario, text: "{}", library: null, planned: 0, graph, commands: [], branches };
}
const removed = (): number[] =>
  (appStore.getState().session?.branches ?? []).flatMap(({ branch, removed: gone }) => (gone ? [branch.id] : []));

beforeEach(() => {
  shownNow.length = 0;
  appStore.setState({ session: session(), branch: 4 });
});

test("a name is kept, cut at 80 characters, and an empty one gives the old one back", () => {
  renameBranch(2, "  the night of the 4th ");
  expect(appStore.getState().session?.branches[2]?.name).toBe("the night of the 4th");
  renameBranch(2, "x".repeat(200));
  expect(appStore.getState().session?.branches[2]?.name).toHaveLength(80);
  renameBranch(2, " ");
  expect(appStore.getState().session?.branches[2]?.name).toBeNull();
});

test("a branch is deleted with all that branch off from it, its parent is shown, and it comes back", () => {
  expect([...withDescendants(session(), 1)]).toEqual([1, 2, 4]);
  const gone = removeBranch(show, 1);
  expect(removed()).toEqual([1, 2, 4]);
  expect(shownNow).toEqual([0]);
  bringBack(gone);
  expect(removed()).toEqual([]);
});

test("what was deleted before does not come back with it, and the run itself is never deleted", () => {
  removeBranch(show, 2);
  const later = removeBranch(show, 1);
  bringBack(later);
  expect(removed()).toEqual([2, 4]);
  expect(removeBranch(show, 0).size).toBe(0);
});
