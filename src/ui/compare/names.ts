/** What a run of a comparison is called: by its mode, or as the branch or the saved run that it is. */
import type { enCompare } from "../text/en-compare.ts";
import type { ComparedRun } from "./runs.ts";

type Words = typeof enCompare;

export function nameOfRun({ of, scenario }: ComparedRun, words: Words): string {
  return of.kind === "variant" ? words.name(of.id, scenario) : of.name;
}

export function shortNameOf({ of }: ComparedRun, words: Words): string {
  return of.kind === "variant" ? words.short[of.id] : of.name;
}

export function noteOf({ of }: ComparedRun, words: Words): string {
  return of.kind === "variant" ? words.notes[of.id] : "";
}
