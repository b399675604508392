/** How bad a verdict is. */
import { type VerdictWord, verdictWords } from "../scenario/report.ts";

/** Larger is worse; `pending` lies between what is right and what is not. */
export function severity(word: VerdictWord): number {
  return word === "pending" ? verdictWords.indexOf("effectively-once") + 0.5 : verdictWords.indexOf(word);
}

/** Is anything lost or doubled, for a reader or in state, or can it not be told? */
export function isHarmful({ verdict, state }: { readonly verdict: VerdictWord; readonly state: VerdictWord }): boolean {
  return Math.max(severity(verdict), severity(state)) > severity("effectively-once");
}
