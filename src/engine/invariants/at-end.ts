/**
 * Invariants that can be told only when a run is over (INV-033, INV-114, INV-115, INV-120, INV-122, INV-123, INV-125, INV-126, INV-128). They compare
 * what became of every record, by the ledger, with what the specification promises under its conditions:
 *
 * - "at rest" is a run that drained and whose job did not fail;
 * - a job that stopped with a savepoint leaves the rest of its input to the next one;
 * - loss by a transaction that the log gave up is no violation, but the verdict must show it.
 */
import { canRewind, isSource } from "../../protocol/job-graph.ts";
import { operatorOfTransaction, transactionName } from "../../protocol/ids.ts";
import { isCommitted, isSink, storeOf, traitsOf } from "../../protocol/sinks.ts";
import type { DeliveryRow, Ended, StateRow, Verdict } from "../../scenario/report.ts";
import type { Kernel } from "../kernel.ts";
import { Due, Job } from "../layout.ts";
import { Op } from "../ops.ts";
import { JobStatus } from "../states.ts";
import type { Transactions } from "./transactions.ts";
import type { Watch } from "./watch.ts";

export const atEndIds = [
  "INV-033",
  "INV-114",
  "INV-115",
  "INV-120",
  "INV-122",
  "INV-123",
  "INV-125",
  "INV-126",
  "INV-128",
] as const;

export interface Outcome {
  readonly delivery: readonly DeliveryRow[];
  readonly state: readonly StateRow[];
  readonly verdict: Verdict;
}

/** Adds what is violated at the end of a run to the watch's violations. */
export function judgeEnd(k: Kernel, watch: Watch, transactions: Transactions, outcome: Outcome, ended: Ended): void {
  const { scenario } = watch.plan;
  const status = k.world.job(Job.status);
  const atRest = ended === "drained" && (status === JobStatus.running || status === JobStatus.finished);
  for (const name of transactions.left().gone) {
    if (outcome.verdict.endToEnd === "exactly-once")
      watch.violated(
        k,
        "INV-128",
        `the log gave up ${name}, whose checkpoint is complete, so its records are lost; the verdict says exactly-once`,
        name,
      );
  }
  countsAtMostOnce(k, watch, outcome);
  if (!atRest) return;
  for (const name of transactions.left().undecided)
    watch.violated(
      k,
      "INV-114",
      `${name} belongs to a completed checkpoint and is neither committed nor known to be lost`,
      name,
    );
  const left = status === JobStatus.finished ? leftToTimeouts(k, watch) : [];
  for (const name of transactions.left().lingering.filter((each) => !left.includes(each)))
    watch.violated(k, "INV-115", `${name} holds records and is neither committed nor aborted`, name);
  stateIsExact(k, watch, outcome);
  const checkpoints = scenario.config.checkpointing.interval !== null || watch.lastTriggered > 0;
  for (const row of outcome.delivery) {
    const vertex = scenario.job.vertices.find(({ uid }) => uid === row.sink);
    if (vertex === undefined || !isSink(vertex) || !isCommitted(row.reader)) continue;
    const { guarantee, store } = traitsOf(vertex);
    const files = store === "files";
    if (vertex.type === "write-ahead-log-sink") hasAll(k, watch, row);
    // Nobody finishes a part file, or lists one in a table, without checkpoints.
    if (guarantee === "exactly-once" && !transactions.timedOut && (checkpoints || !(files || store === "lake")))
      isExact(k, watch, row, files ? "INV-122" : "INV-120");
    if (guarantee === "effectively-once") isRight(k, watch, row);
    if (guarantee === "at-least-once" && checkpoints && row.lost.length > 0) {
      watch.violated(
        k,
        "INV-125",
        `${row.sink} is flushed at the barrier, so at rest nothing is missing, but ${row.lost.length} records are lost`,
        row.sink,
        ...row.lost.slice(0, 5),
      );
    }
  }
}

/** Transactions that an own store aborts when their clients, who ended with the job, have been silent for long enough. */
function leftToTimeouts({ world: { agenda } }: Kernel, { plan: { graph } }: Watch): readonly string[] {
  const names: string[] = [];
  for (let row = 0; row < agenda.count; row++) {
    if (agenda.get(row, Due.op) !== Op.timeOutTransaction) continue;
    const transaction = agenda.get(row, Due.a);
    const operator = graph.operators[operatorOfTransaction(graph, transaction)];
    if (operator !== undefined && storeOf(operator.vertex) !== null) names.push(transactionName(graph, transaction));
  }
  return names;
}

