/** The arithmetic of the restart strategies (INV-107; FR-060 to FR-066), worked out once more on the clock of the entries. */
import { failureCauses, operationAnswers } from "../../protocol/reasons.ts";
import { JobStatus } from "../states.ts";
import type { Kernel } from "../kernel.ts";
import type { RestartStrategy } from "../../scenario/scenario.ts";
import type { Subject, Watch } from "./watch.ts";

const STOPPING_FAILED = operationAnswers.indexOf("STOPPING_FAILED");
type Exponential = Extract<RestartStrategy, { type: "exponential-delay" }>;
const UNRECOVERABLE = failureCauses.indexOf("UNRECOVERABLE_ERROR");

/** What a strategy says about one failure: the least and the greatest delay; `null`: no restart. */
type Answer = { readonly least: number; readonly greatest: number } | null;

/** Jitter is chance, so delays of exponential-delay are known up to bounds. */
export class Restarts implements Subject {
  static readonly ids = ["INV-107"] as const;
  private readonly watch: Watch;
  private failures: number;
  /** The last times of failures, oldest first (failure-rate). */
  private times: readonly number[];
  /** The end of the last backoff, `-1`: there was none; and the attempt it belonged to (exponential-delay). */
  private backoffEnd: number;
  private attempt: number;
  /** Has a stop failed behind its savepoint? Then the strategy is not asked (CP-166). */
  private stoppingFailed: boolean;
  /** Before 1.19: the backoff of the last failure, and when that came. */
  private growing: { readonly backoff: number; readonly at: number } | null;
  /** The error that is told of last allows no restart (FR-031): no strategy is asked. */
  private unrecoverable = false;

  constructor(watch: Watch, from: Restarts | null = null) {
    this.watch = watch;
    this.failures = from?.failures ?? 0;
    this.times = from?.times ?? [];
    this.backoffEnd = from?.backoffEnd ?? -1;
    this.attempt = from?.attempt ?? 0;
    this.stoppingFailed = from?.stoppingFailed ?? false;
    this.growing = from?.growing ?? null;
    this.unrecoverable = from?.unrecoverable ?? false;
  }

  clone(watch: Watch): Restarts {
    return new Restarts(watch, this);
  }

  TaskFailed(_k: Kernel, _task: number, _attempt: number, cause: number): void {
    this.unrecoverable = cause === UNRECOVERABLE;
  }

  RestartScheduled(k: Kernel, delay: number): void {
    const { restartStrategy } = this.watch.plan.scenario.config;
    const answer = this.failure(restartStrategy, k.now);
    if (answer === null) {
      this.watch.violated(
        k,
        "INV-107",
        `${restartStrategy.type} grants no restart for failure ${this.failures}, but one is scheduled`,
        "job",
      );
    } else if (delay < answer.least || delay > answer.greatest) {
      const wanted = answer.least === answer.greatest ? answer.least : `${answer.least} to ${answer.greatest}`;
      this.watch.violated(
        k,
        "INV-107",
        `${restartStrategy.type} delays the restart for failure ${this.failures} by ${wanted} ms, not by ${delay} ms`,
        "job",
      );
    }
    if (answer !== null && this.backoffEnd < k.now + delay) this.backoffEnd = k.now + delay;
  }

  /** The strategy's counters are gone with the leader (FR-101). */
  LeadershipLost(): void {
    this.failures = 0;
    this.times = [];
    this.backoffEnd = -1;
    this.attempt = 0;
    this.growing = null;
  }

  OperationAnswered(_: Kernel, __: number, answer: number): void {
    if (answer === STOPPING_FAILED) this.stoppingFailed = true;
  }

  JobStatusChanged(k: Kernel, _: number, to: number): void {
    const { restartStrategy } = this.watch.plan.scenario.config;
    if (to !== JobStatus.failing || this.unrecoverable || this.stoppingFailed) return;
    if (this.failure(restartStrategy, k.now) !== null) {
      this.watch.violated(
        k,
        "INV-107",
        `${restartStrategy.type} grants a restart for failure ${this.failures}, but the job is given up`,
        "job",
      );
    }
  }

  /** Counts a failure and says what the strategy answers. */
  private failure(strategy: RestartStrategy, now: number): Answer {
    this.failures++;
    switch (strategy.type) {
      case "none":
        return null;
      case "fixed-delay":
        return this.failures <= strategy.attempts ? { least: strategy.delay, greatest: strategy.delay } : null;
      case "failure-rate": {
        this.times = [...this.times, now].slice(-(strategy.maxFailures + 1));
        const full = this.times.length > strategy.maxFailures;
        return full && now - (this.times[0] as number) <= strategy.interval
          ? null
          : { least: strategy.delay, greatest: strategy.delay };
      }
      case "exponential-delay":
        return strategy.merges ? this.exponential(strategy, now) : this.grown(strategy, now);
    }
  }

  private exponential(strategy: Exponential, now: number): Answer {
    if (this.backoffEnd >= now) {
      const left = this.backoffEnd - now;
      return this.attempt <= strategy.attempts ? { least: left, greatest: left } : null;
    }
    if (this.backoffEnd >= 0 && now - this.backoffEnd >= strategy.resetThreshold) this.attempt = 0;
    const raw = Math.trunc(strategy.initialBackoff * strategy.multiplier ** this.attempt);
    const spread = Math.trunc(raw * strategy.jitter);
    const within = (delay: number): number => Math.max(strategy.initialBackoff, Math.min(delay, strategy.maxBackoff));
    this.attempt++;
    return this.attempt <= strategy.attempts ? { least: within(raw - spread), greatest: within(raw + spread) } : null;
  }

  /** Before 1.19, step by step as the strategy's fields change. */
  private grown(strategy: Exponential, now: number): Answer {
    const { initialBackoff, maxBackoff } = strategy;
    const last = this.growing;
    const quiet = last === null || now - last.at >= strategy.resetThreshold + last.backoff;
    const longer = Math.max(
      initialBackoff,
      Math.min(Math.floor((last?.backoff ?? 0) * strategy.multiplier), maxBackoff),
    );
    const backoff = quiet ? initialBackoff : longer;
    this.growing = { backoff, at: now };
    const spread = Math.floor(backoff * strategy.jitter);
    return { least: Math.min(backoff - spread, maxBackoff), greatest: Math.min(backoff + spread, maxBackoff) };
  }
}
