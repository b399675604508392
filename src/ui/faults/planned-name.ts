/** What a planned fault is called: what it does, and when. */
import type { Fault, Moment } from "../../scenario/scenario.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import type { Text } from "../text/en.ts";
import type { enPlan } from "../text/en-plan.ts";
import { instantName } from "./instants.ts";

/** `fail out[0] after pre-commit, before the ack, every time with 30 %`. */
export function plannedName(fault: Fault, text: Text, words: typeof enPlan): string {
  return words.item(commandName(fault, text), momentWords(fault, words));
}

function momentWords({ at: moment }: Fault, words: typeof enPlan): string {
  if (moment.kind === "time") return words.time(clockTime(moment.time));
  if (moment.kind === "step") return words.step(moment.step);
  return words.nth(patternWords(moment, words), moment.nth, moment.every === true, moment.probability ?? null);
}

function patternWords(moment: Extract<Moment, { event: unknown }>, words: typeof enPlan): string {
  const name = instantName(moment);
  return name === null ? words.pattern(moment.kind, moment.event) : words.instants[name];
}
