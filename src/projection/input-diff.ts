/**
 * What two runs were given that is not the same: options of Flink, other parts of the scenario, faults and operations; and
 * for each the first entry that came of it. That entry hangs by a cause of the log on one that both runs have, or on the
 * entry of the command itself: there the difference acted.
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { commandText } from "../scenario/command-text.ts";
import { type Place, difference } from "../scenario/json-difference.ts";
import { findOption } from "../scenario/options.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { entriesDecidedBy } from "./option-entries.ts";
import { places } from "./fields.ts";
import { type RunDiff, type Side, counterparts, ownSteps } from "./run-diff.ts";

/** A run with what it was given. Commands are in the order in which its log counts them, the scenario's own first. */
export interface GivenSide {
  readonly log: EventLog;
  readonly scenario: Scenario;
  /** The scenario's file, parsed as JSON. */
  readonly source: unknown;
  readonly commands: readonly Command[];
}

/** An entry that came of a difference, and what of the log it hangs on. */
export interface FirstEffect {
  readonly side: Side;
  readonly step: number;
  /** The cause that the log has: the command's entry, or one that both runs have; `-1`: none, only its time was given. */
  readonly cause: number;
  /** The entry that stands for it in the other run, if one does. */
  readonly other: number | null;
}

export interface OptionDifference {
  readonly kind: "option";
  readonly key: string;
  /** `null`: it has none there. */
  readonly a: string | null;
  readonly b: string | null;
  /** `null`: no entry that is not the same in both hangs on it. */
  readonly effect: FirstEffect | null;
}

/** Another part of the scenario: its job, its input, its seed. */
export interface PartDifference {
  readonly kind: "part";
  readonly path: string;
  readonly a: string | null;
  readonly b: string | null;
  readonly effect: FirstEffect | null;
}

/** A command that acted: its entry; or one that was planned, and never did. */
export interface Acted {
  readonly command: Command;
  readonly step: number | null;
  readonly clock: number | null;
}

export interface CommandDifference {
  readonly kind: "command";
  /** `onlyB`: it was added; `onlyA`: it was taken out; `moved`: it acted at another time. */
  readonly change: "onlyA" | "onlyB" | "moved";
  readonly a: Acted | null;
  readonly b: Acted | null;
  readonly effect: FirstEffect | null;
}

export type InputDifference = OptionDifference | PartDifference | CommandDifference;

/** In order: options, other parts, commands by the time at which they first act. */
export function inputDiff(a: GivenSide, b: GivenSide, diff: RunDiff): readonly InputDifference[] {
  const roots = rootsOf(a, b, diff);
  const commands = commandDifferences(a, b, roots);
  const options = optionDifferences(a.scenario, b.scenario, roots);
  const parts = partDifferences(a.source, b.source);
  const all = [...options, ...parts, ...commands];
  // Where it is the only one, all that differs comes of it.
  const [only] = all;
  return all.length === 1 && only !== undefined && only.effect === null
    ? [{ ...only, effect: roots.first(() => true) }]
    : all;
}

/** Entries of both runs that are not the same, though what they hang on is, or though they hang on nothing. */
interface Roots {
  first(isMeant: (log: EventLog, step: number) => boolean): FirstEffect | null;
  /** The first entry that a step brought about. */
  after(side: Side, step: number): FirstEffect | null;
}

function rootsOf(a: GivenSide, b: GivenSide, diff: RunDiff): Roots {
  const sides = { a: own(a, diff, "a"), b: own(b, diff, "b") };
  const all = [...sides.a.roots, ...sides.b.roots].sort((x, y) => clockOf(x) - clockOf(y) || x.step - y.step);
  function clockOf({ side, step }: FirstEffect): number {
    return (side === "a" ? a : b).log.clock(step);
  }
  return {
    first: (isMeant) => all.find(({ side, step }) => isMeant((side === "a" ? a : b).log, step)) ?? null,
    after(side, step) {
      const { log } = side === "a" ? a : b;
      for (let each = step + 1; each < log.length; each++)
        if (log.cause(each) === step)
          return { side, step: each, cause: step, other: sides[side].others.get(each) ?? null };
      return null;
    },
  };
}

function own({ log }: GivenSide, diff: RunDiff, side: Side): { roots: FirstEffect[]; others: Map<number, number> } {
  const steps = ownSteps(diff, side);
  const others = counterparts(diff, side);
  const roots = [...steps]
    .filter((step) => !steps.has(log.cause(step)))
    .sort((x, y) => x - y)
    .map((step) => ({ side, step, cause: log.cause(step), other: others.get(step) ?? null }));
  return { roots, others };
}

function optionDifferences(a: Scenario, b: Scenario, roots: Roots): OptionDifference[] {
  const [inA, inB] = [effective(a), effective(b)];
  const keys = [...new Set([...inA.keys(), ...inB.keys()])].filter((key) => inA.get(key) !== inB.get(key));
  return keys.map((key) => {
    const types = new Set<number>(entriesDecidedBy(key).map((type) => EventNumber[type]));
    const effect = roots.first((log, step) => types.has(log.type(step)));
    return { kind: "option", key, a: inA.get(key) ?? null, b: inB.get(key) ?? null, effect };
  });
}

