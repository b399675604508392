/** What a crash in a window comes to: asked at its beginning and at its end, and told once where both are alike. */
import type { CrashWindow } from "../../projection/windows.ts";
import type { Landing } from "../../scenario/exploration.ts";
import { outcomeOfLanding } from "../crash/landing.ts";
import type { CrashState } from "../crash/crash-drag.ts";

export interface Answers extends Pick<CrashState, "state" | "message" | "survey" | "landings"> {
  /** Forks with the failure behind that entry. */
  readonly crash: (step: number) => void;
}

export interface Answer {
  /** The last entry before the failure. */
  readonly step: number;
  /** `null`: it is not known yet. */
  readonly landing: Landing | null;
}

/** The entries behind which a crash is asked about. */
export function placesOf({ from, to }: CrashWindow): number[] {
  return from.step === to.step - 1 ? [from.step] : [from.step, to.step - 1];
}

/** One answer, or two that differ; none where no failure can strike any more. */
export function answersOf(window: CrashWindow, { survey, landings }: Answers): Answer[] {
  const possible = placesOf(window).filter((step) => survey === null || canStrike(survey, step));
  const answers = possible.map((step) => ({ step, landing: landings.get(step) ?? null }));
  const [first, last] = answers;
  return first !== undefined && last !== undefined && alike(first, last) ? [first] : answers;
}

function canStrike({ from, length }: NonNullable<CrashState["survey"]>, step: number): boolean {
  return step >= Math.max(0, from - 1) && step <= length - 2;
}

function alike({ landing: one }: Answer, { landing: other }: Answer): boolean {
  if (one === null || other === null) return one === other;
  return outcomeOfLanding(one) === outcomeOfLanding(other) && told(one) === told(other);
}

function told({ lost, duplicated, flags }: Landing): string {
  return JSON.stringify([lost, duplicated, flags]);
}
