/** When a fault is to act, as a person chooses it. */
import type { Instant } from "./instants.ts";

/** `instant` `null`: now. `percent`, as typed: each time with that probability; `null`: each time. */
export interface When {
  readonly instant: Instant | null;
  readonly every: boolean;
  readonly percent: string | null;
}

export const now: When = { instant: null, every: false, percent: null };

/** As the scenario has it; `null`: it acts whenever its instant comes. */
export function probabilityOf({ percent }: Pick<When, "percent">): number | null {
  return percent === null ? null : Number(percent) / 100;
}

/** Is what is typed no probability? */
export function isWrong({ percent }: Pick<When, "percent">): boolean {
  if (percent === null) return false;
  const value = Number(percent);
  return percent.trim() === "" || !(value > 0 && value <= 100);
}
