/**
 * What a run has come to that a person should know at the thing itself, at the cursor: a job that failed for good (E-30), a
 * sink that cannot start (E-31), committed readers that stand still behind a dead producer (E-32), prepared transactions that
 * nobody decides (E-33), no checkpoint that can start (E-35). All of it is told by the log.
 */
import { at } from "../../base/assert.ts";
import { attemptsOf } from "../../projection/attempts.ts";
import { nextOf } from "../../projection/causes.ts";
import { transactionName } from "../../protocol/ids.ts";
import { EventNumber } from "../../protocol/events.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { FailureCause } from "../../protocol/reasons.ts";
import { places } from "../../projection/fields.ts";
import type { StageElement } from "../../view/stage/elements.ts";
import { type Moment, isOver } from "../use-view.ts";

export type Trouble =
  | {
      readonly id: "E-30";
      readonly cause: FailureCause;
      /** `null`: it was not asked, because the same would only come again (FR-031). */
      readonly strategy: string | null;
      /** The newest snapshot that is there. */
      readonly from: string | null;
      /** The entry of the failure. */
      readonly failedAt: number;
    }
  | { readonly id: "E-31"; readonly timeout: number; readonly most: number }
  | {
      readonly id: "E-32";
      readonly partition: string;
      readonly offset: number;
      readonly transaction: string;
      readonly number: number;
      /** Milliseconds until the log gives it up; `null`: nobody has written to it. */
      readonly left: number | null;
      /** The entry with which it ends in this run; `null`: it does not, as far as the log goes. */
      readonly endsAt: number | null;
    }
  | {
      readonly id: "E-33";
      /** Prepared, and nobody is there to decide them. */
      readonly transactions: readonly string[];
      /** The entry with which a JobManager leads again in this run; else the newest snapshot to start from; else neither. */
      readonly leadsAt: number | null;
      readonly from: string | null;
    }
  | { readonly id: "E-35"; readonly why: "off" | "tasks" | "status" | "leaderless" | "finished" };

/** Of one element; mostly none. */
export function troublesOf(moment: Moment, element: StageElement): readonly Trouble[] {
  switch (element.kind) {
    case "jobManager":
      return [
        ...failedForGood(moment),
        ...cannotStart(moment, null),
        ...participantsBlocked(moment),
        ...noCheckpoint(moment),
      ];
    case "subtask":
      return cannotStart(moment, element.id);
    case "output":
      return readersStuck(moment, element.id);
    case "transaction":
      return participantsBlocked(moment).filter(({ transactions }) =>
        transactions.includes(transactionName(moment.graph, element.id)),
      );
    default:
      return [];
  }
}

/** After these no restart strategy is asked. */
const neverAsked: ReadonlySet<FailureCause> = new Set(["UNRECOVERABLE_ERROR", "STOPPING_FAILED"] as const);

function failedForGood(moment: Moment): Trouble[] {
  const { view, log, step, shelf, scenario } = moment;
  if (view.job.status !== "FAILED") return [];
  const root = attemptsOf(log)
    .exceptions(step)
    .find(({ concurrent }) => !concurrent);
  if (root === undefined) return [];
  const from = shelf.findLast(({ deletedAt, damage }) => deletedAt < 0 && damage !== "all")?.path ?? null;
  const strategy = neverAsked.has(root.failure) ? null : scenario.config.restartStrategy.type;
  return [{ id: "E-30", cause: root.failure, strategy, from, failedAt: root.step }];
}

/** SK-159: each attempt ends the same way. */
function cannotStart({ view, graph, scenario }: Moment, subtask: number | null): Trouble[] {
  const refused = (id: number): boolean => view.subtasks[id]?.failure === "INVALID_TRANSACTION_TIMEOUT";
  const found = subtask === null ? graph.subtasks.find(({ index }) => refused(index))?.index : subtask;
  if (found === undefined || !refused(found)) return [];
  const { operators } = at(graph.vertices, at(graph.subtasks, found).taskVertex);
  const sink = operators
    .map((operator) => at(graph.operators, operator).vertex)
    .find((vertex) => vertex.type === "kafka-sink");
  if (sink?.type !== "kafka-sink") return [];
  const topic = scenario.topics.find(({ name }) => name === sink.topic);
  const most = topic?.transactionMaxTimeout ?? view.shared.scenario.broker.transactionMaxTimeout;
  return [{ id: "E-31", timeout: sink.transactionTimeout, most }];
}

