/** A run of a comparison becomes the one on screen, at the moment at which the comparison stands. */
import { showDialog } from "../app-actions.ts";
import type { Controller } from "../controller.ts";
import { momentIn } from "./cursor.ts";
import { type ComparedRun, along } from "./runs.ts";
import type { SideBySide } from "./side-by-side.ts";

export function openAsMain(controller: Controller, side: SideBySide, compared: ComparedRun): void {
  const { scenario, text, of } = compared;
  const [run] = along(compared);
  const moment = run === undefined ? null : momentIn(run, side.cursor.getState());
  if (scenario === null || moment === null) return;
  if (of.kind === "branch") {
    showDialog(null);
    controller.showAt(of.branch, moment.step);
    return;
  }
  controller.open({ scenario, text, library: null }, { keepTime: false, play: false, step: moment.step });
}