/** By the newest spelling, so that another version's spelling is no difference. */
function effective({ config }: Scenario): Map<string, string> {
  return new Map(config.effective.map(({ key, value }) => [findOption(key)?.key ?? key, value]));
}

/** Parts of a scenario file that are told otherwise, or that a run does not depend on. */
const elsewhere: ReadonlySet<string> = new Set(["config", "faults", "id", "title", "description", "concepts", "shelf"]);
/** As many places are told, and so many characters of what stands there. */
const PLACES = 12;
const CHARACTERS = 60;

function partDifferences(a: unknown, b: unknown): PartDifference[] {
  return difference(a, b)
    .filter(([[part]]) => !elsewhere.has(String(part)))
    .slice(0, PLACES)
    .map(([place]) => ({
      kind: "part",
      path: place.join("."),
      a: valueAt(a, place),
      b: valueAt(b, place),
      effect: null,
    }));
}

function valueAt(document: unknown, place: Place): string | null {
  let value = document;
  for (const step of place) {
    if (typeof value !== "object" || value === null) return null;
    value = Object.entries(value).find(([key]) => key === String(step))?.[1];
  }
  if (value === undefined) return null;
  const written = JSON.stringify(value);
  return written.length > CHARACTERS ? `${written.slice(0, CHARACTERS)}…` : written;
}

const injected = places("FaultInjected");

/** A command with what tells it from another of the same words. */
interface Given extends Acted {
  readonly words: string;
  /** When it was to act, where the scenario says so. */
  readonly planned: string | null;
}

/** What acted in a run, in turn, and then what the scenario has planned and never acted. */
function given({ log, scenario, commands }: GivenSide): Given[] {
  const acted: Given[] = [];
  const seen = new Set<number>();
  const made = (index: number, step: number | null): Given => {
    const command = at(commands, index);
    const moment = scenario.faults[index]?.at ?? null;
    return {
      command,
      step,
      clock: step === null ? null : log.clock(step),
      words: JSON.stringify(commandText(command)),
      planned: moment === null ? null : JSON.stringify(moment),
    };
  };
  for (let step = 0; step < log.length; step++) {
    if (log.type(step) !== EventNumber.FaultInjected) continue;
    const index = log.field(step, injected.fault);
    seen.add(index);
    acted.push(made(index, step));
  }
  return [...acted, ...scenario.faults.flatMap((_, index) => (seen.has(index) ? [] : [made(index, null)]))];
}

/**
 * What was planned for the same moment is no difference, whenever that came; nor is what acted at the same time. Of the
 * rest, the same command acted at another time, or in one run only.
 */
function commandDifferences(a: GivenSide, b: GivenSide, roots: Roots): CommandDifference[] {
  const [restA, restB] = [given(a), given(b)];
  for (const same of [isPlannedAlike, actsAtOnce]) pairs(restA, restB, same);
  const moved = pairs(restA, restB, (x, y) => x.words === y.words);
  const all: CommandDifference[] = [
    ...moved.map(([x, y]) => changed("moved", x, y, roots)),
    ...restA.map((x) => changed("onlyA", x, null, roots)),
    ...restB.map((y) => changed("onlyB", null, y, roots)),
  ];
  const clock = ({ a: x, b: y }: CommandDifference): number => Math.min(x?.clock ?? Infinity, y?.clock ?? Infinity);
  return all.sort((x, y) => clock(x) - clock(y));
}

const isPlannedAlike = (x: Given, y: Given): boolean =>
  x.planned !== null && x.planned === y.planned && x.words === y.words;
const actsAtOnce = (x: Given, y: Given): boolean => x.clock === y.clock && x.words === y.words;

/** Takes out of both lists what belongs together, in turn. */
function pairs(as: Given[], bs: Given[], together: (a: Given, b: Given) => boolean): [Given, Given][] {
  const found: [Given, Given][] = [];
  for (const a of as.splice(0)) {
    const place = bs.findIndex((each) => together(a, each));
    const [b] = place < 0 ? [] : bs.splice(place, 1);
    if (b === undefined) as.push(a);
    else found.push([a, b]);
  }
  return found;
}

function changed(
  change: CommandDifference["change"],
  a: Given | null,
  b: Given | null,
  roots: Roots,
): CommandDifference {
  // Of one that was moved, what came of it where it acted first.
  const first = (a?.clock ?? Infinity) < (b?.clock ?? Infinity) ? "a" : "b";
  const step = (first === "a" ? a : b)?.step ?? null;
  const acted = (of: Given | null): Acted | null =>
    of === null ? null : { command: of.command, step: of.step, clock: of.clock };
  return { kind: "command", change, a: acted(a), b: acted(b), effect: step === null ? null : roots.after(first, step) };
}
