/**
 * A scenario's `config` while a person changes it: by the spelling that is used, as written. What is wrong with it, and what
 * Flink would do about it, is said by the scenario's own reader; keys and defaults are those of its one table of options.
 */
import type { Problem } from "../../base/result.ts";
import type { Scalar } from "../../scenario/option-values.ts";
import { type Option, isIn, options, spellingOf, standardOf } from "../../scenario/options.ts";
import { parseScenario } from "../../scenario/parse.ts";
import type { FlinkVersion, Notice, Scenario } from "../../scenario/scenario.ts";
import { prettyJson } from "../pretty-json.ts";
import { isKafka, kafkaDraft, withKafka } from "./kafka.ts";

export type Draft = { readonly [spelling: string]: Scalar };

/** What a scenario's text sets; it has been read before, so it is sound. */
export function draftOf(text: string): Draft {
  const document = JSON.parse(text) as { readonly config?: Draft };
  return { ...document.config, ...kafkaDraft(document) };
}

/** The scenario's text with another configuration. */
export function withConfig(text: string, config: Draft): string {
  return prettyJson({ ...withKafka({ ...(JSON.parse(text) as object) }, config), config: ofFlink(config) });
}

/** Flink's keys of a draft, without those of the connector and the broker. */
export function ofFlink(draft: Draft): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([key]) => !isKafka(key)));
}

/** The spelling by which a draft sets an option; `null`: it does not. */
function spellingIn(draft: Draft, { key, older }: Option): string | null {
  return [key, ...older].find((spelling) => spelling in draft) ?? null;
}

export function valueIn(draft: Draft, option: Option): string | null {
  const spelling = spellingIn(draft, option);
  return spelling === null ? null : String(draft[spelling]);
}

/** Sets an option by the version's own spelling, or the one that is there; `null` and nothing: its default. */
export function changed(draft: Draft, option: Option, value: string | null, version: FlinkVersion): Draft {
  const spelling = spellingIn(draft, option) ?? spellingOf(option, version);
  if (value !== null && value.trim() !== "") return { ...draft, [spelling]: typed(value, option) };
  return Object.fromEntries(Object.entries(draft).filter(([other]) => other !== spelling));
}

/** As YAML and JSON would have it: numbers and truth values without quotes. */
function typed(value: string, { kind }: Option): Scalar {
  const text = value.trim();
  if ((kind === "int" || kind === "double") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Keys, as they are spelled in either, whose values are not the same. */
export function differences(before: Draft, after: Draft): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter(
    (key) => String(before[key] ?? "") !== String(after[key] ?? "") || key in before !== key in after,
  );
}

export interface Said {
  readonly kind: "problem" | "notice";
  readonly message: string;
}

/** By spelling, or by its place in the scenario, what is said of it; beside, what is wrong at no key of Flink's. */
export interface Checked {
  readonly text: string;
  readonly scenario: Scenario | null;
  readonly said: ReadonlyMap<string, readonly Said[]>;
  readonly elsewhere: readonly Problem[];
}

const PREFIX = "config.";
/** A key with dots is written in brackets in a problem's path. */
const keyOf = (path: string): string | null =>
  /^config\["(.*)"\]$/.exec(path)?.[1] ?? (path.startsWith(PREFIX) ? path.slice(PREFIX.length) : null);

/** Its keys with dots without brackets. */
export function plainPath(path: string): string {
  return path.replaceAll(/\["(.*?)"\]/g, ".$1");
}

export function checked(text: string): Checked {
  const parsed = parseScenario(text);
  const said = new Map<string, Said[]>();
  const elsewhere: Problem[] = [];
  const note = (key: string, kind: Said["kind"], message: string): void => {
    said.set(key, [...(said.get(key) ?? []), { kind, message }]);
  };
  for (const problem of parsed.ok ? [] : parsed.problems) {
    const key = keyOf(problem.path);
    if (key === null) elsewhere.push(problem);
    note(key ?? plainPath(problem.path), "problem", problem.message);
  }
  const notices: readonly Notice[] = parsed.ok ? parsed.value.notices : [];
  for (const { path, message } of notices) {
    note(keyOf(path) ?? plainPath(path), "notice", message);
  }
  return { text, scenario: parsed.ok ? parsed.value : null, said, elsewhere };
}

const sectionNames = ["checkpointing", "unaligned", "storage", "recovery", "restart", "cluster", "pipeline"] as const;
export type SectionName = (typeof sectionNames)[number];

export interface Row {
  readonly option: Option;
  /** As the version calls it. */
  readonly spelling: string;
  /** Its default there; `null`: none. */
  readonly standard: string | null;
}

/** The first that fits. */
const places: readonly (readonly [RegExp, SectionName])[] = [
  [/^execution\.checkpointing\.(?:unaligned|aligned)/, "unaligned"],
  [/^execution\.state-recovery/, "recovery"],
  [/^state\./, "storage"],
  [
    /^execution\.checkpointing\.(?:storage|.*dir|incremental|data-inline|write-buffer|local-backup|file-merging|cleaner)/,
    "storage",
  ],
  [/^execution\.checkpointing|^web\.checkpoints/, "checkpointing"],
  [/^restart-strategy|^jobmanager\.execution/, "restart"],
  [/^(?:parallelism|pipeline|execution|sink)/, "pipeline"],
];

function sectionOf(key: string): SectionName {
  return places.find(([pattern]) => pattern.test(key))?.[1] ?? "cluster";
}

/** The options that a version has, by section, of which any spelling or the help has what is searched for. */
export function sections(
  version: FlinkVersion,
  query: string,
  help: (key: string) => string,
): { readonly name: SectionName; readonly rows: readonly Row[] }[] {
  const wanted = query.trim().toLowerCase().split(/\s+/);
  const found = options.filter((option) => {
    const words = [option.key, ...option.older, help(option.key)].join(" ").toLowerCase();
    return isIn(option, version) && wanted.every((word) => words.includes(word));
  });
  return sectionNames.flatMap((name) => {
    const rows = found
      .filter(({ key }) => sectionOf(key) === name)
      .map((option) => ({
        option,
        spelling: spellingOf(option, version),
        standard: standardOf(option, version),
      }));
    return rows.length === 0 ? [] : [{ name, rows }];
  });
}

/** What is said of an option under any of its spellings. */
export function saidOf({ said }: Checked, { key, older }: Option): readonly Said[] {
  return [key, ...older].flatMap((spelling) => said.get(spelling) ?? []);
}
