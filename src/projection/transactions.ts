/** Transactions of sinks, from begin to decision, and what writers and committers hold (SK-141 to SK-157, KF-011 to KF-020). */
import { at } from "../base/assert.ts";
import { operatorOfTransaction, ownerOfTransaction } from "../protocol/ids.ts";
import { commitAnswers, deciders } from "../protocol/reasons.ts";
import { type Handler, places } from "./fields.ts";
import { commitsApart } from "../protocol/sinks.ts";
import { cutBack, endOnOutput, endOnOutputs } from "./outputs.ts";
import { ownState, ownSubtask, ownTransaction, transactionPlace } from "./own.ts";
import { threadCloses } from "./threads.ts";
import type { SinkView } from "./sink-view.ts";
import type { RunView, TransactionView } from "./views.ts";

const begun = places("TransactionBegun");
const preCommitted = places("TransactionPreCommitted");
const recycled = places("TransactionRecycled");
const requested = places("TransactionCommitRequested");
const committed = places("TransactionCommitted");
const aborted = places("TransactionAborted");
const timedOut = places("TransactionTimedOut");
const refused = places("CommitFailed");
const resumed = places("PartFileResumed");
const ignored = places("CommitFailureIgnored");
const initialized = places("ProducerIdInitialized");
const prepared = places("TransactionEndPrepared");
const marked = places("TransactionMarkerWritten");
const listed = places("DataFileListedAgain");

/** The subtask whose sink owns a transactional id; `-1`: none has that number. */
function ownerOf(view: RunView, number: number): number {
  return ownerOfTransaction(view.shared.graph, number);
}

/** Which of a subtask's sinks a transactional id belongs to; `-1`: none. */
function sinkPlace(view: RunView, subtask: number, number: number): number {
  return at(view.shared.sinks, subtask).indexOf(operatorOfTransaction(view.shared.graph, number));
}

function ownSink(view: RunView, subtask: number, number: number): SinkView | undefined {
  const place = sinkPlace(view, subtask, number);
  return place < 0 ? undefined : ownSubtask(view, subtask).sinks[place];
}

export const transactionBegun: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, begun.subtask);
  const number = log.field(step, begun.transaction);
  const place = view.transactions.length;
  view.transactions.push({
    number,
    epoch: log.field(step, begun.epoch),
    subtask,
    operator: operatorOfTransaction(view.shared.graph, number),
    state: "NONE",
    checkpoint: log.field(step, begun.checkpoint),
    records: 0,
    begunAt: clock,
    firstWriteAt: -1,
    preCommittedAt: -1,
    commitRequestedAt: -1,
    commitRequests: 0,
    decidedAt: -1,
    decidedBy: null,
    refused: null,
    partitions: [],
    truncated: [],
    listedAgain: 0,
    step,
    owner: view.owner,
  });
  view.undecided = [...view.undecided, place];
  const sink = ownSink(view, subtask, number);
  if (sink !== undefined) sink.current = place;
};

export const transactionPreCommitted: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, preCommitted.subtask);
  const number = log.field(step, preCommitted.transaction);
  const place = transactionPlace(view, number);
  if (place < 0) return;
  const node = ownTransaction(view, place);
  node.preCommittedAt = clock;
  node.checkpoint = log.field(step, preCommitted.checkpoint);
  const sink = ownSink(view, subtask, number);
  if (sink === undefined) return;
  sink.current = -1;
  // What goes to a committer in another task is not this one's state.
  if (commitsApart(at(view.shared.graph.operators, sink.operator).vertex)) return;
  const index = sinkPlace(view, subtask, number);
  const { committables } = ownState(view, subtask);
  committables[index] = [...at(committables, index), place];
};

export const transactionRecycled: Handler = (view, log, step, clock) =>
  decide(view, transactionPlace(view, log.field(step, recycled.transaction)), clock, null);

/** Initialising an id ends what its older producer began and never wrote to (KF-012). */
export const producerIdInitialized: Handler = (view, log, step, clock) => {
  if (log.moveCount(step) > 0)
    decide(view, transactionPlace(view, log.field(step, initialized.transaction)), clock, null);
};

export const commitRequested: Handler = (view, log, step, clock) => {
  const subtask = log.field(step, requested.subtask);
  const number = log.field(step, requested.transaction);
  const place = transactionPlace(view, number);
  if (place < 0) return;
  const node = ownTransaction(view, place);
  node.commitRequestedAt = clock;
  node.commitRequests++;
  const sink = ownSink(view, subtask, number);
  if (sink !== undefined) sink.committing = place;
  const until = clock + view.shared.scenario.timing.commit;
  ownSubtask(view, subtask).work = { kind: "commit", transaction: place, since: clock, until };
};

