/** Opens a run's document: from a link, a file, or the browser's storage. What this version cannot do of it is said. */
import type { Problem } from "../../base/result.ts";
import { firstDifference } from "../../projection/log-marks.ts";
import { type ReadRun, readRun } from "../../scenario/run-document.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import { changeSettings } from "../app-actions.ts";
import type { Controller } from "../controller.ts";
import { entryElementKinds } from "../../projection/entry-elements.ts";
import { clockTime } from "../format.ts";
import { prettyJson } from "../pretty-json.ts";
import { dockTabs } from "../setting-choices.ts";
import { type BranchRun, type NoticeWords, type Session, appStore, branchOf } from "../store.ts";
import { sessionsText } from "../text/sessions-text.ts";
import { unpacked } from "./packed.ts";
import { PREFIX } from "./run-state.ts";

/** Opens the run of a link; `false`: it is no such link. */
export async function openFragment(controller: Controller, fragment: string): Promise<boolean> {
  if (!fragment.startsWith(PREFIX)) return false;
  const { broken, linkName } = sessionsText();
  const refuse = (problems: readonly Problem[]): void =>
    appStore.setState({ refused: { name: linkName, text: "", problems } });
  const text = await unpacked(fragment.slice(PREFIX.length));
  const json = text === null ? null : jsonOf(text);
  if (json === null) refuse([{ path: "", value: "", message: broken }]);
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
  whenThere(number, () => complete(read.value, opened.notice));
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

function complete(read: ReadRun, notice: NoticeWords | null): void {
  const { session } = appStore.getState();
  if (session === null) return;
  const branches = session.branches.map((branch): BranchRun => {
    const name = read.forks[branch.branch.id - 1]?.name ?? null;
    return name === null ? branch : { ...branch, name };
  });
  appStore.setState({ session: { ...session, branches } });
  const panel = dockTabs.find((tab) => tab === read.panel);
  if (panel !== undefined) changeSettings({ dock: panel });
  const selection = elementOf(read.selection, session);
  if (selection !== null) appStore.setState({ selection });
  const lines = linesOf(read, session, selection);
  if (lines.length > 0) appStore.setState({ notice: { title: sessionsText().notWhole, lines } });
  else if (notice !== null) appStore.setState({ notice });
}

/** What this version shows otherwise than the one that made the document. */
function linesOf(read: ReadRun, session: Session, selection: StageElement | null): string[] {
  const words = sessionsText();
  const branch = branchOf(appStore.getState());
  const missing = read.forks.length - (session.branches.length - 1);
  const differs = branch === null ? null : firstDifference(branch.run.log, read.marks);
  const last = (branch?.length ?? 1) - 1;
  return [
    ...read.left.map(({ path, message }) => words.left(path, message, 1)),
    ...(missing > 0 ? [words.tooShort(missing)] : []),
    ...(read.step > last ? [words.stepBeyond(read.step, last)] : []),
    ...(differs === null || branch === null
      ? []
      : [words.differs(differs.from, differs.to, clockTime(branch.run.log.clock(Math.min(differs.from, last))))]),
    ...(read.selection !== null && selection === null ? [words.noSelection(read.selection)] : []),
  ];
}

/** `subtask:3`; `null`: the job has none. */
function elementOf(written: string | null, { graph }: Session): StageElement | null {
  const [name, number] = (written ?? "").split(":");
  const kind = entryElementKinds.find((each) => each === name);
  const id = Number(number);
  if (kind === undefined || !Number.isInteger(id) || id < 0) return null;
  const counts: { readonly [K in StageElement["kind"]]?: number } = {
    subtask: graph.subtasks.length,
    channel: graph.channels.length,
    input: graph.inputs.length,
    output: graph.outputs.length,
    taskManager: graph.taskManagers.length,
  };
  return id < (counts[kind] ?? Infinity) ? { kind, id } : null;
}
