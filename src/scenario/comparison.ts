/**
 * Runs to be looked at side by side: one scenario, what goes wrong in it, and variants that differ in Flink's options only.
 * So input, seed and failures are the same, and what differs between the runs comes from the options.
 */
import type { Result } from "../base/result.ts";
import { type CommandText, commandText } from "./command-text.ts";
import { findOption, spellingOf } from "./options.ts";
import { scenarioFrom } from "./parse.ts";
import { modes } from "./library/modes.ts";
import { type Command, type FlinkVersion, type Scenario, flinkVersions } from "./scenario.ts";

/** A scenario file's content, not read yet. */
export type ScenarioSource = { readonly [key: string]: unknown };

export const variantIds = ["aligned", "unaligned", "at-least-once"] as const;
export type VariantId = (typeof variantIds)[number];

export interface Variant {
  readonly id: VariantId;
  /** Flink's options that it sets, by their newest spelling; all others stay as the scenario has them. */
  readonly config: { readonly [key: string]: string | boolean };
}

/** A fault of a comparison. It acts at a moment of simulated time: steps and ids mean something else in each run. */
export type TimedFault = { readonly at: { readonly time: string } } & CommandText;

export interface Comparison {
  readonly source: ScenarioSource;
  /** Added to the scenario's own. */
  readonly faults: readonly TimedFault[];
  readonly variants: readonly Variant[];
}

const mode = "execution.checkpointing.mode";
const unaligned = "execution.checkpointing.unaligned.enabled";

/**
 * How barriers come through. At-least-once leaves `unaligned.enabled` as it is: Flink does not look at it then, and says so
 * (CP-081).
 */
export const checkpointingModes: readonly Variant[] = [
  { id: "aligned", config: { [mode]: "EXACTLY_ONCE", [unaligned]: false } },
  { id: "unaligned", config: { [mode]: "EXACTLY_ONCE", [unaligned]: true } },
  { id: "at-least-once", config: { [mode]: "AT_LEAST_ONCE" } },
];

/** Under backpressure, with a failure in the middle of a checkpoint that follows a completed one. */
export const slowSink: Comparison = {
  source: modes,
  faults: [{ at: { time: "2 s" }, do: "fail-task", target: "count[0]" }],
  variants: checkpointingModes,
};

export function timedFault(clock: number, command: Command): TimedFault {
  return { at: { time: `${clock} ms` }, ...commandText(command) };
}

/** A variant as a scenario file: what it sets takes the place of every spelling of the option. */
export function variantSource({ source, faults }: Comparison, { config }: Variant): ScenarioSource {
  const version = flinkVersions.find((known) => known === source["flink"]) ?? "2.2";
  const given = record(source["config"]);
  const spellings = Object.keys(config).flatMap((key) => spellingsOf(key));
  const kept = Object.entries(given).filter(([key]) => !spellings.includes(key));
  const set = Object.entries(config).map(([key, value]) => [spellingIn(key, version), value]);
  return {
    ...source,
    config: Object.fromEntries([...kept, ...set]) as ScenarioSource,
    faults: [...list(source["faults"]), ...faults],
  };
}

/** What Flink says to it: a scenario, with notices, or a refusal. */
export function variantScenario(comparison: Comparison, variant: Variant): Result<Scenario> {
  return scenarioFrom(variantSource(comparison, variant));
}

/** The newest spelling of an option, then the older ones. */
export function spellingsOf(key: string): readonly string[] {
  return [key, ...(findOption(key)?.older ?? [])];
}

function spellingIn(key: string, version: FlinkVersion): string {
  const option = findOption(key);
  return option === undefined ? key : spellingOf(option, version);
}

export const record = (value: unknown): ScenarioSource =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ScenarioSource) : {};
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
