/** What stands on the screen besides the run: what is kept in sight, looped, let through, and stopped at. Written and put back. */
import { entryElementKinds } from "../../projection/entry-elements.ts";
import type { ReadRun, RunDocument } from "../../scenario/run-document.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import type { Controller } from "../controller.ts";
import { filterStore, readFilter, writtenFilter } from "../events/filter.ts";
import { PINS } from "../pins.ts";
import { addWritten, writtenBreakpoints } from "../stops/breakpoints.ts";
import { type App, type Session, appStore, branchOf } from "../store.ts";
import { sessionsText } from "../text/sessions-text.ts";

type Looks = Pick<RunDocument, "selection" | "pinned" | "loop" | "filter" | "breakpoints">;

const nameOf = ({ kind, id }: StageElement): string => `${kind}:${id}`;

export function writtenLooks({ selection, pinned, loop }: App): Looks {
  const filter = writtenFilter(filterStore.getState());
  const breakpoints = writtenBreakpoints();
  return {
    ...(selection !== null && { selection: nameOf(selection) }),
    ...(pinned.length > 0 && { pinned: pinned.map(nameOf) }),
    ...(loop !== null && { loop: [loop.from, loop.to] }),
    ...(filter !== null && { filter }),
    ...(breakpoints.length > 0 && { breakpoints }),
  };
}

/** Puts it back, in the session that is shown. What cannot be put back is returned in words. */
export function putBack(controller: Controller, read: ReadRun, session: Session): string[] {
  const words = sessionsText();
  const [selection, lost] = chosen(session, read.selection === null ? [] : [read.selection]);
  const [pinned, unpinned] = chosen(session, read.pinned);
  const last = (branchOf(appStore.getState())?.length ?? 1) - 1;
  const [from, to] = read.loop ?? [0, -1];
  const loop = from <= to && to <= last ? { from, to } : null;
  appStore.setState({ selection: selection[0] ?? null, pinned: pinned.slice(0, PINS), loop });
  const { filter, unknown } = readFilter(read.filter);
  filterStore.setState(filter);
  const unread = addWritten(read.breakpoints);
  // Playing knows of breakpoints only from the first of them on.
  if (read.breakpoints.length > 0) void import("../stops/stop-keys.ts").then(({ install }) => install(controller));
  return [
    ...[...lost, ...unpinned].map((name) => words.noSelection(name)),
    ...(read.loop !== null && loop === null ? [words.noLoop(from, to)] : []),
    ...(unknown > 0 ? [words.noFilter(unknown)] : []),
    ...(unread > 0 ? [words.noBreakpoints(unread)] : []),
    ...(read.without.length > 0 ? [words.shortened(read.without)] : []),
  ];
}

/** The elements that the job has, and the names of those that it has not. */
function chosen(session: Session, names: readonly string[]): readonly [StageElement[], string[]] {
  const found = names.flatMap((name) => elementOf(name, session) ?? []);
  return [found, names.filter((name) => elementOf(name, session) === null)];
}

/** `subtask:3`; `null`: the job has none. */
function elementOf(written: string, { graph }: Session): StageElement | null {
  const [name, number] = written.split(":");
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
