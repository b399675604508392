/**
 * A failure that is moved along a run: what the run would come to if it struck here, or here. One answer at a time, each
 * from a run of its own that parts from the known one and is taken to its end; nothing is merged, so that the world it
 * ends in can be told.
 */
import type { Injection, Landing, ProbeSurvey, ProbeTask } from "../scenario/exploration.ts";
import { Runner, usualOptions } from "./runner.ts";
import { Seen } from "./seen.ts";

/** Keyframes of the known run that are kept: the way from one to a failure is short, and so is the list. */
const KEYFRAMES = 1024;
/** Entries between two of them at least. */
const NEAREST = 16;

export class CrashProbe {
  private readonly runner: Runner;
  /** Nothing is merged, so nothing need be known of other runs. */
  private readonly nothing = new Seen();

  constructor({ scenario, decisions, length }: ProbeTask) {
    const every = Math.max(NEAREST, Math.ceil(length / KEYFRAMES));
    this.runner = new Runner(scenario, decisions, { ...usualOptions, checkInvariants: false, merge: false }, every);
  }

  /** Between which steps a failure can act, and what the run comes to without one. */
  get survey(): ProbeSurvey {
    const { from, length, outcome, ends } = this.runner;
    return { from, length, verdict: outcome.verdict, ends };
  }

  strike({ step, command }: Injection): Landing {
    const run = this.runner.at(step);
    run.submit(command);
    const { outcome } = this.runner.finish(run, { seen: this.nothing, outcomes: [] });
    const { world, kernel } = run.simulation;
    return {
      verdict: outcome.verdict,
      lost: outcome.lost,
      duplicated: outcome.duplicated,
      flags: outcome.flags,
      ends: kernel.now,
      length: world.step,
      fingerprint: world.fingerprint(usualOptions.fingerprintSeed) >>> 0,
    };
  }
}
