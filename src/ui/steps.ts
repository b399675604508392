/** Where the transport's steps lead: by entry, by phase of the protocol, by checkpoint, by failure. */
import { nextOf, nextPhase, previousOf, previousPhase } from "../projection/phases.ts";
import type { Controller } from "./controller.ts";
import { factsOf } from "./facts.ts";
import type { Run } from "./run.ts";
import { appStore, branchOf } from "./store.ts";

export type StepKind = "event" | "phase" | "checkpoint" | "failure";
export type Direction = 1 | -1;

/**
 * One step of a kind. While a checkpoint is selected, phases are its own, and those of failures on its way. Without a phase
 * ahead or behind it leads to the end or the start; where the selected checkpoint has no further phase, and where there is
 * no checkpoint or failure, it leads nowhere, and says so.
 */
export function stepBy(controller: Controller, kind: StepKind, direction: Direction): void {
  const branch = branchOf(appStore.getState());
  if (branch === null) return;
  controller.player.pause();
  const { step, selection } = appStore.getState();
  const checkpoint = selection?.kind === "checkpoint" ? selection.id : -1;
  const target = targetOf(branch.run, kind, direction, step, checkpoint);
  if (target !== null) controller.goTo(target);
  else if (kind === "phase" && checkpoint < 0) controller.goTo(direction === 1 ? branch.length - 1 : 0);
  else controller.announce({ says: "noFurther", kind });
}

function targetOf(run: Run, kind: StepKind, direction: Direction, step: number, checkpoint: number): number | null {
  const { index } = factsOf(run);
  const along = direction === 1 ? nextOf : previousOf;
  switch (kind) {
    case "event":
      return step + direction;
    case "phase":
      return (direction === 1 ? nextPhase : previousPhase)(index, step, checkpoint)?.step ?? null;
    case "checkpoint":
      return along(index.ends, step);
    case "failure":
      return along(index.failures, step);
  }
}
