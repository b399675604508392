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
  readonly faults?: readonly unknown[];
}

/** Plans a command for the next time that an instant comes, or for every time from then on. */
export function plan(controller: Controller, command: Command, instant: Instant, every: boolean): void {
  const app = appStore.getState();
  const branch = branchOf(app);
  if (app.session === null || branch === null) return;
  const { kind, event, match } = instant;
  const nth = passed(branch.run, instant, app.step) + 1;
  const at = { [kind]: event, ...match, ...(nth > 1 && { nth }), ...(every && { every }) };
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

function reopen(
  controller: Controller,
  session: Session,
  change: (faults: readonly unknown[]) => readonly unknown[],
  more: number,
): void {
  const document = JSON.parse(session.text) as Written;
  const text = prettyJson({ ...document, faults: change(document.faults ?? []) });
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
