/**
 * Whether a failed job may restart and after which delay (`FixedDelayRestartBackoffTimeStrategy`,
 * `FailureRateRestartBackoffTimeStrategy`, `ExponentialDelayRestartBackoffTimeStrategy`; FR-060 to FR-066). Counts the
 * failures of the whole job.
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
      return restartStrategy.merges ? exponentialDelay(k, restartStrategy) : growingDelay(k, restartStrategy);
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

type ExponentialDelay = Extract<RestartStrategy, { type: "exponential-delay" }>;

/** FR-064: since 1.19. */
function exponentialDelay(k: Kernel, strategy: ExponentialDelay): number {
  const { world } = k;
  const end = world.jobTime(JobTime.backoffEnd);
  const never = world.job(Job.backoffAttempt) === 0;
  if (!never && k.now <= end) return world.job(Job.backoffAttempt) <= strategy.attempts ? end - k.now : -1;
  const attempt = never || k.now - end >= strategy.resetThreshold ? 0 : world.job(Job.backoffAttempt);
  const raw = Math.trunc(strategy.initialBackoff * strategy.multiplier ** attempt);
  const delay = Math.max(strategy.initialBackoff, Math.min(raw + jitterOf(k, raw, strategy), strategy.maxBackoff));
  world.setJobTime(JobTime.backoffEnd, k.now + delay);
  world.setJob(Job.backoffAttempt, attempt + 1);
  return attempt + 1 <= strategy.attempts ? delay : -1;
}

/**
 * FR-065: before 1.19 every failure makes the backoff longer, unless the one before is long enough ago. `backoffAttempt` is
 * the number of failures since it was at its least, `backoffEnd` when the last one came.
 */
function growingDelay(k: Kernel, strategy: ExponentialDelay): number {
  const { world } = k;
  const failures = world.job(Job.backoffAttempt);
  const quiet = k.now - world.jobTime(JobTime.backoffEnd);
  const begins = failures === 0 || quiet >= strategy.resetThreshold + backoffAfter(failures, strategy);
  const backoff = backoffAfter(begins ? 1 : failures + 1, strategy);
  world.setJob(Job.backoffAttempt, begins ? 1 : failures + 1);
  world.setJobTime(JobTime.backoffEnd, k.now);
  return Math.min(backoff + jitterOf(k, backoff, strategy), strategy.maxBackoff);
}

/** The backoff of so many failures in a row: whole milliseconds at each step. */
function backoffAfter(failures: number, { initialBackoff, maxBackoff, multiplier }: ExponentialDelay): number {
  let backoff = initialBackoff;
  for (let failure = 1; failure < failures && backoff < maxBackoff; failure++)
    backoff = Math.min(Math.trunc(backoff * multiplier), maxBackoff);
  return backoff;
}

function jitterOf(k: Kernel, backoff: number, { maxBackoff, jitter }: ExponentialDelay): number {
  const spread = Math.trunc(Math.min(backoff, maxBackoff * 2) * jitter);
  return k.draw(Job.jitterStream, 2 * spread + 1) - spread;
}
