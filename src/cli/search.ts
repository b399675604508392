/**
 * `sim search`: every order of what nothing orders, with failures anywhere (the contract's section 5). Input is shortened
 * to what can be searched; each thing found comes with the smallest scenario that shows it.
 */
import { minimise, shortened } from "../explorer/minimise.ts";
import { type Document, pathOf, scenarioOf, shown } from "../explorer/schedule.ts";
import { type Finding, type SearchOutcome, search } from "../explorer/search.ts";
import { runScenario } from "../engine/run.ts";
import { isCommitted } from "../protocol/sinks.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Arguments } from "./arguments.ts";
import { Exit, type ExitStatus, type Io } from "./io.ts";
import { table } from "./report-text.ts";
import { readScenario } from "./scenario-file.ts";

/** More records of a topic than this are too many orders; then only so few are taken. */
const MOST_RECORDS = 4;
const FEW_RECORDS = 2;

interface Violation {
  readonly property: string;
  readonly message: string;
  readonly steps: number;
  readonly scenario: Document;
  readonly story: { readonly en: string; readonly zh: string };
}

export function searchCommand(given: Arguments, io: Io): ExitStatus {
  const whole = readScenario(given, io);
  if (!whole.ok) {
    io.error(whole.message);
    return Exit.badInput;
  }
  if (whole.value.faults.some(({ submission }) => submission !== undefined)) {
    io.error("search: it does not go on with a job that is submitted anew (restore, rescale); sweep does\n");
    return Exit.badInput;
  }
  const asked = whole.source as Document;
  const isLong = whole.value.topics.some(({ partitions }) => recordsIn(partitions) > MOST_RECORDS);
  const document = isLong ? shortened(asked, FEW_RECORDS) : asked;
  const scenario = scenarioOf(document);
  const { failures, states } = given;
  const started = performance.now();
  const outcome = search(scenario, {
    failures,
    states,
    onProgress: (at) => io.error(`${at.states} states, ${at.waiting} waiting, ${at.depth} moves deep\n`),
  });
  const seconds = Math.round(performance.now() - started) / 1000;
  const violations = outcome.findings.map((finding) => violationOf(document, scenario, finding, failures));
  const told = {
    states: outcome.states,
    transitions: outcome.transitions,
    seconds,
    exhaustive: outcome.exhaustive,
    covered: covered(whole.value, scenario, outcome, failures),
    violations,
  };
  io.out(given.json || !io.terminal ? `${JSON.stringify(told, null, 2)}\n` : text(told, outcome));
  if (violations.length === 0) return Exit.ran;
  return violations.some(({ property }) => isOurs(property)) ? Exit.ourDefect : Exit.worseThanExpected;
}

/** Invariants and assertions are promises of this program; the rest are those of the scenario. */
function isOurs(property: string): boolean {
  return property.startsWith("INV-") || property === "assertion";
}

function violationOf(document: Document, scenario: Scenario, finding: Finding, failures: number): Violation {
  const found = pathOf(scenario, finding.moves);
  const full = shown(document, found);
  const smallest = minimise(full, {
    fails: (candidate) => showsIn(candidate, finding.property),
    again: (candidate) => {
      const { faults: _, schedule: __, ...rest } = candidate;
      const smaller: Document = { ...rest, faults: document["faults"] ?? [] };
      const read = scenarioFrom(smaller);
      if (!read.ok) return null;
      const [other] = search(read.value, {
        failures,
        stopsAtFirst: true,
        asks: ({ property }) => property === finding.property,
      }).findings;
      return other === undefined ? null : shown(smaller, pathOf(read.value, other.moves));
    },
  });
  return {
    property: finding.property,
    message: finding.message,
    steps: found.steps,
    scenario: smallest,
    story: found.story,
  };
}

/** Does a run of the simulator go wrong in the same way? */
function showsIn(scenario: Scenario, property: string): boolean {
  if (property === "assertion") return false;
  const { report, violations } = runScenario(scenario, { checkInvariants: true });
  if (isOurs(property)) return violations.some(({ invariant }) => invariant === property);
  if (property.startsWith("eventually")) return report.ended === "stuck";
  const rows = property.startsWith("state")
    ? report.state
    : report.delivery.filter(({ reader }) => isCommitted(reader));
  return rows.some(({ lost, duplicated }) => (property.endsWith("lost") ? lost : duplicated).length > 0);
}

function recordsIn(partitions: readonly (readonly unknown[])[]): number {
  return partitions.reduce((sum, { length }) => sum + length, 0);
}

function covered(
  whole: Scenario,
  scenario: Scenario,
  { exhaustive, ends, depth }: SearchOutcome,
  failures: number,
): string {
  const records = (of: Scenario): number => of.topics.reduce((sum, { partitions }) => sum + recordsIn(partitions), 0);
  const cut = records(scenario) < records(whole) ? ` (of ${records(whole)}; the rest is left out)` : "";
  const what = `${records(scenario)} input records${cut}, up to ${failures} ${failures === 1 ? "failure" : "failures"} of a task, a TaskManager or the job at any place`;
  const how = "timers fire in due order, when nothing else can happen";
  return exhaustive
    ? `All orders with ${what}; ${how}. ${ends} different ends.`
    : `Orders with ${what}, up to ${depth} moves from the beginning; ${how}. Not all: a bound was reached.`;
}

function text(
  told: { states: number; transitions: number; seconds: number; covered: string; violations: readonly Violation[] },
  { exhaustive }: SearchOutcome,
): string {
  const head = `${told.states} states, ${told.transitions} transitions, ${told.seconds} s${exhaustive ? ", exhaustive" : ""}\n  ${told.covered}\n`;
  if (told.violations.length === 0) return `${head}  nothing is violated\n`;
  const rows = told.violations.map(({ property, steps, message }) => [property, String(steps), message]);
  const stories = told.violations.map(({ property, story }) => `\n${property}\n  ${story.en}\n`).join("");
  return `${head}${table("Violations", ["property", "steps", "how"], rows)}${stories}`;
}
