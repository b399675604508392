/** What a run of a comparison is called: by its mode, or as the branch that it is. */
import type { enCompare } from "../text/en-compare.ts";
import type { ComparedRun } from "./runs.ts";

type Words = typeof enCompare;

export function nameOfRun({ of, scenario }: ComparedRun, words: Words): string {
  return of.kind === "branch" ? of.name : words.name(of.id, scenario);
}

export function shortNameOf({ of }: ComparedRun, words: Words): string {
  return of.kind === "branch" ? of.name : words.short[of.id];
}

export function noteOf({ of }: ComparedRun, words: Words): string {
  return of.kind === "branch" ? "" : words.notes[of.id];
}
