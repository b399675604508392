/**
 * What it would come to if something crashed now: each process that can fail fails at the cursor, in a run of its own beside
 * the one on screen, to its end. Of each such run is kept what it comes to and what becomes of the checkpoints there.
 */
import { EventNumber } from "../../../protocol/events.ts";
import type { ExecutionGraph } from "../../../protocol/execution-graph.ts";
import type { EventLog } from "../../../protocol/log.ts";
import { places } from "../../../projection/fields.ts";
import type { Command, Scenario } from "../../../scenario/scenario.ts";
import { crashes } from "../../../scenario/targets.ts";
import type { Outcome } from "../../../view/theme.ts";
import { outcomeOfReport } from "../../outcome.ts";
import type { OtherRun, OtherRuns } from "../../what-if/runs.ts";

/** What a failure makes of a checkpoint: it completes or fails behind it, or a recovery begins from it. */
export interface Fate {
  readonly completes: boolean;
  readonly fails: boolean;
  readonly restored: boolean;
}

export interface Crashed {
  readonly command: Command;
  /** `null`: the run ends before it can be told. */
  readonly outcome: Outcome | null;
  /** By checkpoint; of one that is not here nothing more becomes. */
  readonly fates: ReadonlyMap<number, Fate>;
}

/** Failures that are tried at most. */
export const MOST_CRASHES = 16;

/** Each process that can fail; where they are many, one of each kind: the first subtask of each vertex, the first TaskManager. */
export function failuresNow(graph: ExecutionGraph, scenario: Scenario): readonly Command[] {
  const all = crashes(graph, scenario);
  if (all.length <= MOST_CRASHES) return all;
  const first = new Set<string | null>([
    ...graph.vertices.flatMap(({ subtasks }) => graph.subtasks[subtasks[0] ?? -1]?.name ?? []),
    graph.taskManagers[0] ?? null,
    null,
  ]);
  return all.filter(({ target }) => first.has(target)).slice(-MOST_CRASHES);
}

const completed = places("CheckpointCompleted");
const aborted = places("CheckpointAborted");
const restored = places("StateRestored");
const nothing: Fate = { completes: false, fails: false, restored: false };

/** What becomes of the checkpoints from an entry on, as long as the job is this one. */
function fatesFrom(log: EventLog, step: number): ReadonlyMap<number, Fate> {
  const fates = new Map<number, Fate>();
  const note = (id: number, more: Partial<Fate>): void =>
    void fates.set(id, { ...(fates.get(id) ?? nothing), ...more });
  for (let entry = step; entry < log.length; entry++) {
    const type = log.type(entry);
    if (type === EventNumber.JobSubmitted) break;
    if (type === EventNumber.CheckpointCompleted) note(log.field(entry, completed.checkpoint), { completes: true });
    else if (type === EventNumber.CheckpointAborted) note(log.field(entry, aborted.checkpoint), { fails: true });
    else if (type === EventNumber.StateRestored) note(log.field(entry, restored.checkpoint), { restored: true });
  }
  return fates;
}

/** Tries one after the other; `tell` has each as it comes. Whoever closes the runs gets no more. */
export async function tryAll(
  runs: Pick<OtherRuns, "ask">,
  step: number,
  commands: readonly Command[],
  tell: (crashed: Crashed) => void,
): Promise<void> {
  for (const command of commands) {
    const run: OtherRun | null = await runs.ask(step, command);
    if (run === null) return;
    tell({ command, outcome: outcomeOfReport(run.report), fates: fatesFrom(run.log, step) });
  }
}

const severity: readonly (Outcome | null)[] = ["OK", null, "STUCK", "DUPLICATE", "LOSS"];

/** The worst that is there, and how many come to it. */
export function worstOf(all: readonly Crashed[]): { readonly outcome: Outcome | null; readonly count: number } {
  const worst = all.reduce<Outcome | null>(
    (found, { outcome }) => (severity.indexOf(outcome) > severity.indexOf(found) ? outcome : found),
    all[0]?.outcome ?? null,
  );
  return { outcome: worst, count: all.filter(({ outcome }) => outcome === worst).length };
}

export type FateWord = "completes" | "fails" | "restored" | "stays";

/** What becomes of a checkpoint in one of these runs, in a word. Pending: it has still to complete or to fail. */
export function fateOf({ fates }: Crashed, checkpoint: number, pending: boolean): FateWord {
  const { completes, fails, restored: back } = fates.get(checkpoint) ?? nothing;
  if (!pending) return back ? "restored" : "stays";
  return completes ? "completes" : fails ? "fails" : "stays";
}
