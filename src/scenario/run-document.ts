/**
 * A run and a moment in it as data: a scenario, or what makes it another than one of the library; what was decided, as a
 * tree of branches; where the cursor stands, what is selected; and marks by which another version of the program can tell
 * whether it makes the same run of it. What comes out of a link, a file or the browser's storage is somebody's text: it is
 * parsed like a scenario.
 */
import type { Problem, Result } from "../base/result.ts";
import { type CommandText, commandText } from "./command-text.ts";
import { type Change, changedBy, difference } from "./json-difference.ts";
import { library } from "./library.ts";
import { scenarioFrom } from "./parse.ts";
import type { Command, Scenario } from "./scenario.ts";

/** Of this format. One that the program does not know is said to be of another version, and not guessed at. */
const FORMAT = 1;

/** What was decided: in a branch, at a step, and how the branch that it opened is called. */
export interface WrittenFork {
  readonly branch: number;
  readonly step: number;
  readonly command: CommandText;
  readonly name?: string;
}

/** A step, and a hash of all entries up to it. */
export type Mark = readonly [step: number, hash: number];

export interface RunDocument {
  readonly run: number;
  /** A scenario of the library, and what makes the run's own of it. */
  readonly library?: string;
  readonly change?: readonly Change[];
  readonly scenario?: unknown;
  /** The n-th opens branch n + 1. */
  readonly forks?: readonly WrittenFork[];
  readonly branch?: number;
  readonly step: number;
  /** By its name on the stage. */
  readonly selection?: string;
  readonly panel?: string;
  /** What the inspector keeps besides, by names on the stage. */
  readonly pinned?: readonly string[];
  /** Entries that are played over and over. */
  readonly loop?: readonly [from: number, to: number];
  /** What the event log lets through, and where playing stops: as the page writes and checks them. */
  readonly filter?: unknown;
  readonly breakpoints?: readonly unknown[];
  readonly marks?: readonly Mark[];
  /** Of the program that made it. */
  readonly version?: string;
  /** Fields that were left out, since a link with them would be too long. */
  readonly without?: readonly string[];
}

export interface Fork {
  readonly branch: number;
  readonly step: number;
  readonly command: Command;
  readonly name: string | null;
}

/** A document that has been read. */
export interface ReadRun {
  readonly source: unknown;
  /** The library's scenario, unchanged; `null`: another. */
  readonly library: string | null;
  readonly scenario: Scenario;
  readonly forks: readonly Fork[];
  readonly branch: number;
  readonly step: number;
  readonly selection: string | null;
  readonly panel: string | null;
  readonly pinned: readonly string[];
  readonly loop: readonly [from: number, to: number] | null;
  /** Unread, as they are written. */
  readonly filter: unknown;
  readonly breakpoints: readonly unknown[];
  readonly marks: readonly Mark[];
  readonly version: string | null;
  readonly without: readonly string[];
  /** What this version cannot do of it, and left out. */
  readonly left: readonly Problem[];
}

/** The scenario in as few characters as may be: by the library's nearest, or whole. */
export function writtenScenario(source: unknown): Pick<RunDocument, "library" | "change" | "scenario"> {
  const whole = JSON.stringify(source).length;
  const candidates = library.map(({ id, source: known }) => {
    const change = difference(known, source);
    return { id, change, length: JSON.stringify(change).length };
  });
  const best = candidates.reduce((a, b) => (b.length < a.length ? b : a));
  if (best.length >= whole) return { scenario: source };
  return best.change.length === 0 ? { library: best.id } : { library: best.id, change: best.change };
}

export function writtenFork(branch: number, step: number, command: Command, name: string | null): WrittenFork {
  return { branch, step, command: commandText(command), ...(name !== null && { name }) };
}

/** The part of a document that is of no moment. */
export function writtenSource(source: unknown): Pick<RunDocument, "run" | "library" | "change" | "scenario"> {
  return { run: FORMAT, ...writtenScenario(source) };
}

/** Is this a run's document, of whatever version? Else it may be a scenario. */
export function isRunDocument(json: unknown): boolean {
  return typeof json === "object" && json !== null && "run" in json && !("job" in json);
}

