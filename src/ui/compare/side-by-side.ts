/** A comparison that is looked at: its runs, the one cursor that leads them all, and playing. */
import { createActor } from "xstate";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Comparison } from "../../scenario/comparison.ts";
import type { EngineConnection } from "../link.ts";
import { type PlaybackActor, type Progress, playbackMachine } from "../playback-machine.ts";
import {
  type Along,
  type Cursor,
  checkpointFrom,
  clockOf,
  endOf,
  eventOf,
  instantFrom,
  lastEventOf,
  momentIn,
  phaseFrom,
} from "./cursor.ts";
import type { Shown } from "../stage-drive.ts";
import { type ComparedRun, ComparedRuns, along } from "./runs.ts";
import { Turns } from "./turns.ts";

/** Simulated milliseconds for one that passes on the wall. */
export const paces = [0.05, 0.1, 0.25, 0.5, 1, 2] as const;
export type Pace = (typeof paces)[number];

const TELL_EVERY = 100;

export const togethers = ["time", "event", "phase"] as const;
export type Together = (typeof togethers)[number];

export interface Told {
  readonly cursor: Cursor;
  readonly playing: boolean;
  readonly pace: Pace;
  /** What a step leads all runs to: an instant, the entry of a number, or a phase of a checkpoint. */
  readonly together: Together;
}

export class SideBySide {
  readonly runs: ComparedRuns;
  /** For what is drawn with every frame. */
  readonly cursor: StoreApi<Cursor>;
  /** For what is read: at most ten times a second while it plays or is dragged. */
  readonly told: StoreApi<Told>;
  /** Of the stages, in the display's frames. */
  readonly turns = new Turns();
  private readonly actor: PlaybackActor;
  private sinceTold = 0;
  private toTell: ReturnType<typeof setTimeout> | null = null;

  constructor(comparison: Comparison | readonly ComparedRun[], connect: () => EngineConnection) {
    const start: Cursor = { by: "time", clock: 0 };
    this.runs = new ComparedRuns(comparison, connect);
    this.cursor = createStore(() => start);
    this.told = createStore<Told>(() => ({ cursor: start, playing: false, pace: 0.25, together: "time" }));
    this.actor = createActor(playbackMachine, {
      input: { advance: (elapsed) => this.advance(elapsed), rewind: () => this.put({ by: "time", clock: 0 }) },
    });
    this.actor.subscribe(({ value }) => this.tell(value === "playing"));
    this.actor.start();
  }

  along(): Along[] {
    return this.runs.store.getState().runs.flatMap(along);
  }

  /** Where a run stands, for its picture; `null`: there is nothing of it yet. */
  shown(place: number): Shown | null {
    const compared = this.runs.store.getState().runs[place];
    const run = compared?.run ?? null;
    const [of] = compared === undefined ? [] : along(compared);
    const moment = of === undefined ? null : momentIn(of, this.cursor.getState());
    return run === null || moment === null ? null : { run, moment };
  }

  /** Computes and can be played until the returned function is called. */
  start(): () => void {
    const stop = this.runs.start();
    return () => {
      this.pause();
      stop();
    };
  }

  toggle(): void {
    this.actor.send({ type: "toggle" });
  }

  setPace(pace: Pace): void {
    this.told.setState({ pace });
  }

  /** What the runs have in common from now on. */
  setTogether(together: Told["together"]): void {
    this.told.setState({ together });
    const runs = this.along();
    const cursor = this.cursor.getState();
    if (together === "event") this.toEvent(eventOf(runs, cursor));
    else if (together === "phase") this.toPhase(-1);
    else this.seek(clockOf(runs, cursor));
  }

  /** Puts all runs at the entry of a number. */
  toEvent(step: number): void {
    this.pause();
    this.put({ by: "event", step: Math.min(Math.max(step, 0), lastEventOf(this.along())) });
    this.settle();
  }

  /** Puts all runs at an instant. */
  seek(clock: number): void {
    this.pause();
    this.put({ by: "time", clock: Math.min(Math.max(clock, 0), endOf(this.along())) });
    this.toTell ??= setTimeout(() => this.settle(), TELL_EVERY);
  }

  /** To the next instant at which something happens in some run, or the next entry; or to the one before. */
  step(direction: 1 | -1): void {
    const runs = this.along();
    const { together } = this.told.getState();
    if (together === "event") return this.toEvent(eventOf(runs, this.cursor.getState()) + direction);
    if (together === "phase") return this.toPhase(direction);
    this.seek(instantFrom(runs, clockOf(runs, this.cursor.getState()), direction));
    this.settle();
  }

  /** Puts each run where its checkpoint comes to the next phase that some run has, or the one before. */
  private toPhase(direction: 1 | -1): void {
    const next = phaseFrom(this.along(), this.cursor.getState(), direction);
    if (next === null) return;
    this.pause();
    this.put(next);
    this.settle();
  }

  /** Puts each run at its next checkpoint, or the one before; `false`: no run has one there. */
  toCheckpoint(direction: 1 | -1): boolean {
    const next = checkpointFrom(this.along(), this.cursor.getState(), direction);
    if (next === null) return false;
    this.pause();
    this.put(next);
    this.settle();
    return true;
  }

  private pause(): void {
    this.actor.send({ type: "pause" });
  }

  private settle(): void {
    if (this.toTell !== null) clearTimeout(this.toTell);
    this.toTell = null;
    const runs = this.along();
    this.actor.send({ type: "moved", atEnd: clockOf(runs, this.cursor.getState()) >= endOf(runs) });
    this.tell(false);
  }

  private advance(elapsed: number): Progress {
    const runs = this.along();
    const end = endOf(runs);
    const clock = Math.min(clockOf(runs, this.cursor.getState()) + elapsed * this.told.getState().pace, end);
    this.put({ by: "time", clock });
    this.sinceTold += elapsed;
    if (this.sinceTold >= TELL_EVERY) this.tell(true);
    return clock >= end ? "end" : "on";
  }

  private put(cursor: Cursor): void {
    this.cursor.setState(cursor, true);
  }

  private tell(playing: boolean): void {
    this.sinceTold = 0;
    this.told.setState({ cursor: this.cursor.getState(), playing });
  }
}
