/** Sentences about transactions. */
import { operatorOfTransaction } from "../protocol/ids.ts";
import { commitAnswers, commitErrors, deciders } from "../protocol/reasons.ts";
import type { SinkVertex } from "../protocol/job-graph.ts";
import { type SinkTraits, type StoreKind, isSink, traitsOf, transactionTimeoutOf } from "../protocol/sinks.ts";
import type { Entry } from "./entry.ts";
import type { Shared } from "./shared.ts";
import type { Sentence } from "./sentences.ts";

/** What all of them need of an entry, whatever its type. */
interface OfTransaction {
  transaction(field: "transaction"): string | null;
  ownerOf(field: "transaction"): string | null;
  number(field: "transaction" | "checkpoint"): number;
  readonly shared: Shared;
}

/** The sink that a transaction belongs to; `null`: none of the job that runs. */
function sinkOf(e: OfTransaction): SinkVertex | null {
  const { graph } = e.shared;
  const vertex = graph.operators[operatorOfTransaction(graph, e.number("transaction"))]?.vertex;
  return vertex !== undefined && isSink(vertex) ? vertex : null;
}

function traitsOfSink(e: OfTransaction): SinkTraits | null {
  const sink = sinkOf(e);
  return sink === null ? null : traitsOf(sink);
}

function about(e: OfTransaction): {
  transaction: string;
  checkpoint: number;
  task: string | null;
  store: StoreKind;
} {
  return {
    transaction: e.transaction("transaction") ?? "",
    checkpoint: e.number("checkpoint"),
    task: e.ownerOf("transaction"),
    store: traitsOfSink(e)?.store ?? "log",
  };
}

const requested = (e: Entry<"TransactionCommitRequested">): Sentence => {
  const begun = e.facts.lastBefore("TransactionBegun", e.number("transaction"), e.step) ?? 0;
  const request = e.facts.countUpTo("TransactionCommitRequested", e.number("transaction"), e.step, begun);
  const decider = e.word("decider", deciders);
  if (request > 1) return { says: "txn.retry", level: "protocol", ...about(e), decider, request };
  return { says: "txn.request", level: "protocol", ...about(e), decider };
};

const committed = (e: Entry<"TransactionCommitted">): Sentence => {
  const decider = e.word("decider", deciders);
  if (e.flag("again")) return { says: "txn.again", level: "protocol", ...about(e), decider };
  return { says: "txn.commit", level: "headline", ...about(e), decider };
};

/** What the sink of a transaction lets it stay open. */
function timeoutOf(e: Entry<"TransactionTimedOut">): number {
  const sink = sinkOf(e);
  return sink === null ? 0 : transactionTimeoutOf(sink);
}

const batch = (
  e: Entry<"BatchLogged"> | Entry<"BatchCommitted"> | Entry<"BatchKept">,
): { task: string; checkpoint: number } => ({
  task: e.task(),
  checkpoint: e.number("checkpoint"),
});

const handedOver = (
  says: "committable.send" | "committable.take",
  e: Entry<"CommittableSent"> | Entry<"CommittableReceived">,
): Sentence => ({
  says,
  level: "protocol",
  task: e.task(),
  checkpoint: e.number("checkpoint"),
  transaction: e.transaction("transaction"),
});