export function readRun(json: unknown): Result<ReadRun> {
  if (!isRunDocument(json))
    return refused("", json, "This is no run: a run has the fields run, library or scenario, and step.");
  const written = json as { readonly [F in keyof RunDocument]?: unknown };
  if (written.run !== FORMAT)
    return refused(
      "run",
      written.run,
      `This run was saved by another version of this program, which writes runs of form ${FORMAT}.`,
    );
  const source = sourceOf(written);
  if (!source.ok) return source;
  const parsed = scenarioFrom(source.value);
  if (!parsed.ok) return parsed;
  const { forks, left } = forksOf(source.value, written.forks);
  const branch = whole(written.branch);
  const isUnchanged = typeof written.library === "string" && written.change === undefined;
  return {
    ok: true,
    value: {
      source: source.value,
      library: isUnchanged ? (written.library as string) : null,
      scenario: parsed.value,
      forks,
      branch: branch <= forks.length ? branch : 0,
      step: whole(written.step),
      selection: textOf(written.selection),
      panel: textOf(written.panel),
      pinned: list(written.pinned).filter(isText),
      loop: isLoop(written.loop) ? written.loop : null,
      filter: written.filter ?? null,
      breakpoints: list(written.breakpoints),
      version: textOf(written.version),
      without: list(written.without).filter(isText),
      marks: list(written.marks).filter(isMark),
      left,
    },
  };
}

function sourceOf({ library: id, change, scenario }: { readonly [F in keyof RunDocument]?: unknown }): Result<unknown> {
  if (id === undefined) return { ok: true, value: scenario };
  const known = library.find((entry) => entry.id === id);
  if (known === undefined)
    return refused(
      "library",
      id,
      `The library of this version has no such scenario; it has ${library.map((entry) => entry.id).join(", ")}.`,
    );
  // What changes it is somebody's: read as JSON, it can say nothing that a scenario file could not.
  const changed = changedBy(JSON.parse(known.text), list(change).filter(isChange));
  return changed === null || list(change).some((each) => !isChange(each))
    ? refused("change", change, `This changes something that the scenario ${known.id} of this version does not have.`)
    : { ok: true, value: changed };
}

/** Reads the branches in turn; from the first on that cannot be read, or hangs on such a one, they are left out. */
function forksOf(
  source: unknown,
  written: unknown,
): { readonly forks: readonly Fork[]; readonly left: readonly Problem[] } {
  const forks: Fork[] = [];
  const texts: { readonly [key: string]: unknown }[] = [];
  for (const [index, fork] of list(written).entries()) {
    const { branch, step, command, name } = (typeof fork === "object" && fork !== null ? fork : {}) as {
      readonly [key: string]: unknown;
    };
    const [parent, at] = [whole(branch), whole(step)];
    const text = { ...(typeof command === "object" ? command : null), at: { step: at } };
    const path = [...pathTo(forks, parent).map((place) => texts[place]), text];
    const parsed = scenarioFrom({
      ...(source as object),
      faults: [...list((source as { faults?: unknown }).faults), ...path],
    });
    if (parent > index || !parsed.ok) {
      const problem = parsed.ok
        ? { path: "branch", value: String(branch), message: "A branch leaves one that comes before it." }
        : (parsed.problems[0] as Problem);
      return { forks, left: [{ ...problem, path: `forks[${index}]` }] };
    }
    const { at: _, ...read } = parsed.value.faults.at(-1) as Scenario["faults"][number];
    forks.push({ branch: parent, step: at, command: read, name: textOf(name) });
    texts.push(text);
  }
  return { forks, left: [] };
}

/** Places of the forks on the way to a branch, the oldest first. */
function pathTo(forks: readonly Fork[], branch: number): number[] {
  const fork = branch === 0 ? undefined : forks[branch - 1];
  return fork === undefined ? [] : [...pathTo(forks, fork.branch), branch - 1];
}

function refused(path: string, value: unknown, message: string): Result<never> {
  return { ok: false, problems: [{ path, value: String(JSON.stringify(value)).slice(0, 80), message }] };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const whole = (value: unknown): number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;
const isText = (value: unknown): value is string => typeof value === "string";
const textOf = (value: unknown): string | null => (isText(value) ? value : null);
const isLoop = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => Number.isInteger(each) && each >= 0);
const isMark = (value: unknown): value is Mark =>
  Array.isArray(value) && value.length === 2 && value.every((each) => Number.isInteger(each));
const isChange = (value: unknown): value is Change =>
  Array.isArray(value) &&
  (value.length === 1 || value.length === 2) &&
  Array.isArray(value[0]) &&
  value[0].every((each) => typeof each === "string" || typeof each === "number");