/** INV-124: at rest a write-ahead log has let everything out. */
function hasAll(k: Kernel, watch: Watch, { sink, lost, pending, unprocessed }: DeliveryRow): void {
  const missing = [...lost, ...(watch.stops ? [] : [...pending, ...unprocessed])];
  if (missing.length === 0 || watch.plan.scenario.config.checkpointing.interval === null) return;
  const said = `at rest nothing is missing behind a write-ahead log, but ${sink} has not let ${missing.length} records out`;
  watch.violated(k, "INV-124", said, sink, ...missing.slice(0, 5));
}

/** INV-126: what cannot be read again is nowhere twice, in no state and for no reader of committed transactions. */
function countsAtMostOnce(k: Kernel, watch: Watch, { state, delivery }: Outcome): void {
  const { operators, inputs } = watch.plan.graph;
  const connections = operators.flatMap(({ vertex }) => (isSource(vertex) && !canRewind(vertex) ? [vertex.topic] : []));
  const own = inputs.flatMap(({ topic, name }) => (connections.includes(topic) ? [`${name}@`] : []));
  const transactional = new Set(
    operators.flatMap(({ vertex }) =>
      isSink(vertex) && traitsOf(vertex).commits === "when-complete" ? [vertex.uid] : [],
    ),
  );
  const places = [
    ...state.map(({ vertex, duplicated }) => ({ uid: vertex, duplicated })),
    ...delivery.flatMap(({ sink, reader, duplicated }) =>
      isCommitted(reader) && transactional.has(sink) ? [{ uid: sink, duplicated }] : [],
    ),
  ];
  for (const { uid, duplicated } of places) {
    const twice = duplicated.filter((record) => own.some((prefix) => record.startsWith(prefix)));
    if (twice.length === 0) continue;
    const said = `a connection delivers a record once, but ${uid} has ${twice.length} more than once`;
    watch.violated(k, "INV-126", said, uid, ...twice.slice(0, 5));
  }
}

/** INV-033: whatever failed, state holds each input once. */
function stateIsExact(k: Kernel, watch: Watch, outcome: Outcome): void {
  for (const { vertex, lost, duplicated } of outcome.state) {
    if (lost.length + duplicated.length === 0) continue;
    watch.violated(
      k,
      "INV-033",
      `state is exactly-once, but ${vertex} lacks ${lost.length} records and holds ${duplicated.length} twice`,
      vertex,
      ...[...lost, ...duplicated].slice(0, 5),
    );
  }
}

/** INV-123: at rest each key of a table has the row that it should have. */
function isRight(k: Kernel, watch: Watch, row: DeliveryRow): void {
  const { lost, differing } = row;
  const missing = watch.stops ? [] : [...row.pending, ...row.unprocessed];
  const wrong = [...lost, ...differing, ...missing];
  if (wrong.length === 0) return;
  watch.violated(
    k,
    "INV-123",
    `at rest the table of ${row.sink} is what it should be, but ${lost.length} puts are lost, ${missing.length} are missing and ${differing.length} rows are wrong`,
    row.sink,
    ...wrong.slice(0, 5),
  );
}

/** INV-120, INV-122: at rest the committed reader of a transactional sink has everything once. */
function isExact(k: Kernel, watch: Watch, row: DeliveryRow, claim: "INV-120" | "INV-122"): void {
  const { lost, duplicated, pending, unprocessed } = row;
  const wrong = [...lost, ...duplicated, ...(watch.stops ? [] : [...pending, ...unprocessed])];
  if (wrong.length === 0 && (watch.stops || row.seen === row.expected)) return;
  watch.violated(
    k,
    claim,
    `at rest ${row.sink}'s committed reader sees each output once, but of ${row.expected} it sees ${row.seen}: ${lost.length} lost, ${duplicated.length} duplicated, ${pending.length + unprocessed.length} missing`,
    row.sink,
    ...wrong.slice(0, 5),
  );
}
