import { expect, test } from "vitest";
import { sharedEntries } from "./branches.ts";
import type { BranchRun } from "./store.ts";

function branch(id: number, parent: number | null, step: number, length: number): BranchRun {
  return { branch: { id, parent, step, command: null }, length, report: null, violation: null } as unknown as BranchRun;
}

const branches = [branch(0, null, 0, 100), branch(1, 0, 40, 90), branch(2, 0, 60, 90), branch(3, 1, 70, 95)];

test("a branch shares with its parent what lies before the fork", () => {
  expect(sharedEntries(branches, 0, 1)).toBe(40);
  expect(sharedEntries(branches, 1, 0)).toBe(40);
  expect(sharedEntries(branches, 3, 1)).toBe(70);
});

test("two branches share what lies before the earlier of their ways out of a common ancestor", () => {
  expect(sharedEntries(branches, 1, 2)).toBe(40);
  expect(sharedEntries(branches, 3, 2)).toBe(40);
  expect(sharedEntries(branches, 3, 0)).toBe(40);
});
