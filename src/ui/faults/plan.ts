/**
 * Faults that wait for an instant. They stand in the scenario, after what was decided on the way to the cursor: what has
 * happened so far happens again, and the fault acts when its instant next comes.
 */
import { faultText } from "../../scenario/exploration.ts";
import { commandText } from "../../scenario/command-text.ts";
import { parseScenario } from "../../scenario/parse.ts";
import type { Command } from "../../scenario/scenario.ts";
import type { Controller } from "../controller.ts";
import { decisionsOf } from "../link.ts";
import { prettyJson } from "../pretty-json.ts";
import { type Session, appStore, branchOf } from "../store.ts";
import { type Instant, passed } from "./instants.ts";

interface Written {
  readonly faults?: readonly Json[];
}

type Json = { readonly [key: string]: unknown };

/** Once or every time; with a probability: each time by chance. */
export interface Again {
  readonly every: boolean;
  readonly probability: number | null;
}

export function againText({ every, probability }: Again): { readonly every?: true; readonly probability?: number } {
  return { ...(every && { every }), ...(every && probability !== null && { probability }) };
}

/** Plans a command for the next time that an instant comes, or for every time from then on. */
export function plan(controller: Controller, command: Command, instant: Instant, { every, probability }: Again): void {
  const app = appStore.getState();
  const branch = branchOf(app);
  if (app.session === null || branch === null) return;
  const { kind, event, match } = instant;
  const nth = passed(branch.run, instant, app.step) + 1;
  const at = { [kind]: event, ...match, ...(nth > 1 && { nth }), ...againText({ every, probability }) };
  const decided = decisionsOf(app.session, app.branch).map(faultText);
  reopen(
    controller,
    app.session,
    (faults) => [...faults, ...decided, { at, ...commandText(command) }],
    decided.length + 1,
  );
}

/** Takes one of the scenario's faults out again. */
export function unplan(controller: Controller, index: number): void {
  const { session } = appStore.getState();
  if (session !== null) reopen(controller, session, (faults) => faults.filter((_, place) => place !== index), -1);
}

/** The scenario's faults as it writes them. */
export function writtenFaults({ text }: Session): readonly Json[] {
  return (JSON.parse(text) as Written).faults ?? [];
}

/** What the scenario's reader says of it with another fault in the place of one. */
export function readPlan(session: Session, index: number, fault: Json): ReturnType<typeof parseScenario> {
  return parseScenario(withFaults(session, (faults) => faults.with(index, fault)));
}

/** Puts a changed fault in the place of one. */
export function replan(controller: Controller, index: number, fault: Json): void {
  const { session } = appStore.getState();
  if (session !== null) reopen(controller, session, (faults) => faults.with(index, fault), 0);
}

type Change = (faults: readonly Json[]) => readonly Json[];

function withFaults(session: Session, change: Change): string {
  return prettyJson({ ...(JSON.parse(session.text) as Written), faults: change(writtenFaults(session)) });
}

function reopen(controller: Controller, session: Session, change: Change, more: number): void {
  const text = withFaults(session, change);
  const parsed = parseScenario(text);
  if (!parsed.ok) {
    appStore.setState({ refused: { name: session.scenario.id, text, problems: parsed.problems }, menu: null });
    return;
  }
  const planned = Math.max(0, session.planned + more);
  const { step } = appStore.getState();
  appStore.setState({ menu: null });
  controller.open({ scenario: parsed.value, text, library: null, planned }, { keepTime: false, play: false, step });
}
