/**
 * Whether a failed job may restart and after which delay (`FixedDelayRestartBackoffTimeStrategy`,
 * `FailureRateRestartBackoffTimeStrategy`, `ExponentialDelayRestartBackoffTimeStrategy`; FR-060 to FR-066). Counts the
 * failures of the whole job. Exponential delay is the one of 1.19 and later; that of 1.18 is left out.
 */
import type { RestartStrategy } from "../scenario/scenario.ts";
import type { Kernel } from "./kernel.ts";
import { Job, JobTime } from "./layout.ts";

/** Strategies that allow more restarts than this are taken to be without end. */
const ENDLESS = 1000;

/** Can a job restart so often that nobody waits for the last time? */
export function isWithoutEnd(strategy: RestartStrategy): boolean {
  return strategy.type === "failure-rate" || (strategy.type !== "none" && strategy.attempts > ENDLESS);
}

/** Milliseconds until the restart of the failure reported now; `-1`: the strategy denies it. */
export function reportFailure(k: Kernel): number {
  const { restartStrategy } = k.plan.scenario.config;
  const { world } = k;
  if (k.decisions.countsFailure()) world.addJob(Job.failures, 1);
  switch (restartStrategy.type) {
    case "none":
      return -1;
    case "fixed-delay":
      return world.job(Job.failures) <= restartStrategy.attempts ? restartStrategy.delay : -1;
    case "failure-rate":
      return failureRate(k, restartStrategy);
    case "exponential-delay":
      return exponentialDelay(k, restartStrategy);
  }
}

function failureRate(
  k: Kernel,
  { maxFailures, interval, delay }: { maxFailures: number; interval: number; delay: number },
): number {
  const { sequences } = k.arena;
  const kept = [...sequences.toArray(k.world.job(Job.failureTimes)), k.now].slice(-(maxFailures + 1));
  k.world.setJob(Job.failureTimes, sequences.intern(kept));
  return kept.length < maxFailures + 1 || k.now - (kept[0] as number) > interval ? delay : -1;
}

interface ExponentialDelay {
  readonly initialBackoff: number;
  readonly maxBackoff: number;
  readonly multiplier: number;
  readonly resetThreshold: number;
  readonly jitter: number;
  readonly attempts: number;
}

function exponentialDelay(k: Kernel, strategy: ExponentialDelay): number {
  const { world } = k;
  const end = world.jobTime(JobTime.backoffEnd);
  const never = world.job(Job.backoffAttempt) === 0;
  if (!never && k.now <= end) return world.job(Job.backoffAttempt) <= strategy.attempts ? end - k.now : -1;
  const attempt = never || k.now - end >= strategy.resetThreshold ? 0 : world.job(Job.backoffAttempt);
  const raw = Math.trunc(strategy.initialBackoff * strategy.multiplier ** attempt);
  const spread = Math.trunc(Math.min(raw, strategy.maxBackoff * 2) * strategy.jitter);
  const jitter = k.draw(Job.jitterStream, 2 * spread + 1) - spread;
  const delay = Math.max(strategy.initialBackoff, Math.min(raw + jitter, strategy.maxBackoff));
  world.setJobTime(JobTime.backoffEnd, k.now + delay);
  world.setJob(Job.backoffAttempt, attempt + 1);
  return attempt + 1 <= strategy.attempts ? delay : -1;
}
