/**
 * A scenario's `config`: Flink's keys and values, read as Flink reads them, with the defaults of the named version
 * (CP-001, CP-023, FR-061, FR-064; `CheckpointCoordinatorConfiguration`, `RestartBackoffTimeStrategyFactoryLoader`).
 */
import { DURATION_HELP, parseDuration } from "./durations.ts";
import { suggestion } from "./nearest.ts";
import { type Option, findOption, optionKeys, options } from "./options.ts";
import { type Problems, pathOf } from "./problems.ts";
import type { Checkpointing, Config, FlinkVersion, Notice, RestartStrategy } from "./scenario.ts";

type Source = Readonly<Record<string, string | number | boolean>>;
type Value = string | number | boolean | null;

/** Values by key: what the file says, else Flink's default. */
class Values {
  private readonly given = new Map<string, { readonly value: Value; readonly path: string; readonly text: string }>();
  readonly standards = new Map<string, string | null>(options.map(({ key, standard }) => [key, standard]));

  set(key: string, value: Value, path: string, text: string): void {
    this.given.set(key, { value, path, text });
  }

  has(key: string): boolean {
    return this.given.has(key);
  }

  path(key: string): string {
    return this.given.get(key)?.path ?? pathOf(["config", key]);
  }

  text(key: string): string | null {
    return this.given.get(key)?.text ?? this.standards.get(key) ?? null;
  }

  value(key: string): Value {
    const found = this.given.get(key);
    if (found !== undefined) return found.value;
    const standard = this.standards.get(key) ?? null;
    const known = findOption(key);
    return standard === null || known === undefined ? null : read(known, standard);
  }

  number(key: string): number {
    return Number(this.value(key) ?? 0);
  }
}

export function configOf(source: Source, version: FlinkVersion, problems: Problems, notices: Notice[]): Config & { maxParallelism: number | null } {
  const values = new Values();
  setVersionDefaults(values, version);
  for (const [key, raw] of Object.entries(source)) readOption(key, raw, values, problems, notices);
  const checkpointing = checkpointingOf(values, problems, notices);
  const restartStrategy = restartStrategyOf(values, version, checkpointing.interval !== null);
  return {
    checkpointing, restartStrategy,
    failoverStrategy: values.value("jobmanager.execution.failover-strategy") === "full" ? "full" : "region",
    slotRequestTimeout: values.number("slot.request.timeout"),
    maxParallelism: values.value("pipeline.max-parallelism") === null ? null : values.number("pipeline.max-parallelism"),
    effective: options.flatMap(({ key }) => {
      const value = key === "restart-strategy.type" && !values.has(key) ? restartStrategy.type : values.text(key);
      return value === null ? [] : [{ key, value, origin: values.has(key) ? ("scenario" as const) : ("default" as const) }];
    }),
  };
}

/** Defaults that differ by version: exponential delay changed in 1.19 (FR-064, FR-065). */
function setVersionDefaults(values: Values, version: FlinkVersion): void {
  const old = version === "1.18";
  values.standards.set("restart-strategy.exponential-delay.max-backoff", old ? "5 min" : "1 min");
  values.standards.set("restart-strategy.exponential-delay.backoff-multiplier", old ? "2.0" : "1.5");
}

function readOption(key: string, raw: string | number | boolean, values: Values, problems: Problems, notices: Notice[]): void {
  const path = pathOf(["config", key]);
  const known = findOption(key);
  if (known === undefined) {
    problems.add(path, raw, `Unknown option ${JSON.stringify(key)}.${suggestion(key, optionKeys) || " It must be a Flink option that this tool knows; see the list of options in the docs."}`);
    return;
  }
  if (known.key !== key) notices.push({ code: "KEY_RENAMED", path, message: `${key} is the older spelling of ${known.key}.` });
  if (values.has(known.key)) problems.add(path, raw, `${known.key} is set twice, under two spellings.`);
  const value = read(known, raw);
  if (value === null) {
    problems.add(path, raw, `${known.key} must be ${kindText(known)}.`);
    return;
  }
  if (!known.effect) notices.push({ code: "NOT_SIMULATED", path, message: `${known.key} has no effect on a simulated run yet.` });
  values.set(known.key, value, path, String(raw));
}

function read({ kind }: Option, raw: string | number | boolean): Value {
  const text = String(raw).trim();
  if (kind === "duration") return typeof raw === "boolean" ? null : parseDuration(raw);
  if (kind === "int") return /^-?\d{1,10}$/.test(text) ? Number(text) : null;
  if (kind === "float") return /^\d+(\.\d+)?([eE]-?\d+)?$/.test(text) ? Number(text) : null;
  if (kind === "bool") return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : null;
  if (kind === "size") return /^\d+\s*(b|bytes|k|kb|kibibytes|m|mb|mebibytes|g|gb|gibibytes|t|tb|tebibytes)?$/i.test(text) ? text : null;
  if (kind === "text") return text;
  return kind.find((word) => word.toLowerCase() === text.toLowerCase().replaceAll("_", word.includes("_") ? "_" : "-")) ?? null;
}

