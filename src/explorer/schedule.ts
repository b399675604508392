/**
 * What the search has found as a scenario: the document that was searched, with the failures at their steps and a
 * schedule of the choices that the simulator would not have made by itself. And what happens in it, in a few sentences.
 */
import { at } from "../base/assert.ts";
import type { EventType } from "../protocol/events.ts";
import { EventLog } from "../protocol/log.ts";
import { type TraceEntry, traceEntry } from "../protocol/trace.ts";
import type { Decisions } from "../engine/decisions.ts";
import { Simulation } from "../engine/simulation.ts";
import { faultText } from "../scenario/exploration.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { type Decision, type Move, Mover } from "./search-moves.ts";
import { crashes } from "../scenario/targets.ts";

export type Document = { readonly [key: string]: unknown };

export interface Path {
  /** Entries that lead to what was found. */
  readonly steps: number;
  readonly faults: readonly Document[];
  readonly schedule: readonly (readonly [step: number, choice: number])[];
  readonly entries: readonly TraceEntry[];
  readonly story: { readonly en: string; readonly zh: string };
}

interface PathOptions {
  readonly targets?: readonly Command[];
  readonly defects?: Partial<Decisions>;
}

/**
 * A scenario as the search runs it: from its beginning to where all is drained, in an order of the search's own. Faults at
 * a step are left out: which entry a step is depends on the order.
 */
export function searched(scenario: Scenario): Scenario {
  const faults = scenario.faults.filter(({ at: moment }) => moment.kind !== "step");
  return { ...scenario, faults, until: { kind: "drained" }, schedule: null };
}

function isAtStep(fault: unknown): boolean {
  const moment = typeof fault === "object" && fault !== null && "at" in fault ? fault.at : null;
  return typeof moment === "object" && moment !== null && "step" in moment;
}

/** Plays moves that the search has made, and tells them as failures and deviations. */
export function pathOf(scenario: Scenario, moves: readonly Move[], options: PathOptions = {}): Path {
  const log = new EventLog();
  const simulation = Simulation.start(searched(scenario), {
    log,
    ...(options.defects && { defects: options.defects }),
  });
  const { graph } = simulation.session.plan;
  const targets = options.targets ?? crashes(graph, scenario);
  simulation.session.commands.push(...targets);
  const mover = new Mover(graph, targets);
  const decisions: Decision[] = [];
  mover.settle(simulation, decisions);
  for (const move of moves) mover.play(simulation, move, decisions);
  const entries = Array.from({ length: log.length }, (_, step) => traceEntry(graph, log, step));
  return {
    steps: log.length,
    entries,
    faults: decisions.flatMap(({ step, choice, failure }) =>
      choice === null ? [faultText({ step, command: at(targets, failure) })] : [],
    ),
    schedule: deviations(decisions),
    story: storyOf(entries),
  };
}

/** The document that shows what was found: `sim FILE` plays it. */
export function shown(document: Document, { faults, schedule }: Path): Document {
  const { faults: own, until: _, ...rest } = document;
  const kept = (Array.isArray(own) ? (own as unknown[]) : []).filter((fault) => !isAtStep(fault));
  return { ...rest, faults: [...kept, ...faults], schedule, until: "drained" };
}

/** A document that must be right, as a scenario. */
export function scenarioOf(document: Document): Scenario {
  const read = scenarioFrom(document);
  if (!read.ok) throw new Error(read.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  return read.value;
}

/** The choices of every step at which one of them is not the simulator's own, or at which a failure waits for them. */
function deviations(decisions: readonly Decision[]): [number, number][] {
  const steps = new Map<number, { choices: number[]; deviates: boolean }>();
  for (const { step, choice, own } of decisions) {
    const here = steps.get(step) ?? { choices: [], deviates: false };
    steps.set(step, here);
    if (choice === null) here.deviates = true;
    else here.choices.push(choice);
    if (!own) here.deviates = true;
  }
  return [...steps].flatMap(([step, { choices, deviates }]) =>
    deviates ? choices.map((choice): [number, number] => [step, choice]) : [],
  );
}

interface Sentence {
  readonly en: string;
  readonly zh: string;
}

/** What an entry says, with its fields in braces. */
const sentences: { readonly [T in EventType]?: Sentence } = {
  FaultInjected: { en: "{do} {subtask}{taskManager}", zh: "{do} {subtask}{taskManager}" },
  CheckpointTriggered: { en: "checkpoint {checkpoint} is triggered", zh: "checkpoint {checkpoint} 被触发" },
  SnapshotTaken: {
    en: "{subtask} takes its snapshot for checkpoint {checkpoint}",
    zh: "{subtask} 为 checkpoint {checkpoint} 做快照",
  },
  CheckpointCompleted: { en: "checkpoint {checkpoint} completes", zh: "checkpoint {checkpoint} 完成" },
  CheckpointAborted: {
    en: "checkpoint {checkpoint} is aborted ({reason})",
    zh: "checkpoint {checkpoint} 被中止（{reason}）",
  },
  AcknowledgementDiscarded: {
    en: "an acknowledgement of {subtask} for checkpoint {checkpoint} comes too late",
    zh: "{subtask} 对 checkpoint {checkpoint} 的确认来得太晚",
  },
  TransactionPreCommitted: { en: "{transaction} is pre-committed", zh: "{transaction} 预提交" },
  TransactionCommitted: { en: "{transaction} is committed", zh: "{transaction} 提交" },
  TransactionAborted: { en: "{transaction} is aborted", zh: "{transaction} 被中止" },
  TransactionTimedOut: { en: "{transaction} times out", zh: "{transaction} 超时" },
  LeadershipLost: { en: "the JobManager is gone", zh: "JobManager 丢失" },
  LeadershipGranted: {
    en: "a standby takes over with checkpoint {checkpoint}",
    zh: "备用 JobManager 以 checkpoint {checkpoint} 接管",
  },
  RestartScheduled: { en: "a restart is scheduled", zh: "安排重启" },
  StateRestored: { en: "{subtask} is given checkpoint {checkpoint}", zh: "{subtask} 从 checkpoint {checkpoint} 恢复" },
};

function filled(template: string, entry: TraceEntry): string {
  return template
    .replaceAll(/\{(\w+)\}/g, (_, field: string) => {
      const value = entry[field];
      return typeof value === "string" || typeof value === "number" ? String(value) : "";
    })
    .trim();
}

/** Failures and the protocol's main events, in order. */
function storyOf(entries: readonly TraceEntry[]): Sentence {
  const told = entries.flatMap((entry) => {
    const sentence = sentences[entry.type];
    return sentence === undefined ? [] : [{ en: filled(sentence.en, entry), zh: filled(sentence.zh, entry) }];
  });
  if (told.length === 0) return { en: "Nothing of note happens before.", zh: "此前没有值得一提的事件。" };
  return { en: `${told.map(({ en }) => en).join("; ")}.`, zh: `${told.map(({ zh }) => zh).join("；")}。` };
}
