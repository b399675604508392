/** Faults that stand in the scenario: each an object that says when it acts and can be taken out. */
import { X } from "lucide-react";
import type { ReactElement } from "react";
import type { Fault, Moment } from "../../scenario/scenario.ts";
import { useController } from "../controller-context.ts";
import { commandName } from "../fault-name.ts";
import { instantName } from "../faults/instants.ts";
import { unplan } from "../faults/plan.ts";
import { clockTime } from "../format.ts";
import { useApp } from "../use-app.ts";
import type { enPlan } from "../text/en-plan.ts";
import { usePlanText } from "../text/plan-text.ts";
import { useText } from "../text/use-text.ts";

export function Planned(): ReactElement | null {
  const text = useText();
  const words = usePlanText();
  const controller = useController();
  const session = useApp((app) => app.session);
  const faults = session?.scenario.faults ?? [];
  if (faults.length === 0) return null;
  return (
    <section className="planned" aria-label={words.list}>
      <h3 className="small-title">{words.list}</h3>
      <ul>
        {faults.map((fault, index) => {
          const name = words.item(commandName(fault, text), momentWords(fault, words));
          return (
            <li key={name} className="planned-fault">
              <span aria-hidden>◇</span> {name}
              <button
                type="button"
                className="icon-button"
                aria-label={words.remove(name)}
                onClick={() => unplan(controller, index)}
              >
                <X aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function momentWords({ at: moment }: Fault, words: typeof enPlan): string {
  if (moment.kind === "time") return words.time(clockTime(moment.time));
  if (moment.kind === "step") return words.step(moment.step);
  return words.nth(patternWords(moment, words), moment.nth, moment.every === true);
}

function patternWords(moment: Extract<Moment, { event: unknown }>, words: typeof enPlan): string {
  const name = instantName(moment);
  return name === null ? words.pattern(moment.kind, moment.event) : words.instants[name];
}
