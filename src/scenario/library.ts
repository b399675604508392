/** The library: each scenario as a person would write it in a file. They go through the same parser as everyone's. */
import { linear } from "./library/linear.ts";
import { orderTotals } from "./library/order-totals.ts";
import { shuffle } from "./library/shuffle.ts";
import { twoLanes } from "./library/two-lanes.ts";

/** What is shown of a library scenario before it is opened. */
export interface LibraryScenario {
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
  readonly tags: readonly string[];
}

export const library: readonly LibraryScenario[] = [orderTotals, linear, shuffle, twoLanes];
