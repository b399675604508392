/**
 * Moves the cursor: plays along presentation time, steps, seeks. The playhead changes with every frame; the step in the
 * store, which panels read, at most ten times a second while playing and at once otherwise.
 */
import { createActor } from "xstate";
import { type PlaybackActor, type Progress, playbackMachine } from "./playback-machine.ts";
import { playhead } from "./playhead.ts";
import type { Played } from "./playing.ts";
import type { Speed } from "./settings.ts";
import { type App, type BranchRun, branchOf, appStore, isComputed } from "./store.ts";

const PANELS_EVERY = 100;
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export function reducedMotion(): boolean {
  const { motion } = appStore.getState().settings;
  return motion === "system" ? stillness.matches : motion !== "full";
}

/** Does nothing on the stage slide? */
export function isStill(): boolean {
  const { playback, settings } = appStore.getState();
  return reducedMotion() || (playback === "playing" && settings.speed === "max");
}

/** As fast as states can be told apart is a pace of its own. */
export function speedFactor(speed: Speed): number {
  return speed === "max" ? 64 : speed;
}

/** How playing goes on, where it does not only slide (`paces.ts`): it comes with the shell. */
export interface Pace {
  play(branch: BranchRun, presentation: number, elapsed: number): Played;
  /** Goes on by one step, or to where running is to stop, in the place of playing; `false`: it plays. */
  steps(): boolean;
}

/** What stops playing beside the end: who has such a wish gives it to the player. */
export type StopBetween = (branch: BranchRun, from: number, to: number) => number | null;

export class Player {
  private readonly actor: PlaybackActor;
  private sinceShown = 0;
  /** The first entry behind `from`, up to `to`, at which a breakpoint stops. */
  breakpoint: StopBetween = () => null;
  pace: Pace | null = null;
  /** Where running is to stop; `null`: it only plays. */
  target: number | null = null;

  constructor() {
    this.actor = createActor(playbackMachine, {
      input: { advance: (elapsed) => this.advance(elapsed), rewind: () => this.put(0) },
    });
    this.actor.subscribe(({ value }) => {
      const { playback } = appStore.getState();
      const change = playback === value ? {} : { playback: value };
      // With one stroke: who sees that it stands sees where.
      if (value !== "playing") this.showStep(change);
      else appStore.setState(change);
    });
    this.actor.start();
  }

  play(): void {
    if (this.pace?.steps() !== true) this.actor.send({ type: "play" });
  }

  pause(): void {
    this.target = null;
    this.actor.send({ type: "pause" });
  }

  /** Plays up to an entry and stands there; one that has happened already is gone back to. A breakpoint stops it before. */
  runTo(step: number): void {
    this.pause();
    if (step <= appStore.getState().step) {
      this.seek(step);
      return;
    }
    this.target = step;
    this.play();
  }

  toggle(): void {
    if (appStore.getState().playback === "playing") this.pause();
    else this.play();
  }

  /** Puts the cursor on an entry that has just happened. */
  seek(step: number): void {
    const branch = branchOf(appStore.getState());
    if (branch === null) return;
    const last = Math.max(0, branch.length - 1);
    this.put(branch.run.clock.presentationOf(Math.min(Math.max(step, 0), last)));
    this.settle(branch);
  }

  /** Puts the cursor anywhere in presentation time, between entries too. */
  seekPresentation(presentation: number): void {
    const branch = branchOf(appStore.getState());
    if (branch === null) return;
    this.put(Math.min(Math.max(presentation, 0), branch.run.clock.total));
    this.settle(branch);
  }

  /**
   * More of the run has arrived: what was its end is none any more. What happened last is laid out anew together with what
   * has happened at the same instant, so that its place in presentation time is another: who stands there stays there.
   */
  grown(): void {
    const { step, playback } = appStore.getState();
    const branch = branchOf(appStore.getState());
    if (branch === null) return;
    const { clock } = branch.run;
    if (playback !== "playing" && clock.stepAt(playhead.getState().presentation) !== step)
      this.put(clock.presentationOf(step));
    if (this.actor.getSnapshot().value === "atEnd") this.settle(branch);
  }

  private settle(branch: BranchRun): void {
    const { presentation } = playhead.getState();
    this.actor.send({
      type: "moved",
      atEnd: isComputed(branch) && branch.run.clock.stepAt(presentation) >= branch.length - 1,
    });
    this.showStep();
  }

  private advance(elapsed: number): Progress {
    const { settings } = appStore.getState();
    const branch = branchOf(appStore.getState());
    if (branch === null) return "on";
    const { clock } = branch.run;
    const { presentation } = playhead.getState();
    const next = this.pace?.play(branch, presentation, elapsed) ?? {
      presentation: Math.min(presentation + elapsed * speedFactor(settings.speed), clock.total),
      stopped: false,
    };
    if (next.presentation !== presentation) this.put(next.presentation);
    this.sinceShown += elapsed;
    if (this.sinceShown >= PANELS_EVERY) this.showStep();
    if (next.stopped) return "pause";
    return next.presentation >= clock.total && isComputed(branch) ? "end" : "on";
  }

  private put(presentation: number): void {
    playhead.setState({ presentation });
  }

  private showStep(change: Partial<Pick<App, "playback">> = {}): void {
    this.sinceShown = 0;
    const app = appStore.getState();
    const branch = branchOf(app);
    const step = branch === null ? app.step : branch.run.clock.stepAt(playhead.getState().presentation);
    if (step !== app.step || change.playback !== undefined) appStore.setState({ ...change, step });
  }
}
