/** Opens a run's document: from a link, a file, or the browser's storage. What this version cannot do of it is said. */
import type { Problem } from "../../base/result.ts";
import { firstDifference } from "../../projection/log-marks.ts";
import { type ReadRun, readRun } from "../../scenario/run-document.ts";
import { changeSettings } from "../app-actions.ts";
import type { Controller } from "../controller.ts";
import { firstRun } from "../first-run.ts";
import { clockTime } from "../format.ts";
import { prettyJson } from "../pretty-json.ts";
import { dockTabs } from "../setting-choices.ts";
import { type BranchRun, type NoticeWords, type Session, appStore, branchOf } from "../store.ts";
import { sessionsText } from "../text/sessions-text.ts";
import { putBack } from "./on-screen.ts";
import { unpacked, unsealed } from "./packed.ts";
import { PREFIX } from "./run-state.ts";

/** Opens the run of a link; `false`: it is no such link. */
export async function openFragment(controller: Controller, fragment: string): Promise<boolean> {
  if (!fragment.startsWith(PREFIX)) return false;
  const { broken, missing, linkName } = sessionsText();
  const refuse = (problems: readonly Problem[]): void => {
    const say = (): void => appStore.setState({ refused: { name: linkName, text: "", problems } });
    if (appStore.getState().session !== null) return say();
    // The page waited for this link: now it shows what it shows without one.
    whenThere(controller.open(firstRun, { keepTime: false, play: true }), say);
  };
  const opened = unsealed(fragment.slice(PREFIX.length));
  const text = "missing" in opened ? null : await unpacked(opened.characters);
  const json = text === null ? null : jsonOf(text);
  const lost = "missing" in opened ? opened.missing : 0;
  if (json === null) refuse([{ path: "", value: "", message: lost > 0 ? missing(lost) : broken }]);
  else {
    const problems = openRun(controller, json);
    if (problems.length > 0) refuse(problems);
  }
  return true;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

export interface Opened {
  /** Said where all of it can be shown. */
  readonly notice: NoticeWords | null;
  /** Told which number the session has. */
  readonly numbered: (session: number) => void;
}

const plainly: Opened = { notice: null, numbered: () => undefined };

/** Opens a document; what is wrong with it is returned. */
export function openRun(controller: Controller, json: unknown, opened: Opened = plainly): readonly Problem[] {
  const read = readRun(json);
  if (!read.ok) return read.problems;
  const { source, scenario, library, forks, branch, step } = read.value;
  const number = controller.open(
    { scenario, text: prettyJson(source), library },
    { keepTime: false, play: false, step, branch, forks: [...forks] },
  );
  opened.numbered(number);
  whenThere(number, () => complete(controller, read.value, opened.notice));
  return [];
}

/** Calls `then` once the session of that number is shown and has been computed; never, where another was opened meanwhile. */
function whenThere(number: number, then: () => void): void {
  const stop = appStore.subscribe((app) => {
    if (app.session === null || app.session.number < number || app.pending > 0) return;
    stop();
    if (app.session.number === number) queueMicrotask(then);
  });
}

function complete(controller: Controller, read: ReadRun, notice: NoticeWords | null): void {
  const { session } = appStore.getState();
  if (session === null) return;
  const branches = session.branches.map((branch): BranchRun => {
    const name = read.forks[branch.branch.id - 1]?.name ?? null;
    return name === null ? branch : { ...branch, name };
  });
  appStore.setState({ session: { ...session, branches } });
  const panel = dockTabs.find((tab) => tab === read.panel);
  if (panel !== undefined) changeSettings({ dock: panel });
  const looks = putBack(controller, read, session);
  const differs = differenceOf(read);
  const lines = [...linesOf(read, session), ...(differs === null ? [] : [differs.line]), ...looks];
  const { notWhole, toDifference } = sessionsText();
  const go = differs === null ? null : { step: differs.step, words: toDifference };
  if (lines.length > 0) appStore.setState({ notice: { title: notWhole, lines, go, lacks: true } });
  else if (notice !== null) appStore.setState({ notice });
}

/** What this version cannot show of a run. */
function linesOf(read: ReadRun, session: Session): string[] {
  const words = sessionsText();
  const missing = read.forks.length - (session.branches.length - 1);
  const last = (branchOf(appStore.getState())?.length ?? 1) - 1;
  return [
    ...read.left.map(({ path, message }) => words.left(path, message, 1)),
    ...(missing > 0 ? [words.tooShort(missing)] : []),
    ...(read.step > last ? [words.stepBeyond(read.step, last)] : []),
  ];
}

/** Where it shows another run than the version that made the document; `null`: nowhere, as far as marks tell. */
function differenceOf({ marks, version }: ReadRun): { readonly step: number; readonly line: string } | null {
  const branch = branchOf(appStore.getState());
  const differs = branch === null ? null : firstDifference(branch.run.log, marks);
  if (differs === null || branch === null) return null;
  const step = Math.min(differs.from, branch.length - 1);
  const time = clockTime(branch.run.log.clock(step));
  return { step, line: sessionsText().differs(version, differs.from, differs.to, time) };
}
