/**
 * How playing goes on: around a loop, up to what stops it, and without sliding where that is wished. Reduced motion: from one entry that is staged to the next. No motion: playing is a step. As fast
 * as can be: the whole run in a few seconds, states ten times a second and nothing that moves.
 */
import { at } from "../base/assert.ts";
import { isStaged } from "../view/movement-times.ts";
import { type Pace, type Player, reducedMotion, speedFactor } from "./player.ts";
import { playhead } from "./playhead.ts";
import { type Played, played } from "./playing.ts";
import { type BranchRun, appStore, branchOf } from "./store.ts";

/** Milliseconds at 1x from one staged entry to the next. */
export const AUTO_STEP = 1200;
/** At most ten states a second, and so many for a whole run. */
const STATE_EVERY = 100;
const STATES = 30;

export class Paces implements Pace {
  private readonly player: Player;
  private since = 0;

  constructor(player: Player) {
    this.player = player;
  }

  play(branch: BranchRun, presentation: number, elapsed: number): Played {
    const { loop } = appStore.getState();
    const { clock } = branch.run;
    const stop = (from: number, to: number): number | null => this.stopBetween(branch, from, to);
    return played({ clock, loop, stop }, presentation, this.wanted(branch, presentation, elapsed));
  }

  steps(): boolean {
    const app = appStore.getState();
    const branch = branchOf(app);
    if (branch === null || app.settings.motion !== "none") return false;
    const to = this.player.target ?? nextStaged(branch, app.step) ?? branch.length - 1;
    this.player.seek(this.stopBetween(branch, app.step, to) ?? to);
    return true;
  }

  private wanted(branch: BranchRun, presentation: number, elapsed: number): number {
    const { speed } = appStore.getState().settings;
    const still = reducedMotion();
    if (!still && speed !== "max") return presentation + elapsed * speedFactor(speed);
    this.since += elapsed;
    if (this.since < (speed === "max" ? STATE_EVERY : AUTO_STEP / speed)) return presentation;
    this.since = 0;
    return still ? nextStill(branch, presentation) : presentation + branch.run.clock.total / STATES;
  }

  /** Where running is to stop, unless a breakpoint comes before it. */
  private stopBetween(branch: BranchRun, from: number, to: number): number | null {
    const { player } = this;
    const target = player.target !== null && player.target <= to ? player.target : null;
    const stop = player.breakpoint(branch, from, target ?? to) ?? target;
    if (stop !== null) player.target = null;
    return stop;
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
