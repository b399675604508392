/**
 * Views at any step of one branch: play forward from where the last one stood, or from the nearest kept view. Kept views
 * (keyframes) are a cache: without them the same views come, only later. They stand at even distances, which double
 * whenever there are too many of them, so that memory is bounded and a seek folds a bounded part of the log.
 */
import { assert, at } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import type { EventLog } from "../protocol/log.ts";
import { advance } from "./fold.ts";
import { copyView, nextOwner } from "./own.ts";
import { branchOf } from "./shared.ts";
import type { RunView } from "./views.ts";

/** Entries between two kept views, at first. */
const DISTANCE = 512;
/** Kept views of a small job, and of a job so large that copies of its lists weigh more than what they share. */
const MOST = 256;
const FEWEST = 24;
/** Nodes of a job that all kept views together may list. */
const NODES = 2_000_000;

/** Somewhere to look at a run from. A view is good until the next one is asked for. */
export interface Cursor {
  viewAt(step: number): RunView;
}

export class Views implements Cursor {
  readonly log: EventLog;
  private readonly parent: Views | null;
  /** The branch's first own view, and further ones, by step. Nobody writes them. */
  private readonly kept: RunView[];
  private readonly most: number;
  private distance = DISTANCE;
  private live: RunView;
  /** Goes ahead of all others, and leaves keyframes behind it; `null`: it has not begun. */
  private ahead: RunView | null = null;

  /** The views of a run whose first view is `initial`, or of a branch that leaves `parent` where its log does. */
  constructor(log: EventLog, origin: RunView | Views) {
    this.log = log;
    this.parent = origin instanceof Views ? origin : null;
    this.live = origin instanceof Views ? own(origin.copyAt(log.base - 1)) : origin;
    const { subtasks, channels } = this.live;
    this.most = Math.max(FEWEST, Math.min(MOST, Math.floor(NODES / (subtasks.length + channels.length))));
    this.kept = [copyView(this.live)];
  }

  /**
   * The view after the entry at `step`; `-1`: before the first. It is good until the next call: playing forward changes
   * it in place. Read it, never write it.
   */
  viewAt(step: number): RunView {
    return (this.live = this.seek(this.live, step));
  }

  /** A further place to look from, whose views no other one changes; keyframes serve all. */
  cursor(): Cursor {
    let live = copyView(at(this.kept, 0));
    return { viewAt: (step) => (live = this.seek(live, step)) };
  }

  /** A view of its own, for keeping. */
  copyAt(step: number): RunView {
    return this.seek(copyView(this.nearest(step)), step);
  }

  /** Takes a view forward to `step`, or gives another one where a keyframe is nearer. */
  private seek(view: RunView, step: number): RunView {
    assert(step >= -1 && step < this.log.length, `the log has no entry ${step}`);
    const nearest = this.nearest(step);
    const moved = view.step > step || nearest.step > view.step ? copyView(nearest) : view;
    this.fold(moved, step);
    return moved;
  }

  /** Folds about `entries` further entries for keyframes' sake, so that a first seek is short. True: all is folded. */
  prepare(entries: number): boolean {
    const end = this.log.length - 1;
    const last = at(this.kept, this.kept.length - 1);
    if (this.ahead === null || this.ahead.step < last.step) this.ahead = copyView(last);
    const step = Math.min(end, this.ahead.step + entries);
    this.fold(this.ahead, step);
    return step === end;
  }

  /** Entries between two keyframes, once there were too many; `null`: none had to go. */
  get thinnedTo(): number | null {
    return this.distance > DISTANCE ? this.distance : null;
  }

  /** Forgets all keyframes but the first. */
  dropKeyframes(): void {
    this.kept.length = 1;
    this.ahead = null;
    this.live = copyView(at(this.kept, 0));
  }

  private fold(view: RunView, step: number): void {
    while (view.step < step) {
      const next = at(this.kept, this.kept.length - 1).step + this.distance;
      advance(view, this.log, Math.min(step, Math.max(next, view.step + 1)));
      if (view.step === next) this.keep(view);
    }
  }

  private keep(view: RunView): void {
    this.kept.push(copyView(view));
    if (this.kept.length <= this.most) return;
    const every = this.kept.filter((_, index) => index % 2 === 0);
    this.kept.splice(0, this.kept.length, ...every);
    this.distance *= 2;
  }

  /** The last kept view at or before `step`, the parent's in the past that is shared. */
  private nearest(step: number): RunView {
    const { kept, parent } = this;
    if (parent !== null && step < this.log.base - 1) return parent.nearest(step);
    const behind = firstPlace(kept.length, (place) => at(kept, place).step > step);
    return at(kept, Math.max(0, behind - 1));
  }
}

/** A view whose growing data are its branch's own from here on. */
function own(view: RunView): RunView {
  return { ...view, shared: branchOf(view), owner: nextOwner() };
}