function kindText({ kind }: Option): string {
  if (kind === "duration") return DURATION_HELP;
  if (kind === "int") return "a whole number";
  if (kind === "float") return "a number";
  if (kind === "bool") return "true or false";
  if (kind === "size") return 'a Flink memory size such as "32 kb"';
  return kind === "text" ? "a text" : `one of ${kind.join(", ")}`;
}

function checkpointingOf(values: Values, problems: Problems, notices: Notice[]): Checkpointing {
  const key = (name: string): string => `execution.checkpointing.${name}`;
  const least = (name: string, bound: number, reason: string): void => {
    if (values.has(key(name)) && values.number(key(name)) < bound) problems.add(values.path(key(name)), values.text(key(name)), reason);
  };
  least("interval", 10, "Flink rejects it: the checkpoint interval must be at least 10 ms (CP-023).");
  least("timeout", 10, "Flink rejects it: the checkpoint timeout must be at least 10 ms (CP-023).");
  least("max-concurrent-checkpoints", 1, "Flink rejects it: at least one checkpoint must be allowed at a time (CP-023).");
  least("tolerable-failed-checkpoints", 0, "Flink rejects it: the tolerable number of failed checkpoints must not be negative (CP-023).");
  least("num-retained", 1, "Flink falls back to 1 with a warning; here it must be at least 1 (CP-130).");
  const most = (name: string, bound: number): void => {
    if (values.number(key(name)) > bound) problems.add(values.path(key(name)), values.text(key(name)), `This tool simulates at most ${bound}.`);
  };
  most("max-concurrent-checkpoints", 100);
  most("num-retained", 1000);
  if (values.value(key("mode")) === "AT_LEAST_ONCE") problems.add(values.path(key("mode")), "AT_LEAST_ONCE", "AT_LEAST_ONCE is not simulated yet. Simulated: EXACTLY_ONCE.");
  if (values.value(key("unaligned.enabled")) === true) problems.add(values.path(key("unaligned.enabled")), true, "Unaligned checkpoints are not simulated yet. Allowed: false.");
  if (values.number(key("min-pause")) > 0 && values.number(key("max-concurrent-checkpoints")) > 1) {
    notices.push({ code: "PAUSE_AND_CONCURRENCY", path: values.path(key("min-pause")), message: "The documentation excludes a minimum pause together with several concurrent checkpoints; the runtime accepts both and so does this run." });
  }
  return {
    interval: values.value(key("interval")) === null ? null : values.number(key("interval")),
    mode: "EXACTLY_ONCE", timeout: values.number(key("timeout")), minPause: values.number(key("min-pause")),
    maxConcurrent: values.number(key("max-concurrent-checkpoints")), tolerableFailed: values.number(key("tolerable-failed-checkpoints")),
    retained: values.number(key("num-retained")),
  };
}

/** FR-061: the configured strategy; else none without checkpointing, and with it the version's default. */
function restartStrategyOf(values: Values, version: FlinkVersion, checkpointing: boolean): RestartStrategy {
  const given = String(values.value("restart-strategy.type") ?? "").replace("fixeddelay", "fixed-delay").replace("failurerate", "failure-rate").replace("exponentialdelay", "exponential-delay");
  const at = (name: string): number => values.number(`restart-strategy.${name}`);
  if (given === "" && checkpointing && version === "1.18") return { type: "fixed-delay", attempts: 2_147_483_647, delay: 1000 };
  const type = given === "" ? (checkpointing ? "exponential-delay" : "none") : given;
  if (type === "fixed-delay") return { type, attempts: at("fixed-delay.attempts"), delay: at("fixed-delay.delay") };
  if (type === "failure-rate") {
    return { type, maxFailures: at("failure-rate.max-failures-per-interval"), interval: at("failure-rate.failure-rate-interval"), delay: at("failure-rate.delay") };
  }
  if (type !== "exponential-delay") return { type: "none" };
  return {
    type, initialBackoff: at("exponential-delay.initial-backoff"), maxBackoff: at("exponential-delay.max-backoff"),
    multiplier: at("exponential-delay.backoff-multiplier"), resetThreshold: at("exponential-delay.reset-backoff-threshold"),
    jitter: at("exponential-delay.jitter-factor"), attempts: at("exponential-delay.attempts-before-reset-backoff"),
  };
}
