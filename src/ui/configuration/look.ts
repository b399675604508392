/** What rules are given, and how they look at it. */
import { parseDuration } from "../../scenario/durations.ts";
import { type Option, findOption, standardOf } from "../../scenario/options.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type Draft, changed, valueIn } from "./draft.ts";

export interface Fix {
  readonly label: string;
  readonly to: Draft;
}

export interface Rule {
  readonly id: string;
  /** A key of Flink by its newest spelling, or one of the draft's for Kafka. */
  readonly key: string;
  readonly kind: "blocks" | "corrects" | "warns" | "info";
  readonly message: string;
  readonly fixes: readonly Fix[];
}

/** Milliseconds that a checkpoint took; `expired`: so long, and it was not finished. */
export interface Longest {
  readonly ms: number;
  readonly expired: boolean;
}

export interface Given {
  readonly draft: Draft;
  /** The scenario's text with the draft in it; it may be one that cannot be read. */
  readonly text: string;
  /** The last that could be read: the job, its broker and its timing. */
  readonly scenario: Scenario;
  /** Of the run's checkpoints; `null`: none came to an end. */
  readonly longest: Longest | null;
  /** The numbers of key groups that a snapshot of the run has; empty: nothing runs. */
  readonly keyGroups: readonly number[];
}

export const ck = (name: string): string => `execution.checkpointing.${name}`;

export function optionOf(key: string): Option {
  const option = findOption(key);
  if (option === undefined) throw new Error(`no option ${key}`);
  return option;
}

/** A draft as rules look at it. */
export class Look {
  readonly given: Given;
  readonly draft: Draft;
  readonly scenario: Scenario;

  constructor(given: Given) {
    this.given = given;
    this.draft = given.draft;
    this.scenario = given.scenario;
  }

  text(key: string): string | null {
    const option = optionOf(key);
    return valueIn(this.draft, option) ?? standardOf(option, this.scenario.flink);
  }

  isSet(key: string): boolean {
    return valueIn(this.draft, optionOf(key)) !== null;
  }

  is(key: string, value: string): boolean {
    return this.text(key)?.toUpperCase() === value.toUpperCase();
  }

  number(key: string): number {
    return Number(this.text(key));
  }

  /** A whole number from 1 on that the draft sets; `null`: it sets none. */
  count(key: string): number | null {
    const value = this.isSet(key) ? this.number(key) : 0;
    return Number.isInteger(value) && value >= 1 ? value : null;
  }

  time(key: string): number | null {
    const text = this.text(key);
    return text === null ? null : parseDuration(text);
  }

  fix(label: string, ...set: readonly (readonly [string, string | null])[]): Fix {
    const { flink } = this.scenario;
    return { label, to: set.reduce((draft, [key, value]) => changed(draft, optionOf(key), value, flink), this.draft) };
  }
}
