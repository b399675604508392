/** What is on screen as a run's document: for a link the way to the shown branch, for a file and the browser all of it. */
import { at } from "../../base/assert.ts";
import { marksOf } from "../../projection/log-marks.ts";
import type { EventLog } from "../../protocol/log.ts";
import { version } from "../../../package.json" with { type: "json" };
import {
  type Mark,
  type RunDocument,
  type WrittenFork,
  writtenFork,
  writtenSource,
} from "../../scenario/run-document.ts";
import type { BranchId } from "../../worker/port.ts";
import type { App, Session } from "../store.ts";
import { writtenLooks } from "./on-screen.ts";
import { packed, sealed } from "./packed.ts";

export const PREFIX = "#at=";

/** Branches that are kept, in an order in which each comes behind its parent. */
function wayTo(session: Session, id: BranchId): BranchId[] {
  const { parent } = at(session.branches, id).branch;
  return parent === null ? [] : [...wayTo(session, parent), id];
}

/** `whole`: with all branches that were not put away. */
export function documentOnScreen(app: App, whole: boolean): RunDocument | null {
  const { session, branch, step, settings } = app;
  if (session === null) return null;
  const kept = whole
    ? session.branches.filter(({ branch: { id }, removed }) => id > 0 && !removed).map(({ branch: { id } }) => id)
    : wayTo(session, branch);
  // Where the shown branch was put away, its parents stand for it.
  const place = (id: BranchId | null): number => (id === null ? 0 : kept.indexOf(id) + 1);
  const { run } = at(session.branches, branch);
  return {
    ...scenarioOf(session.text),
    ...(kept.length > 0 && { forks: kept.map((id) => forkOf(session, id, place)) }),
    ...(place(branch) > 0 && { branch: place(branch) }),
    step,
    ...writtenLooks(app),
    panel: settings.dock,
    version,
    marks: marksAt(run.log),
  };
}

let lastText: { readonly text: string; readonly written: ReturnType<typeof writtenSource> } | null = null;

/** Of the text that was written last: this is asked for with every rest of the page. */
function scenarioOf(text: string): ReturnType<typeof writtenSource> {
  if (lastText?.text !== text) lastText = { text, written: writtenSource(JSON.parse(text)) };
  return lastText.written;
}

const known = new WeakMap<EventLog, { readonly length: number; readonly marks: readonly Mark[] }>();

/** They go over the whole log: while it does not grow they are the same. */
function marksAt(log: EventLog): readonly Mark[] {
  const before = known.get(log);
  if (before?.length === log.length) return before.marks;
  const marks = marksOf(log);
  known.set(log, { length: log.length, marks });
  return marks;
}

function forkOf(session: Session, id: BranchId, place: (id: BranchId | null) => number): WrittenFork {
  const { branch, name } = at(session.branches, id);
  if (branch.command === null) throw new Error(`assertion failed: branch ${id} was opened by nothing`);
  return writtenFork(place(branch.parent), branch.step, branch.command, name);
}

export async function fragmentOf(document: RunDocument): Promise<string> {
  return `${PREFIX}${sealed(await packed(JSON.stringify(document)))}`;
}