export const transactionSentences = {
  CommittableSent: (e: Entry<"CommittableSent">): Sentence => handedOver("committable.send", e),
  CommittableReceived: (e: Entry<"CommittableReceived">): Sentence => handedOver("committable.take", e),
  TableCommitRequested: (e: Entry<"TableCommitRequested">): Sentence => ({
    says: "table.request",
    level: "protocol",
    task: e.task(),
    checkpoint: e.number("checkpoint"),
    files: e.number("files"),
    decider: e.word("decider", deciders),
  }),
  TableCommitted: (e: Entry<"TableCommitted">): Sentence => ({
    says: "table.commit",
    level: "headline",
    checkpoint: e.number("checkpoint"),
    files: e.number("files"),
    decider: e.word("decider", deciders),
  }),
  GloballyCommitted: (e: Entry<"GloballyCommitted">): Sentence => ({
    says: "commit.global",
    level: "headline",
    checkpoint: e.number("checkpoint"),
    committables: e.number("committables"),
  }),
  TableCommitSkipped: (e: Entry<"TableCommitSkipped">): Sentence => ({
    says: "table.skip",
    level: "headline",
    ...about(e),
    highest: e.number("highest"),
  }),
  DataFileListedAgain: (e: Entry<"DataFileListedAgain">): Sentence => ({
    says: "table.again",
    level: "headline",
    ...about(e),
    records: e.number("records"),
  }),
  BatchLogged: (e: Entry<"BatchLogged">): Sentence => ({
    says: "wal.logged",
    level: "protocol",
    ...batch(e),
    records: e.number("records"),
  }),
  BatchCommitted: (e: Entry<"BatchCommitted">): Sentence => ({
    says: e.number("again") === 1 ? "wal.known" : "wal.committed",
    level: "headline",
    ...batch(e),
  }),
  BatchKept: (e: Entry<"BatchKept">): Sentence => ({
    says: "wal.kept",
    level: "headline",
    ...batch(e),
    sent: e.word("error", commitErrors) === "reply-lost",
  }),
  ProducerIdInitialized: (e: Entry<"ProducerIdInitialized">): Sentence => ({
    says: "txn.fence",
    level: "protocol",
    ...about(e),
    task: e.taskOrNull("subtask"),
    epoch: e.number("epoch"),
  }),
  TransactionBegun: (e: Entry<"TransactionBegun">): Sentence => ({
    says: "txn.begin",
    level: "protocol",
    ...about(e),
    epoch: e.number("epoch"),
  }),
  TransactionPreCommitted: (e: Entry<"TransactionPreCommitted">): Sentence => ({
    says: "txn.pre",
    level: "protocol",
    ...about(e),
    records: e.number("records"),
    waits: traitsOfSink(e)?.commits !== "at-the-barrier",
  }),
  TransactionRecycled: (e: Entry<"TransactionRecycled">): Sentence => ({
    says: "txn.recycle",
    level: "everything",
    ...about(e),
  }),
  TransactionCommitRequested: requested,
  TransactionCommitted: committed,
  TransactionAborted: (e: Entry<"TransactionAborted">): Sentence => ({
    says: "txn.abort",
    level: "protocol",
    ...about(e),
    decider: e.word("decider", deciders),
  }),
  TransactionTimedOut: (e: Entry<"TransactionTimedOut">): Sentence => ({
    says: "txn.timeout",
    level: "headline",
    ...about(e),
    ms: timeoutOf(e),
  }),
  CommitFailed: (e: Entry<"CommitFailed">): Sentence => ({
    says: "txn.refused",
    level: "headline",
    ...about(e),
    answer: e.word("answer", commitAnswers),
  }),
  PartFileResumed: (e: Entry<"PartFileResumed">): Sentence => ({
    says: "file.resume",
    level: "protocol",
    ...about(e),
    records: e.number("records"),
    dropped: e.number("dropped"),
  }),
  TransactionEndPrepared: (e: Entry<"TransactionEndPrepared">): Sentence => ({
    says: "txn.prepared",
    level: "protocol",
    ...about(e),
    commit: e.flag("commit"),
    decider: e.word("decider", deciders),
  }),
  TransactionMarkerWritten: (e: Entry<"TransactionMarkerWritten">): Sentence => ({
    says: "txn.marker",
    level: "protocol",
    transaction: e.transaction("transaction") ?? "",
    commit: e.flag("commit"),
    partition: e.output("partition"),
  }),
  TransactionDeferred: (e: Entry<"TransactionDeferred">): Sentence => ({
    says: "txn.deferred",
    level: "protocol",
    ...about(e),
  }),
  OpenTransactionsListed: (e: Entry<"OpenTransactionsListed">): Sentence => ({
    says: "txn.listed",
    level: "protocol",
    task: e.task("subtask"),
    open: e.number("open"),
    own: e.number("own"),
  }),
  BackgroundRecordWritten: (e: Entry<"BackgroundRecordWritten">): Sentence => ({
    says: "write.background",
    level: "everything",
    partition: e.output("partition"),
    offset: e.number("offset"),
  }),
  TransactionalIdExpired: (e: Entry<"TransactionalIdExpired">): Sentence => ({
    says: "txn.expired",
    level: "headline",
    transaction: e.transaction("transaction") ?? "",
  }),
  WriteFailed: (e: Entry<"WriteFailed">): Sentence => ({
    says: "write.failed",
    level: "headline",
    task: e.task("subtask"),
    ...e.record("record"),
    error: e.word("error", commitErrors),
  }),
  WriteRepeated: (e: Entry<"WriteRepeated">): Sentence => ({
    says: "write.repeated",
    level: "protocol",
    task: e.task("subtask"),
    ...e.record("record"),
  }),
  CommitFailureIgnored: (e: Entry<"CommitFailureIgnored">): Sentence => ({
    says: "txn.ignored",
    level: "headline",
    ...about(e),
    ms: e.number("age"),
  }),
  CommitRetryLater: (e: Entry<"CommitRetryLater">): Sentence => ({
    says: "txn.later",
    level: "protocol",
    ...about(e),
    retries: e.number("retries"),
  }),
};
