/** What the keys and buttons of breakpoints, loops and running do. */
import { isAbout, isEntryElement } from "../../projection/entry-elements.ts";
import { changeSettings } from "../app-actions.ts";
import type { Controller } from "../controller.ts";
import { elementName } from "../element-name.ts";
import { appStore, branchOf } from "../store.ts";
import { stopsText } from "../text/stops-text.ts";
import { currentText } from "../text/use-text.ts";
import { add, breakpointStore, conditionAt, nearestHit, remove, sameCondition } from "./breakpoints.ts";
import { nameOfCondition } from "./condition-name.ts";

/** Makes the player stop at breakpoints and say so. */
export function install({ player }: Controller): void {
  player.breakpoint = ({ run }, from, to) => {
    const hit = nearestHit(run, from, 1);
    if (hit === null || hit.step > to) return null;
    appStore.setState({ stopped: { step: hit.step, words: stopsText().stoppedAt(nameOfCondition(hit.breakpoint)) } });
    return hit.step;
  };
}

function say(controller: Controller, words: string): void {
  controller.announce({ says: "words", words });
}

/** Sets a breakpoint for what is at the cursor, or takes it away. */
export function toggleHere(controller: Controller): void {
  const { step, selection } = appStore.getState();
  const branch = branchOf(appStore.getState());
  if (branch === null || branch.length === 0) return;
  const condition = conditionAt(branch.run, step, selection);
  const there = breakpointStore.getState().list.find((each) => sameCondition(each, condition));
  const name = nameOfCondition(condition);
  if (there === undefined) add(condition);
  else remove(there.id);
  changeSettings({ dock: "stops" });
  say(controller, there === undefined ? stopsText().added(name) : stopsText().removed(name));
}

/** Goes to the next hit of any breakpoint, or to the one before. */
export function toHit(controller: Controller, direction: 1 | -1): void {
  const branch = branchOf(appStore.getState());
  const hit = branch === null ? null : nearestHit(branch.run, appStore.getState().step, direction);
  if (hit === null) say(controller, stopsText().noHit);
  else {
    controller.goTo(hit.step);
    appStore.setState({ stopped: { step: hit.step, words: stopsText().stoppedAt(nameOfCondition(hit.breakpoint)) } });
  }
}

/** Runs to the next entry that is about the selected element. */
export function runToSelected(controller: Controller): void {
  const { step, selection } = appStore.getState();
  const branch = branchOf(appStore.getState());
  if (branch === null || selection === null || !isEntryElement(selection)) {
    controller.announce({ says: "selectFirst" });
    return;
  }
  const { run, length } = branch;
  for (let next = step + 1; next < length; next++) {
    if (!isAbout(run.jobs.at(next).graph, run.log, next, selection)) continue;
    controller.player.runTo(next);
    return;
  }
  say(controller, stopsText().nothingMoreOf(elementName(run.jobs.at(step).graph, selection, currentText())));
}

/** Lets a loop begin or end at the cursor. */
export function loopEdge(controller: Controller, edge: "from" | "to"): void {
  const { step, loop } = appStore.getState();
  const last = Math.max(0, (branchOf(appStore.getState())?.length ?? 1) - 1);
  const { from, to } = loop ?? { from: 0, to: last };
  const next = edge === "from" ? { from: step, to: Math.max(step, to) } : { from: Math.min(step, from), to: step };
  // A loop that would be turned round begins or ends at the run's own edge.
  setLoop(controller, edge === "from" && step > to ? { from: step, to: last } : next);
}

export function setLoop(controller: Controller, loop: { readonly from: number; readonly to: number } | null): void {
  appStore.setState({ loop });
  say(controller, loop === null ? stopsText().loopOff : stopsText().looping(loop.from, loop.to));
}