export const transactionCommitted: Handler = (view, log, step, clock) => {
  const number = log.field(step, committed.transaction);
  const place = transactionPlace(view, number);
  if (place < 0) return;
  handled(view, log.field(step, committed.subtask), number, place);
  if (log.field(step, committed.again) === 1) return;
  decide(view, place, clock, at(deciders, log.field(step, committed.decider)));
  endOnOutputs(view, place, "commit-marker");
};

/** Decided; what is to be seen of it comes partition by partition (KF-015, KF-016). */
export const endPrepared: Handler = (view, log, step, clock) => {
  const place = transactionPlace(view, log.field(step, prepared.transaction));
  if (place < 0) return;
  const decider = at(deciders, log.field(step, prepared.decider));
  decide(view, place, clock, decider);
  if (decider === "close") threadCloses(view, at(view.transactions, place).subtask);
};

export const markerWritten: Handler = (view, log, step) => {
  const place = transactionPlace(view, log.field(step, marked.transaction));
  if (place < 0) return;
  const kind = log.field(step, marked.commit) === 1 ? "commit-marker" : "abort-marker";
  endOnOutput(view, log.field(step, marked.partition), place, kind);
};

export const transactionAborted: Handler = (view, log, step, clock) => {
  const place = transactionPlace(view, log.field(step, aborted.transaction));
  if (place < 0) return;
  const decider = at(deciders, log.field(step, aborted.decider));
  decide(view, place, clock, decider);
  if (decider === "close") threadCloses(view, at(view.transactions, place).subtask);
  endOnOutputs(view, place, "abort-marker");
};

export const transactionTimedOut: Handler = (view, log, step, clock) => {
  const place = transactionPlace(view, log.field(step, timedOut.transaction));
  if (place < 0) return;
  decide(view, place, clock, "timeout");
  endOnOutputs(view, place, "abort-marker");
};

export const commitFailed: Handler = (view, log, step) => {
  const number = log.field(step, refused.transaction);
  const place = transactionPlace(view, number);
  if (place < 0) return;
  const answer = at(commitAnswers, log.field(step, refused.answer));
  // An unknown id fails the task, which keeps what it holds (SK-157).
  if (answer !== "INVALID_PRODUCER_ID_MAPPING") handled(view, log.field(step, refused.subtask), number, place);
  ownTransaction(view, place).refused = answer;
};

/** SK-182: the file is the writer's current one again, as long as the restored state says. */
export const partFileResumed: Handler = (view, log, step) => {
  const number = log.field(step, resumed.transaction);
  const place = transactionPlace(view, number);
  if (place < 0) return;
  const node = ownTransaction(view, place);
  node.records = log.field(step, resumed.records);
  node.preCommittedAt = -1;
  const sink = ownSink(view, log.field(step, resumed.subtask), number);
  if (sink !== undefined) sink.current = place;
  if (log.field(step, resumed.dropped) > 0) cutBack(view, place, log.field(step, resumed.partition));
};

/** A table lists it once more: what is in it is there once more. */
export const listedAgain: Handler = (view, log, step) => {
  const place = transactionPlace(view, log.field(step, listed.transaction));
  if (place >= 0) ownTransaction(view, place).listedAgain++;
};

/** SK-127: the restore has passed it by; it is pending no more. */
export const failureIgnored: Handler = (view, log, step) => {
  const number = log.field(step, ignored.transaction);
  const place = transactionPlace(view, number);
  if (place >= 0) handled(view, log.field(step, ignored.subtask), number, place);
};

function decide(view: RunView, place: number, clock: number, decider: TransactionView["decidedBy"]): void {
  if (place < 0) return;
  const node = ownTransaction(view, place);
  if (node.decidedAt < 0) node.decidedAt = clock;
  node.decidedBy = decider;
  view.undecided = view.undecided.filter((other) => other !== place);
  const sink = ownSink(view, node.subtask, node.number);
  if (sink?.current === place) sink.current = -1;
}

/** The committer has its answer: it asks no more, and the transaction leaves its state (SK-149). */
function handled(view: RunView, requester: number, number: number, place: number): void {
  const subtask = requester < 0 ? ownerOf(view, number) : requester;
  if (subtask < 0) return;
  const index = sinkPlace(view, subtask, number);
  if (index < 0 || at(view.subtasks, subtask).sinks[index]?.committing !== place) return;
  const sink = ownSink(view, subtask, number);
  if (sink !== undefined) sink.committing = -1;
  const { committables } = ownState(view, subtask);
  committables[index] = at(committables, index).filter((other) => other !== place);
}
