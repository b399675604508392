/** The failure that is dragged along the branch on screen, from when the row is opened until it is closed. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { at } from "../../base/assert.ts";
import type { Command } from "../../scenario/scenario.ts";
import { crashes } from "../../scenario/targets.ts";
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
  const { connectProbe } = useController();
  const [drag] = useState(() => dragOf(connectProbe, session, branch, given));
  useEffect(() => drag.start(), [drag]);
  return [drag, useStore(drag.store)];
}

function dragOf(connect: ConnectProbe, session: Session, branch: BranchId, given: Given | null): CrashDrag {
  const { selection, step } = appStore.getState();
  const { scenario, graph, branches } = session;
  const commands = failuresOf(session, given);
  const selected = selection?.kind === "subtask" ? graph.subtasks[selection.id]?.name : undefined;
  const chosen =
    given === null ? commands.findIndex(({ target }) => target === selected) : indexOf(commands, given.command);
  const task = { scenario, decisions: decisionsOf(session, branch), length: at(branches, branch).length };
  return new CrashDrag(connect, task, commands, Math.max(0, chosen), given === null ? step : given.step - 1);
}

function failuresOf({ graph, scenario }: Session, given: Given | null): readonly Command[] {
  const commands = crashes(graph, scenario);
  return given === null || indexOf(commands, given.command) >= 0 ? commands : [given.command, ...commands];
}

function indexOf(commands: readonly Command[], command: Command): number {
  return commands.findIndex((each) => JSON.stringify(each) === JSON.stringify(command));
}
