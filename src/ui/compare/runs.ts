/**
 * The runs of a comparison, each in an engine of its own. A run that Flink refuses, or that breaks off, leaves the others
 * as they are.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { at } from "../../base/assert.ts";
import type { Problem, Result } from "../../base/result.ts";
import { type RunMeasures, runMeasures } from "../../projection/run-measures.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import type { Report } from "../../scenario/report.ts";
import type { Notice, Scenario } from "../../scenario/scenario.ts";
import { type Comparison, type Variant, type VariantId, variantSource } from "../../scenario/comparison.ts";
import { parseScenario } from "../../scenario/parse.ts";
import type { BranchId, Reply, Violation } from "../../worker/port.ts";
import { nameOfBranch } from "../branches.ts";
import { factsOf } from "../facts.ts";
import type { EngineConnection } from "../link.ts";
import { prettyJson } from "../pretty-json.ts";
import { Run } from "../run.ts";
import type { Session } from "../store.ts";
import type { Along } from "./cursor.ts";

export interface VariantRun {
  readonly kind: "variant";
  readonly id: VariantId;
}

/** A run that is there already: a branch of the session on screen. */
export interface BranchOf {
  readonly kind: "branch";
  readonly branch: BranchId;
  readonly name: string;
}

/** Another run: saved, or of the library. */
export interface OtherRun {
  readonly kind: "other";
  readonly name: string;
}

/** One of the runs. A new object tells that something in it has changed. */
export interface ComparedRun {
  readonly id: string;
  readonly of: VariantRun | BranchOf | OtherRun;
  /** As a scenario file. */
  readonly text: string;
  /** `null`: Flink refuses it, for these reasons. */
  readonly scenario: Scenario | null;
  readonly problems: readonly Problem[];
  readonly run: Run | null;
  /** Entries so far. */
  readonly length: number;
  /** `null`: it is being computed, or it broke off. */
  readonly report: Report | null;
  readonly measures: RunMeasures | null;
  readonly violation: Violation | null;
  /** Why it broke off; `null`: it did not. */
  readonly broken: string | null;
}

/** The only session of each engine. */
const SESSION = 1;

export class ComparedRuns {
  readonly store: StoreApi<{ readonly runs: readonly ComparedRun[] }>;
  private readonly comparison: Comparison | readonly ComparedRun[];
  private readonly connect: () => EngineConnection;
  private readonly engines: EngineConnection[] = [];

  constructor(comparison: Comparison | readonly ComparedRun[], connect: () => EngineConnection) {
    this.comparison = comparison;
    this.connect = connect;
    this.store = createStore(() => ({ runs: isThere(comparison) ? comparison : preparedAll(comparison) }));
  }

  /** Computes those that are not there yet until the returned function is called; what there is by then stays. */
  start(): () => void {
    const runs = isThere(this.comparison) ? this.comparison.map(anew) : preparedAll(this.comparison);
    this.store.setState({ runs });
    runs.forEach(({ scenario, of }, index) => {
      if (scenario !== null && of.kind !== "branch") this.compute(index, scenario, this.connect());
    });
    return () => {
      for (const engine of this.engines.splice(0)) engine.close();
    };
  }

  private compute(index: number, scenario: Scenario, engine: EngineConnection): void {
    this.engines.push(engine);
    engine.subscribe((reply) => this.change(engine, index, (run) => taken(run, reply)));
    engine.onDeath((message) => this.change(engine, index, (run) => ({ ...run, broken: message })));
    engine.send({ type: "open", session: SESSION, scenario, checkInvariants: true });
  }

  private change(engine: EngineConnection, index: number, update: (run: ComparedRun) => ComparedRun): void {
    if (!this.engines.includes(engine)) return;
    this.store.setState(({ runs }) => ({ runs: runs.map((run, place) => (place === index ? update(run) : run)) }));
  }
}

/** A run that is computed begins from its first entry. */
function anew(compared: ComparedRun): ComparedRun {
  const { of, scenario } = compared;
  if (of.kind === "branch" || scenario === null) return compared;
  return { ...compared, run: runOf(scenario), length: 0, report: null, measures: null, violation: null, broken: null };
}

function isThere(comparison: Comparison | readonly ComparedRun[]): comparison is readonly ComparedRun[] {
  return Array.isArray(comparison);
}

/** Branches of a session, as far as they have been computed. */
export function branchRuns(session: Session, ids: readonly BranchId[]): ComparedRun[] {
  return ids.map((id, place) => {
    const { run, length, report, violation } = at(session.branches, id);
    return {
      id: `branch ${id}, ${place}`,
      of: { kind: "branch", branch: id, name: nameOfBranch(session, id) },
      text: session.text,
      scenario: session.scenario,
      problems: [],
      run,
      length,
      report,
      measures: report === null ? null : runMeasures(run.log, report),
      violation,
      broken: null,
    };
  });
}

function preparedAll(comparison: Comparison): ComparedRun[] {
  return comparison.variants.map((variant) => prepared(comparison, variant));
}

function prepared(comparison: Comparison, variant: Variant): ComparedRun {
  const text = prettyJson(variantSource(comparison, variant));
  return waiting(variant.id, { kind: "variant", id: variant.id }, text, parseScenario(text));
}

/** A run that is computed beside the one on screen. */
export function otherRun(id: string, name: string, text: string, read: Result<Scenario>): ComparedRun {
  return waiting(id, { kind: "other", name }, text, read);
}

function waiting(id: string, of: ComparedRun["of"], text: string, read: Result<Scenario>): ComparedRun {
  const scenario = read.ok ? read.value : null;
  return {
    id,
    of,
    text,
    scenario,
    problems: read.ok ? [] : read.problems,
    run: scenario === null ? null : runOf(scenario),
    length: 0,
    report: null,
    measures: null,
    violation: null,
    broken: null,
  };
}

function runOf(scenario: Scenario): Run {
  return new Run({ graph: executionGraph(scenario), scenario, parent: null, base: 0, commands: scenario.faults });
}

function taken(compared: ComparedRun, reply: Reply): ComparedRun {
  const { run } = compared;
  if (run === null) return compared;
  switch (reply.type) {
    case "opened":
    case "forked":
    case "judged":
    case "paused":
      return compared;
    case "appended":
      run.append(reply.chunk);
      return { ...compared, length: run.log.length };
    case "ended":
      run.fit();
      return { ...compared, report: reply.report, measures: runMeasures(run.log, reply.report) };
    case "violated":
      return { ...compared, violation: reply.violation };
    case "failed":
      return { ...compared, broken: reply.message };
  }
}

export function isComputing({ scenario, report, broken }: ComparedRun): boolean {
  return scenario !== null && report === null && broken === null;
}

export function along({ run }: ComparedRun): Along[] {
  if (run === null) return [];
  const { timeline, index } = factsOf(run);
  return [{ log: run.log, checkpoints: timeline.checkpoints, phases: index.phases }];
}

/** What Flink says of one run and not of all. */
export function ownNotices({ scenario }: ComparedRun, runs: readonly ComparedRun[]): readonly Notice[] {
  const others = runs.flatMap((run) => (run.scenario === null ? [] : [run.scenario.notices]));
  const toAll = ({ code, path }: Notice): boolean =>
    others.every((notices) => notices.some((notice) => notice.code === code && notice.path === path));
  return scenario?.notices.filter((notice) => !toAll(notice)) ?? [];
}
