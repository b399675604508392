/** Links, runs that come back, and saving: fetched when there is one of them to see to. */
import { at } from "../../base/assert.ts";
import type { Controller } from "../controller.ts";
import { InTurn } from "../in-turn.ts";
import { sessionsText } from "../text/sessions-text.ts";
import type { NoticeWords } from "../store.ts";
import { type Moment, momentOf } from "./moment.ts";
import { openFragment, openRun } from "./open-run.ts";
import { seeTo } from "./address.ts";
import { type SavedRun, kept } from "./saved.ts";
import { comesBack, startSaving } from "./saver.ts";

/** Where somebody goes to and fro, what is left is not opened after what is come to. */
const turns = new InTurn();

/**
 * Opens what the fragment of the address names: what this tab showed under it when the page was left, else what its link
 * says. Without a link, what was on screen last. Then saves by itself.
 */
export function begin(controller: Controller, fragment: string, address: string): void {
  turns.do(() => open(controller, fragment, address));
}

async function open(controller: Controller, fragment: string, address: string): Promise<void> {
  const moment = momentOf(fragment);
  const isBack = moment !== null && openMoment(controller, moment);
  if (!isBack && !(await openFragment(controller, fragment)) && fragment === "") comeBack(controller);
  seeTo(address);
  startSaving();
}

function backNotice(): NoticeWords {
  const { back, backNote } = sessionsText();
  return { title: back, lines: [backNote], go: null, lacks: false };
}

function openMoment(controller: Controller, { id, document }: Moment): boolean {
  const numbered = (session: number): void => (id === null ? undefined : comesBack(session, id));
  return openRun(controller, document, { notice: id === null ? null : backNotice(), numbered }).length === 0;
}

function comeBack(controller: Controller): void {
  const { current, runs } = kept();
  const place = runs.findIndex(({ id }) => id === current);
  if (place >= 0) openKept(controller, at(runs, place), backNotice());
}

/** Opens a saved run; it goes on under its name. */
export function openSaved(controller: Controller, run: SavedRun): boolean {
  return openKept(controller, run, null);
}

function openKept(controller: Controller, { id, document }: SavedRun, notice: NoticeWords | null): boolean {
  return openRun(controller, document, { notice, numbered: (session) => comesBack(session, id) }).length === 0;
}
