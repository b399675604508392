/** Links, runs that come back, and saving: fetched when there is one of them to see to. */
import { at } from "../../base/assert.ts";
import type { Controller } from "../controller.ts";
import { sessionsText } from "../text/sessions-text.ts";
import type { NoticeWords } from "../store.ts";
import { openFragment, openRun } from "./open-run.ts";
import { type SavedRun, kept } from "./saved.ts";
import { comesBack, startSaving } from "./saver.ts";

/** Opens what the link names; without one, what was on screen when the page was left. Then saves by itself. */
export async function begin(controller: Controller, fragment: string): Promise<void> {
  if (!(await openFragment(controller, fragment)) && fragment === "") comeBack(controller);
  startSaving();
}

function comeBack(controller: Controller): void {
  const { current, runs } = kept();
  const place = runs.findIndex(({ id }) => id === current);
  if (place < 0) return;
  const { back, backNote } = sessionsText();
  open(controller, at(runs, place), { title: back, lines: [backNote] });
}

/** Opens a saved run; it goes on under its name. */
export function openSaved(controller: Controller, run: SavedRun): boolean {
  return open(controller, run, null);
}

function open(controller: Controller, { id, document }: SavedRun, notice: NoticeWords | null): boolean {
  return openRun(controller, document, { notice, numbered: (session) => comesBack(session, id) }).length === 0;
}
