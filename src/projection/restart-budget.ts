/** What is left of a restart strategy: told from the restarts that it has granted (FR-060 to FR-066). */
import type { RestartStrategy } from "../scenario/scenario.ts";
import type { RunView } from "./views.ts";

/** What a strategy remembers, as far as entries tell. A new leader begins with `forgotten` (FR-070). Times in milliseconds. */
export interface RestartMemory {
  readonly failures: number;
  /** Of the last failures, oldest first (failure-rate). */
  readonly times: readonly number[];
  /** Exponential delay: attempts since the last reset, the last backoff without jitter, when the last failure came and when its backoff ends. */
  readonly attempt: number;
  readonly backoff: number;
  readonly last: number;
  readonly end: number;
}

export const forgotten: RestartMemory = { failures: 0, times: [], attempt: 0, backoff: 0, last: 0, end: 0 };

export type RestartBudget =
  | { readonly kind: "none" }
  /** `of` `null`: as many as it takes. */
  | { readonly kind: "attempts"; readonly used: number; readonly of: number | null }
  | { readonly kind: "rate"; readonly used: number; readonly of: number; readonly interval: number }
  /** The next failure waits so long, jitter aside. */
  | { readonly kind: "backoff"; readonly next: number; readonly used: number; readonly of: number | null };

/** More restarts than this nobody counts. */
const ENDLESS = 1000;
const limit = (attempts: number): number | null => (attempts > ENDLESS ? null : attempts);

type Exponential = Extract<RestartStrategy, { type: "exponential-delay" }>;

/** Has it been quiet for long enough that the next failure begins anew? */
function isQuiet(
  { merges, resetThreshold }: Exponential,
  { last, end, backoff }: RestartMemory,
  clock: number,
): boolean {
  return merges ? clock - end >= resetThreshold : clock - last >= resetThreshold + backoff;
}

function backoffOf({ initialBackoff, maxBackoff, multiplier, merges }: Exponential, memory: RestartMemory): number {
  const { attempt, backoff } = memory;
  const raw = attempt === 0 ? initialBackoff : merges ? initialBackoff * multiplier ** attempt : backoff * multiplier;
  return Math.min(Math.trunc(raw), maxBackoff);
}

/** A restart was granted after `delay`. */
export function remember(
  strategy: RestartStrategy,
  memory: RestartMemory,
  failures: number,
  clock: number,
  delay: number,
): RestartMemory {
  if (strategy.type === "failure-rate")
    return { ...memory, failures, times: [...memory.times, clock].slice(-strategy.maxFailures) };
  if (strategy.type !== "exponential-delay") return { ...memory, failures };
  if (strategy.merges && memory.attempt > 0 && clock <= memory.end) return { ...memory, failures };
  const from = memory.attempt > 0 && isQuiet(strategy, memory, clock) ? forgotten : memory;
  const backoff = backoffOf(strategy, from);
  return { failures, times: [], attempt: from.attempt + 1, backoff, last: clock, end: clock + delay };
}

/** What is left at the cursor: it shrinks with failures, and recovers with time where the strategy looks at time. */
export function restartBudget({ shared, job, clock }: RunView): RestartBudget {
  const strategy = shared.scenario.config.restartStrategy;
  const { memory } = job;
  switch (strategy.type) {
    case "none":
      return { kind: "none" };
    case "fixed-delay":
      return { kind: "attempts", used: memory.failures, of: limit(strategy.attempts) };
    case "failure-rate": {
      const { maxFailures, interval } = strategy;
      const used = memory.times.filter((time) => clock - time <= interval).length;
      return { kind: "rate", used, of: maxFailures, interval };
    }
    case "exponential-delay": {
      const now = memory.attempt > 0 && isQuiet(strategy, memory, clock) ? forgotten : memory;
      return { kind: "backoff", next: backoffOf(strategy, now), used: now.attempt, of: limit(strategy.attempts) };
    }
  }
}
