/** The failure that is dragged along the branch on screen, from when the row is opened until it is closed. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { at } from "../../base/assert.ts";
import type { ProbeTask } from "../../scenario/exploration.ts";
import type { Command } from "../../scenario/scenario.ts";
import { crashes, sameCommand } from "../../scenario/targets.ts";
import type { BranchId } from "../../worker/port.ts";
import { useController } from "../controller-context.ts";
import { decisionsOf } from "../link.ts";
import { type Session, appStore } from "../store.ts";
import { type ConnectProbe, CrashDrag, type CrashState } from "./crash-drag.ts";

/** A failure that stands already: it is taken up where it is, in the branch that it left. */
export interface Given {
  readonly parent: BranchId;
  readonly step: number;
  readonly command: Command;
}

export function givenBy(session: Session, branch: BranchId): Given | null {
  const { parent, step, command } = at(session.branches, branch).branch;
  if (parent === null || command === null || indexOf(failuresOf(session, null), command) < 0) return null;
  return { parent, step, command };
}

/** As long as the component is there, so is the drag's thread; it is of the session and branch that it was made in. */
export function useCrashDrag(
  session: Session,
  branch: BranchId,
  given: Given | null,
): readonly [CrashDrag, CrashState] {
  return useStarted((connect) => dragOf(connect, session, branch, given));
}

/** A failure of `subtask`, or where there is none of the whole job, that is asked about at these places only. */
export function useCrashAt(
  session: Session,
  branch: BranchId,
  subtask: string | null,
  places: readonly number[],
): readonly [CrashDrag, CrashState] {
  return useStarted((connect) => {
    const commands = failuresOf(session, null);
    const chosen = commands.findIndex(
      (each) => each.do === (subtask === null ? "fail-job" : "fail-task") && each.target === subtask,
    );
    return new CrashDrag(connect, taskOf(session, branch), {
      commands,
      chosen: Math.max(0, chosen),
      step: places[0] ?? 0,
      places,
    });
  });
}

function useStarted(make: (connect: ConnectProbe) => CrashDrag): readonly [CrashDrag, CrashState] {
  const { connectProbe } = useController();
  const [drag] = useState(() => make(connectProbe));
  useEffect(() => drag.start(), [drag]);
  return [drag, useStore(drag.store)];
}

function taskOf(session: Session, branch: BranchId): ProbeTask {
  const { scenario, branches } = session;
  return { scenario, decisions: decisionsOf(session, branch), length: at(branches, branch).length };
}

function dragOf(connect: ConnectProbe, session: Session, branch: BranchId, given: Given | null): CrashDrag {
  const { selection, step } = appStore.getState();
  const { graph } = session;
  const commands = failuresOf(session, given);
  const selected = selection?.kind === "subtask" ? graph.subtasks[selection.id]?.name : undefined;
  const chosen =
    given === null ? commands.findIndex(({ target }) => target === selected) : indexOf(commands, given.command);
  const from = given === null ? step : given.step - 1;
  return new CrashDrag(connect, taskOf(session, branch), { commands, chosen: Math.max(0, chosen), step: from });
}

function failuresOf({ graph, scenario }: Session, given: Given | null): readonly Command[] {
  const commands = crashes(graph, scenario);
  return given === null || indexOf(commands, given.command) >= 0 ? commands : [given.command, ...commands];
}

function indexOf(commands: readonly Command[], command: Command): number {
  return commands.findIndex((each) => sameCommand(each, command));
}
