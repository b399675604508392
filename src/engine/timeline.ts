/**
 * Branches of one scenario. The truth is the scenario and each branch's decision; keyframes (clones every so many steps)
 * are a cache that makes a seek cheap: without them nothing changes but speed. Their distance doubles whenever they keep
 * too much, so that memory is bounded however long a run is. A branch shares its parent's entries up to its fork; nothing
 * is ever overwritten.
 */
import { assert, at } from "../base/assert.ts";
import { EventLog } from "../protocol/log.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import type { Ended } from "../scenario/report.ts";
import { Course } from "./course.ts";
import { Simulation } from "./simulation.ts";

/** Steps between two keyframes of a branch, at first: of a large world more, since to copy a KB takes about as long as a step. */
const KEYFRAME_EVERY = 256;
const BYTES_A_STEP = 1024;
/** Bytes that a branch's keyframes may keep; of worlds so large that few fit, this many are kept all the same. */
const BYTES = 8_000_000;
const FEWEST = 6;

export interface TimelineBranch {
  readonly id: number;
  readonly parent: number | null;
  /** Its first own step: the command acts before the entry that would have been there. */
  readonly step: number;
  readonly command: Command | null;
  readonly log: EventLog;
}

interface Track extends TimelineBranch {
  /** The run at its last entry. */
  readonly course: Course;
  /** Clones at ascending steps, `every` so many one. */
  readonly keyframes: Simulation[];
  every: number;
}

export class Timeline {
  readonly scenario: Scenario;
  private readonly tracks: Track[] = [];

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    const log = new EventLog();
    const simulation = Simulation.start(scenario, { log });
    const first = simulation.clone();
    this.tracks.push({
      id: 0,
      parent: null,
      step: 0,
      command: null,
      log,
      course: new Course(simulation),
      keyframes: [first],
      every: distanceFor(first),
    });
  }

  get branches(): readonly TimelineBranch[] {
    return this.tracks;
  }

  /** The simulation that stands at a branch's last entry. */
  tip(branch: number): Simulation {
    return at(this.tracks, branch).course.simulation;
  }

  ended(branch: number): Ended | null {
    return at(this.tracks, branch).course.ended;
  }

  /** One entry more on a branch; false: it is at its end. */
  extend(branch: number): boolean {
    const track = at(this.tracks, branch);
    if (track.course.ended !== null) return false;
    track.course.advance();
    const { simulation } = track.course;
    if (simulation.world.step % track.every === 0) keep(track, simulation.clone());
    return true;
  }

  /** Makes a child of a branch at a step that it has reached; the command is the child's first act. */
  fork(branch: number, step: number, command: Command): TimelineBranch {
    const parent = at(this.tracks, branch);
    assert(step >= 0 && step <= parent.log.length, `branch ${branch} has ${parent.log.length} entries, not ${step}`);
    const log = new EventLog(parent.log, step);
    const simulation = this.simulationAt(branch, step).clone(log);
    simulation.submit(command);
    const child: Track = {
      id: this.tracks.length,
      parent: branch,
      step,
      command,
      log,
      course: new Course(simulation),
      keyframes: [],
      every: distanceFor(simulation),
    };
    this.tracks.push(child);
    return child;
  }

  /** A run without a log of its own that stands just before the entry at `step`. */
  simulationAt(branch: number, step: number): Simulation {
    const track = at(this.tracks, branch);
    const keyframe = track.keyframes.findLast((candidate) => candidate.world.step <= step);
    const simulation = keyframe === undefined ? this.startOf(track) : keyframe.clone();
    if (simulation.world.step > step) return this.simulationAt(track.parent ?? 0, step);
    while (simulation.world.step < step) assert(simulation.step(), "a branch can be stepped again to where it was");
    return simulation;
  }

  /** Where a child begins, its command just submitted. Its number among the session's commands is the one it had. */
  private startOf(track: Track): Simulation {
    const simulation = this.simulationAt(track.parent ?? 0, track.step).clone();
    if (track.command !== null) simulation.submit(track.command);
    return simulation;
  }

  /** Keeps a branch's entries no more: whoever wants them goes through the run again. It must be at its end. */
  release(branch: number): void {
    const { course, log } = at(this.tracks, branch);
    assert(course.ended !== null, "a run that goes on writes its log");
    log.release();
  }

  /** What all keyframes keep. */
  get keyframeBytes(): number {
    return this.tracks.flatMap(({ keyframes }) => keyframes).reduce((sum, { world }) => sum + bytesOf(world), 0);
  }

  /** Forgets every keyframe but the very first; only seeks become slower. */
  dropKeyframes(): void {
    for (const track of this.tracks) track.keyframes.length = track.id === 0 ? 1 : 0;
  }

  /** The decisions that lead to a branch, oldest first. */
  decisions(branch: number): { readonly step: number; readonly command: Command }[] {
    const track = at(this.tracks, branch);
    const before = track.parent === null ? [] : this.decisions(track.parent);
    return track.command === null ? before : [...before, { step: track.step, command: track.command }];
  }
}

/** A power of two, so that thinning leaves every other one. */
function distanceFor(clone: Simulation): number {
  let every = KEYFRAME_EVERY;
  while (every * BYTES_A_STEP < bytesOf(clone.world)) every *= 2;
  return every;
}

/** Of a clone, which asks for its memory once. */
function bytesOf({ state }: Simulation["world"]): number {
  return state.buffer.byteLength;
}

/** Thins out what lies between, where there is too much. */
function keep(track: Track, clone: Simulation): void {
  track.keyframes.push(clone);
  const { length } = track.keyframes;
  if (length <= FEWEST || length * bytesOf(clone.world) <= BYTES) return;
  track.every *= 2;
  const kept = track.keyframes.filter(({ world }) => world.step % track.every === 0);
  track.keyframes.splice(0, length, ...kept);
}
