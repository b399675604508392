/**
 * Which restart strategy a configuration means (`RestartBackoffTimeStrategyFactoryLoader`; FR-061), with the reasons for
 * which Flink's strategies refuse their values.
 */
import { didYouMean } from "./nearest.ts";
import type { OptionValues } from "./option-table.ts";
import type { RestartStrategy } from "./scenario.ts";

const prefix = "restart-strategy";
const type = `${prefix}.type`;
const names: { readonly [name: string]: RestartStrategy["type"] } = {
  none: "none",
  off: "none",
  disable: "none",
  "fixed-delay": "fixed-delay",
  fixeddelay: "fixed-delay",
  "failure-rate": "failure-rate",
  failurerate: "failure-rate",
  "exponential-delay": "exponential-delay",
  exponentialdelay: "exponential-delay",
};

/**
 * FR-061, FR-067: what is configured, in the job or, where it falls back, for the cluster; else none without checkpointing,
 * and with it what the version has as its default.
 */
export function restartStrategyOf(values: OptionValues, checkpointing: boolean): RestartStrategy {
  const given = values.given(type);
  if (given === undefined) {
    if (!checkpointing) return { type: "none" };
    return values.version === "1.18"
      ? { type: "fixed-delay", attempts: 2_147_483_647, delay: 1000 }
      : exponentialDelay(values);
  }
  const name = String(given).toLowerCase();
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  switch (found) {
    case undefined:
      values.refuse(
        type,
        `Flink knows no such restart strategy.${didYouMean(name, Object.keys(names))} Allowed: ${Object.keys(names).join(", ")}.`,
      );
      return { type: "none" };
    case "none":
      return { type: "none" };
    case "fixed-delay":
      return fixedDelay(values);
    case "failure-rate":
      return failureRate(values);
    case "exponential-delay":
      return exponentialDelay(values);
  }
}

function fixedDelay(values: OptionValues): RestartStrategy {
  const key = (name: string): string => `${prefix}.fixed-delay.${name}`;
  values.atLeast(key("attempts"), 0, "Flink: Maximum number of restart attempts must be at least 0.");
  return { type: "fixed-delay", attempts: values.number(key("attempts")), delay: values.number(key("delay")) };
}

function failureRate(values: OptionValues): RestartStrategy {
  const key = (name: string): string => `${prefix}.failure-rate.${name}`;
  values.atLeast(
    key("max-failures-per-interval"),
    1,
    "Flink: Maximum number of restart attempts per time unit must be greater than 0.",
  );
  values.atLeast(key("failure-rate-interval"), 1, "Flink: Failures interval must be greater than 0 ms.");
  return {
    type: "failure-rate",
    maxFailures: values.number(key("max-failures-per-interval")),
    interval: values.number(key("failure-rate-interval")),
    delay: values.number(key("delay")),
  };
}

function exponentialDelay(values: OptionValues): RestartStrategy {
  const key = (name: string): string => `${prefix}.exponential-delay.${name}`;
  const [initialBackoff, maxBackoff] = [values.number(key("initial-backoff")), values.number(key("max-backoff"))];
  const [multiplier, jitter] = [values.number(key("backoff-multiplier")), values.number(key("jitter-factor"))];
  values.atLeast(key("initial-backoff"), 1, "Flink: Initial backoff must be at least 1.");
  values.atLeast(key("max-backoff"), 1, "Flink: Maximum backoff must be at least 1.");
  if (initialBackoff > maxBackoff)
    values.refuse(key("initial-backoff"), "Flink: Initial backoff cannot be higher than maximum backoff.");
  if (multiplier <= 1) values.refuse(key("backoff-multiplier"), "Flink: Backoff multiplier must be greater than 1.");
  values.atLeast(
    key("reset-backoff-threshold"),
    1,
    "Flink: Threshold duration for exponential backoff reset must be at least 1.",
  );
  if (jitter < 0 || jitter > 1) values.refuse(key("jitter-factor"), "Flink: Jitter factor must be >= 0 and <= 1.");
  values.atLeast(key("attempts-before-reset-backoff"), 1, "Flink: The attemptsBeforeResetBackoff must be at least 1.");
  return {
    type: "exponential-delay",
    initialBackoff,
    maxBackoff,
    multiplier,
    jitter,
    resetThreshold: values.number(key("reset-backoff-threshold")),
    merges: values.version !== "1.18",
    attempts: values.number(key("attempts-before-reset-backoff")),
  };
}

/** The strategy's own options as they are in force, and whether an option of another strategy is of no use. */
export function strategyOptions(strategy: RestartStrategy): { readonly [key: string]: number } {
  const own = (name: string): string => `${prefix}.${strategy.type}.${name}`;
  switch (strategy.type) {
    case "none":
      return {};
    case "fixed-delay":
      return { [own("attempts")]: strategy.attempts, [own("delay")]: strategy.delay };
    case "failure-rate":
      return {
        [own("max-failures-per-interval")]: strategy.maxFailures,
        [own("failure-rate-interval")]: strategy.interval,
        [own("delay")]: strategy.delay,
      };
    case "exponential-delay":
      return {
        [own("initial-backoff")]: strategy.initialBackoff,
        [own("max-backoff")]: strategy.maxBackoff,
        [own("backoff-multiplier")]: strategy.multiplier,
        [own("reset-backoff-threshold")]: strategy.resetThreshold,
        [own("jitter-factor")]: strategy.jitter,
        ...(strategy.merges && { [own("attempts-before-reset-backoff")]: strategy.attempts }),
      };
  }
}
