/** What the panels show: the fold of the log at their cursor. Views are written in place, so nothing of one is kept. */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import type { EndToEnd, LedgerView } from "../projection/ledger.ts";
import { type StoredSnapshot, isLost, isSavepoint } from "../projection/shelf.ts";
import type { RunView } from "../projection/views.ts";
import type { FaultVerb } from "../protocol/reasons.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { factsOf } from "./facts.ts";
import type { Circumstances } from "./fault-item.ts";
import type { Run } from "./run.ts";
import { branchOf } from "./store.ts";
import { useApp } from "./use-app.ts";

/** A run at the panels' cursor. Made anew for each step. */
export interface Moment {
  readonly graph: ExecutionGraph;
  readonly scenario: Scenario;
  readonly log: EventLog;
  /** The last entry that has happened. */
  readonly step: number;
  readonly view: RunView;
  /** What lies in storage. */
  readonly shelf: readonly StoredSnapshot[];
}

export function useMoment(): Moment | null {
  const session = useApp((app) => app.session);
  const branch = useApp(branchOf);
  const step = useApp((app) => app.panelStep);
  if (session === null || branch === null || branch.length === 0) return null;
  const shown = Math.min(step, branch.length - 1);
  const view = factsOf(branch.run).viewAt(shown);
  const { graph, scenario } = view.shared;
  const shelf = factsOf(branch.run).shelf.at(shown);
  return { graph, scenario, log: branch.run.log, step: shown, view, shelf };
}

/** What has become of every record at the panels' cursor. */
export function useLedger(): LedgerView | null {
  const place = usePlace();
  return place === null ? null : factsOf(place.run).ledgerAt(place.step);
}

/** What committed readers see there. */
export function useEndToEnd(): EndToEnd | null {
  const place = usePlace();
  return place === null ? null : factsOf(place.run).endToEndAt(place.step);
}

function usePlace(): { readonly run: Run; readonly step: number } | null {
  const branch = useApp(branchOf);
  const step = useApp((app) => app.panelStep);
  return branch === null || branch.length === 0 ? null : { run: branch.run, step: Math.min(step, branch.length - 1) };
}

/** The last command of a kind that neither its end nor another command has undone; `null`: there is none. */
function inForce(
  view: RunView,
  begins: FaultVerb,
  ends: FaultVerb,
  counts: (command: Command) => boolean = () => true,
): Command | null {
  const last = view.faults.findLast(({ do: verb, fault }) => {
    const command = view.shared.commands[fault];
    return verb === ends || (verb === begins && command !== undefined && counts(command));
  });
  const command = last === undefined ? undefined : view.shared.commands[last.fault];
  if (last?.do !== begins || command === undefined) return null;
  return command.for === null || view.clock < last.clock + command.for ? command : null;
}

const over: ReadonlySet<string> = new Set(["FINISHED", "FAILED", "CANCELED", "FAILING", "CANCELLING"]);

/** Is the checkpoints' storage there? */
export function storageIsDown(view: RunView): boolean {
  return inForce(view, "storage-down", "storage-up", ({ what }) => what !== "ha") !== null;
}

/** Has the job ended, or is it about to, so that it can be submitted anew? */
export function isOver(view: RunView): boolean {
  return over.has(view.job.status) || isLost(view);
}

export function circumstances({ view, shelf }: Moment): Circumstances {
  return {
    nextOffset: (input) => {
      const { graph, scenario } = view.shared;
      const { topic, partition } = at(graph.inputs, input);
      const of = scenario.topics.find(({ name }) => name === topic)?.partitions[partition]?.length ?? 0;
      const reader = view.inputs.find((each) => each.partition === input);
      return reader === undefined ? null : { offset: Math.max(0, reader.position), of };
    },
    taskManagerOf: (subtask) => view.subtasks[subtask]?.taskManager ?? -1,
    transactionUndecided: (number) => {
      const state = view.transactions.findLast((transaction) => transaction.number === number)?.state;
      return state === "OPEN" || state === "PRE_COMMITTED";
    },
    isCutOff: (taskManager) => {
      const cut = inForce(view, "partition", "heal");
      return cut?.between?.some((side) => side.includes(taskManager)) ?? false;
    },
    storageIsDown: storageIsDown(view),
    brokerIsDown: inForce(view, "broker-down", "broker-up", () => true) !== null,
    restoreCandidate: view.coordinator.restoreCandidate,
    ended: isOver(view),
    stored: (savepoint) => shelf.some((entry) => entry.deletedAt < 0 && isSavepoint(entry) === savepoint),
    scenario: view.shared.scenario,
    taskManagerAlive: (taskManager) => view.taskManagers[taskManager]?.alive ?? false,
  };
}
