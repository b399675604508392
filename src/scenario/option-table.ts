/** The options of one scenario: what it sets, each read as Flink reads it, and the defaults of its version for the rest. */
import { didYouMean } from "./nearest.ts";
import { type Scalar, allowedValues, readValue } from "./option-values.ts";
import { type Option, findOption, isBefore, isIn, optionKeys, spellingOf, standardOf } from "./options.ts";
import type { Problems } from "./problems.ts";
import type { FlinkVersion, Notice } from "./scenario.ts";

interface Given {
  readonly spelling: string;
  readonly raw: Scalar;
  readonly value: Scalar;
}

export class OptionValues {
  readonly version: FlinkVersion;
  private readonly problems: Problems;
  private readonly notices: Notice[];
  private readonly values = new Map<string, Given>();

  constructor(
    source: { readonly [key: string]: Scalar },
    version: FlinkVersion,
    problems: Problems,
    notices: Notice[],
  ) {
    this.version = version;
    this.problems = problems;
    this.notices = notices;
    for (const [key, raw] of Object.entries(source)) this.take(key, raw);
  }

  private take(spelling: string, raw: Scalar): void {
    const found = findOption(spelling);
    if (found === undefined) {
      this.problem(
        spelling,
        raw,
        `Unknown option.${didYouMean(spelling, optionKeys)} Only options that this program knows can be set.`,
      );
      return;
    }
    if (!this.isOfVersion(spelling, raw, found)) return;
    const value = readValue(found.kind, raw);
    if (value === null) {
      this.problem(spelling, raw, allowedValues(found.kind));
      return;
    }
    if (found.only !== null && !found.only.values.includes(String(value))) {
      this.problem(
        spelling,
        raw,
        `Not simulated yet. ${found.only.instead}${found.only.values.length === 0 ? "" : ` Allowed: ${found.only.values.join(", ")}.`}`,
      );
      return;
    }
    if (!isIn(found, this.version))
      this.notice("NOT_SIMULATED", spelling, `Flink ${this.version} has this option no more; it takes no notice.`);
    else if (!found.effect)
      this.notice("NOT_SIMULATED", spelling, "Flink knows this option; a run of today does not depend on it.");
    const other = this.values.get(found.key);
    if (other !== undefined && spelling !== found.key) return;
    this.values.set(found.key, { spelling, raw, value });
  }

  /** A newer spelling is unknown to an older Flink; an older one is read and reported. */
  private isOfVersion(spelling: string, raw: Scalar, found: Option): boolean {
    const { version } = this;
    const current = spellingOf(found, version);
    if (isBefore(version, found.since)) {
      this.problem(spelling, raw, `Flink ${version} does not know this option; ${found.since} does.`);
      return false;
    }
    if (spelling === found.key && current !== found.key) {
      this.problem(spelling, raw, `Flink ${version} does not know this spelling; there it is ${current}.`);
      return false;
    }
    if (spelling !== current)
      this.notice("KEY_RENAMED", spelling, `An older spelling; Flink ${version} calls it ${current}.`);
    return true;
  }

  private problem(spelling: string, raw: Scalar | undefined, message: string): void {
    this.problems.add(["config", spelling], raw, message);
  }

  notice(code: string, key: string, message: string): void {
    const spelling = this.values.get(key)?.spelling ?? key;
    this.notices.push({ code, path: `config.${spelling}`, message });
  }

  /** What the scenario sets; `undefined`: nothing. */
  given(key: string): Scalar | undefined {
    return this.values.get(key)?.value;
  }

  /** What is in force: what is set, else the version's default. */
  value(key: string): Scalar | null {
    const given = this.values.get(key);
    if (given !== undefined) return given.value;
    const found = findOption(key);
    const standard = found === undefined ? null : standardOf(found, this.version);
    return found === undefined || standard === null ? null : readValue(found.kind, standard);
  }

  number(key: string): number {
    return Number(this.value(key) ?? 0);
  }

  /** As the scenario or Flink's documentation writes what is in force; `null`: nothing is. */
  text(key: string): string | null {
    const given = this.values.get(key);
    if (given !== undefined) return String(given.raw);
    const found = findOption(key);
    return found === undefined ? null : standardOf(found, this.version);
  }

  refuse(key: string, message: string): void {
    const given = this.values.get(key);
    this.problem(given?.spelling ?? key, given?.raw ?? this.text(key) ?? undefined, message);
  }

  atLeast(key: string, least: number, message: string): void {
    if (this.values.has(key) && this.number(key) < least) this.refuse(key, message);
  }

  atMost(key: string, most: number): void {
    if (this.values.has(key) && this.number(key) > most) this.refuse(key, `At most ${most} is simulated.`);
  }
}
