/**
 * Playing without sliding. Reduced motion: from one entry that is staged to the next. No motion: playing is a step. As fast
 * as can be: the whole run in a few seconds, states ten times a second and nothing that moves.
 */
import { at } from "../base/assert.ts";
import { isStaged } from "../view/movement-times.ts";
import { type Pace, type Player, reducedMotion } from "./player.ts";
import { playhead } from "./playhead.ts";
import { type BranchRun, appStore, branchOf } from "./store.ts";

/** Milliseconds at 1x from one staged entry to the next. */
export const AUTO_STEP = 1200;
/** At most ten states a second, and so many for a whole run. */
const STATE_EVERY = 100;
const STATES = 30;

export class Paces implements Pace {
  private since = 0;

  next(branch: BranchRun, presentation: number, elapsed: number): number | null {
    const { speed } = appStore.getState().settings;
    const still = reducedMotion();
    if (!still && speed !== "max") return null;
    this.since += elapsed;
    if (this.since < (speed === "max" ? STATE_EVERY : AUTO_STEP / speed)) return presentation;
    this.since = 0;
    return still ? nextStill(branch, presentation) : presentation + branch.run.clock.total / STATES;
  }

  steps(player: Player, target: number | null): boolean {
    const app = appStore.getState();
    const branch = branchOf(app);
    if (branch === null || app.settings.motion !== "none") return false;
    const to = target ?? nextStaged(branch, app.step) ?? branch.length - 1;
    player.seek(player.breakpoint(branch, app.step, to) ?? to);
    return true;
  }
}

/** Where the next staged entry stands; behind the last, the end. */
export function nextStill(branch: BranchRun, presentation: number): number {
  const { clock } = branch.run;
  const next = nextStaged(branch, clock.stepAt(presentation));
  return next === null ? clock.total : clock.presentationOf(next);
}

/** The next entry that is worth a look of its own. */
function nextStaged({ run: { log } }: BranchRun, step: number): number | null {
  for (let next = step + 1; next < log.length; next++) if (at(isStaged, log.type(next))) return next;
  return null;
}

/** Tells styles whether things move, and the stage when that changes, until the returned function is called. */
export function followMotion(): () => void {
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  const tell = (): void => {
    document.documentElement.dataset["motion"] = reducedMotion() ? "reduced" : "full";
    playhead.setState({});
  };
  tell();
  stillness.addEventListener("change", tell);
  const stop = appStore.subscribe((app) => app.settings.motion, tell);
  return () => {
    stillness.removeEventListener("change", tell);
    stop();
  };
}
