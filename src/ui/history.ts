/**
 * Undo and redo. What was decided made a branch: undone is to go back to its parent, done again to go to the branch, which
 * is still there. What was changed in the scenario (configuration, delivery, planned faults) made a new session: the one
 * before is made again, with all that was decided in it.
 */
import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import type { BranchId } from "../worker/port.ts";
import type { Controller } from "./controller.ts";
import { fetched } from "./fetched.ts";
import { type Fork, type OpenOptions, forksOf } from "./link.ts";
import { type App, appStore, branchOf } from "./store.ts";

/** All that makes a session again, and where the cursor stood. */
interface Kept {
  readonly options: OpenOptions;
  readonly forks: readonly Fork[];
  readonly branch: BranchId;
  readonly step: number;
}

type Undone =
  | { readonly kind: "branch"; readonly branch: BranchId; readonly step: number }
  | { readonly kind: "session"; readonly kept: Kept };

interface History {
  /** Sessions before this one, of which it is a change. */
  readonly past: readonly Kept[];
  readonly undone: readonly Undone[];
}

const historyStore = createStore<History>()(() => ({ past: [], undone: [] }));
/** The session that undo or redo makes is nobody's change. */
let own: number | "next" = 0;

/** How many changes are remembered. */
const MOST = 30;

/** Remembers what is changed, until the returned function is called. */
export function followChanges(): () => void {
  return appStore.subscribe((app, before) => {
    if (app.session === before.session || app.session === null || before.session === null) return;
    if (app.session.number === before.session.number) {
      if (app.session.branches.length > before.session.branches.length) historyStore.setState({ undone: [] });
      return;
    }
    const mine = own === "next" || app.session.number === own;
    own = mine ? app.session.number : own;
    if (mine || app.session.text === before.session.text) return;
    const change = app.session.scenario.id === before.session.scenario.id;
    const { past } = historyStore.getState();
    historyStore.setState({ past: change ? [...past, keptOf(before)].slice(-MOST) : [], undone: [] });
  });
}

export function undo(controller: Controller): void {
  controller.onceMade(() => undoLast(controller));
}

export function redo(controller: Controller): void {
  controller.onceMade(() => redoLast(controller));
}

function undoLast(controller: Controller): void | Promise<void> {
  const app = appStore.getState();
  const branch = branchOf(app)?.branch;
  const { past, undone } = historyStore.getState();
  if (app.session === null || branch === undefined) return;
  if (branch.parent !== null) {
    controller.player.pause();
    historyStore.setState({ undone: [...undone, { kind: "branch", branch: branch.id, step: app.step }] });
    appStore.setState({ branch: branch.parent, menu: null });
    controller.player.seek(branch.step - 1);
    controller.announce({ says: "undone" });
    return;
  }
  const before = past.at(-1);
  if (before !== undefined) {
    historyStore.setState({ past: past.slice(0, -1), undone: [...undone, { kind: "session", kept: keptOf(app) }] });
    make(controller, before);
  } else if (app.session.planned > 0) return unplanLast(controller, app.session.scenario.faults.length - 1);
  else controller.announce({ says: "nothingToUndo" });
}

function redoLast(controller: Controller): void {
  const app = appStore.getState();
  const { past, undone } = historyStore.getState();
  const last = undone.at(-1);
  if (last === undefined || app.session === null) {
    controller.announce({ says: "nothingToRedo" });
    return;
  }
  historyStore.setState({ undone: undone.slice(0, -1) });
  if (last.kind === "branch") controller.showAt(last.branch, last.step);
  else {
    historyStore.setState({ past: [...past, keptOf(app)] });
    make(controller, last.kept);
  }
  controller.announce({ says: "redone" });
}

function make(controller: Controller, { options, forks, branch, step }: Kept): void {
  own = controller.open(options, { keepTime: false, play: false, step, branch, forks });
}

/** Of a run that came with planned faults: the one before it was never on this page. */
async function unplanLast(controller: Controller, index: number): Promise<void> {
  const plans = await fetched(import("./faults/plan.ts"));
  if (plans === null) return;
  own = "next";
  plans.unplan(controller, index);
}

function keptOf({ session, branch, step }: App): Kept {
  if (session === null) throw new Error("assertion failed: there is no session to keep");
  const { scenario, text, library, planned, branches } = session;
  return { options: { scenario, text, library, planned }, forks: forksOf(branches), branch, step };
}

export function useCanUndo(): boolean {
  const past = useStore(historyStore, (history) => history.past.length > 0);
  return useStore(appStore, (app) => app.branch > 0 || (app.session?.planned ?? 0) > 0) || past;
}

export function useCanRedo(): boolean {
  return useStore(historyStore, (history) => history.undone.length > 0);
}