const ends = {
  TransactionTimedOut: places("TransactionTimedOut").transaction,
  TransactionAborted: places("TransactionAborted").transaction,
  TransactionCommitted: places("TransactionCommitted").transaction,
} as const;
const endTypes = new Map(
  (Object.keys(ends) as (keyof typeof ends)[]).map((type) => [EventNumber[type] as number, ends[type]]),
);

/** KF-030: what a committed reader may read ends before the oldest transaction that is open. */
function readersStuck({ view, graph, scenario, log, step }: Moment, partition: number): Trouble[] {
  const output = view.outputs[partition];
  if (output === undefined || output.lastStableOffset >= output.length || at(graph.outputs, partition).store !== "log")
    return [];
  const oldest = output.ongoing.find(({ first }) => first === output.lastStableOffset);
  const held = oldest === undefined ? undefined : view.transactions[oldest.transaction];
  if (held === undefined) return [];
  const { vertex } = at(graph.operators, held.operator);
  const owner = view.subtasks[held.subtask];
  // Its producer is there, so it will go on.
  if (vertex.type !== "kafka-sink" || owner === undefined || (owner.state === "RUNNING" && owner.since <= held.begunAt))
    return [];
  const first = held.firstWriteAt;
  const due = first + vertex.transactionTimeout + scenario.broker.cleanupInterval;
  return [
    {
      id: "E-32",
      partition: at(graph.outputs, partition).name,
      offset: output.lastStableOffset,
      transaction: transactionName(graph, held.number),
      number: held.number,
      left: first < 0 ? null : Math.max(0, due - view.clock),
      endsAt: endOf(log, step, held.number),
    },
  ];
}

/**
 * SK-131: a database has prepared them, and holds their locks until it is told. The one who would tell it is the sink, which
 * is told by the JobManager: where there is none, or no job, nothing in the protocol frees them.
 */
function participantsBlocked({ view, graph, log, step, shelf }: Moment): Extract<Trouble, { id: "E-33" }>[] {
  if (view.job.led && !isOver(view)) return [];
  const blocked = view.transactions.filter(
    ({ state, operator }) =>
      state === "PRE_COMMITTED" && graph.operators[operator]?.vertex.type === "two-phase-commit-sink",
  );
  if (blocked.length === 0) return [];
  const from = shelf.findLast(({ deletedAt, damage }) => deletedAt < 0 && damage !== "all")?.path ?? null;
  return [
    {
      id: "E-33",
      transactions: blocked.map(({ number }) => transactionName(graph, number)),
      leadsAt: view.job.led ? null : nextOf(log, step, EventNumber.LeadershipGranted),
      from,
    },
  ];
}

function endOf(log: EventLog, step: number, number: number): number | null {
  for (let entry = step + 1; entry < log.length; entry++) {
    const place = endTypes.get(log.type(entry));
    if (place !== undefined && log.field(entry, place) === number) return entry;
  }
  return null;
}

/** Why nothing can be triggered now (CP-005, CP-014, CP-190). */
function noCheckpoint({ view, scenario }: Moment): Trouble[] {
  const { job, subtasks } = view;
  const { interval, afterTasksFinish } = scenario.config.checkpointing;
  const why = (): Extract<Trouble, { id: "E-35" }>["why"] | null => {
    if (!job.led) return "leaderless";
    if (job.status !== "RUNNING") return job.status === "CREATED" ? null : "status";
    const states = subtasks.map(({ state }) => state);
    if (states.includes("FINISHED") && !afterTasksFinish) return "finished";
    if (states.some((state) => state !== "RUNNING" && state !== "FINISHED")) return "tasks";
    return interval === null ? "off" : null;
  };
  const found = why();
  return found === null ? [] : [{ id: "E-35", why: found }];
}
