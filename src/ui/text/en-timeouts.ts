/** The timeouts calculator. It is fetched apart from the other texts. */
import type { TimeoutsOutcome } from "../../scenario/timeouts/first-loss.ts";
import type { InequalityId, Summand } from "../../scenario/timeouts/inequalities.ts";
import type { TimeoutField } from "../../scenario/timeouts/timeouts.ts";
import { clockTime, count, duration } from "../format.ts";
import { exactly } from "../timeouts/figures.ts";

interface FieldText {
  readonly label: string;
  /** The option, or what it is instead of one. */
  readonly key: string;
}

const fields: { readonly [F in TimeoutField]: FieldText } = {
  interval: { label: "Checkpoint interval", key: "execution.checkpointing.interval" },
  duration: { label: "Checkpoint duration", key: "the longest, from trigger to completion" },
  checkpointTimeout: { label: "Checkpoint timeout", key: "execution.checkpointing.timeout" },
  attempts: { label: "Restart attempts", key: "restart-strategy.fixed-delay.attempts" },
  delay: { label: "Restart delay", key: "restart-strategy.fixed-delay.delay" },
  detection: { label: "Detection", key: "from the loss of a TaskManager until it is noticed" },
  outage: { label: "Expected outage", key: "until another TaskManager is there" },
  slotTimeout: { label: "Slot request timeout", key: "slot.request.timeout" },
  redeploy: { label: "Redeployment", key: "from slots to tasks that restore" },
  transactionTimeout: { label: "Transaction timeout", key: "transaction.timeout.ms of the sink" },
  brokerLimit: { label: "The brokers' limit", key: "transaction.max.timeout.ms" },
  cleanup: { label: "Cleanup interval", key: "transaction.abort.timed.out.transaction.cleanup.interval.ms" },
};

const summands: { readonly [S in Summand]: string } = {
  interval: "interval",
  duration: "checkpoint",
  checkpointTimeout: "checkpoint timeout",
  attempts: "attempts",
  delay: "restart delay",
  detection: "detection",
  outage: "outage",
  slotTimeout: "slot request timeout",
  redeploy: "redeployment",
  transactionTimeout: "transaction timeout",
  brokerLimit: "the brokers' limit",
  cleanup: "cleanup interval",
  period: "interval",
  commit: "notification and commit",
  recovery: "failure until slots",
  restore: "restore",
};

interface InequalityText {
  readonly title: string;
  readonly have: string;
  readonly fails: string;
}

const inequalities: { readonly [I in InequalityId]: InequalityText } = {
  "broker-limit": {
    title: "The brokers accept the transaction timeout",
    have: "the brokers' limit",
    fails: "initTransactions fails with INVALID_TRANSACTION_TIMEOUT at every start: a restart loop, nothing is lost.",
  },
  "checkpoint-in-time": {
    title: "A checkpoint completes before it expires",
    have: "checkpoint timeout",
    fails: "Every checkpoint expires, and the job fails over each time: nothing is ever committed.",
  },
  "commit-in-time": {
    title: "Without a failure, a transaction is committed in time",
    have: "transaction timeout",
    fails: "A transaction that gets its first record early is aborted by the broker before its commit comes.",
  },
  "restarts-outlast": {
    title: "The restart strategy outlasts the outage",
    have: "attempts × (delay + slot request timeout), from the loss on",
    fails: "The job fails for good before there is a TaskManager again, and nobody commits what was pre-committed.",
  },
  "outage-survived": {
    title: "Over the outage, the pre-committed transaction stays open",
    have: "transaction timeout",
    fails: "The broker aborts it before the restored job commits it. The job goes on as if nothing were missing.",
  },
  room: {
    title: "There is room for the slowest checkpoint that is allowed",
    have: "transaction timeout",
    fails: "Not needed for the figures above; a checkpoint that takes longer than expected uses the room up.",
  },
};

function verdict(outcome: TimeoutsOutcome): { readonly title: string; readonly body: string } {
  if (outcome.kind === "none")
    return {
      title: "Nothing is lost",
      body: "Not even where the TaskManager is lost at the worst moment: behind the completion of a checkpoint, before its notification.",
    };
  if (outcome.kind === "restart-loop")
    return outcome.cause === "INVALID_TRANSACTION_TIMEOUT"
      ? {
          title: `A restart loop, from ${clockTime(outcome.at)} on`,
          body: "The broker refuses the transaction timeout (INVALID_TRANSACTION_TIMEOUT). The job never writes a record: nothing is lost, and nothing arrives.",
        }
      : {
          title: `A restart loop, from ${clockTime(outcome.at)} on`,
          body: "Each checkpoint expires, and the job fails over. Nothing is lost, and nothing is ever committed.",
        };
  const why = {
    "no-failure": "No failure is needed: the commit comes later than the broker waits. The job stays RUNNING.",
    outage:
      "The restored job's commit is refused (PRODUCER_FENCED) and dropped. The job is RUNNING again, without these records.",
    "given-up":
      "The job has FAILED, and nobody commits what its last checkpoint holds. Starting it again from that checkpoint by hand before then would.",
  };
  return {
    title: `Records are lost ${clockTime(outcome.at)} into the run`,
    body: `Transaction ${outcome.transaction} of checkpoint ${outcome.checkpoint}. ${why[outcome.why]}`,
  };
}

export const enTimeouts = {
  title: "Timeouts of a transactional sink",
  description:
    "Which of the inequalities hold between checkpoints, restarts, outages and Kafka's transaction timeouts, and when the first record is lost.",
  groups: {
    checkpoints: "Checkpoints",
    restarts: "Failure and restart",
    transactions: "Kafka transactions",
  },
  fields,
  durationHelp: "A duration such as 500 ms, 10 s or 15 min",
  notDuration: (least: number, most: number) => `A duration from ${duration(least)} to ${duration(most)}.`,
  notNumber: (least: number, most: number) =>
    `A whole number from ${count(least)} to ${count(most)}; empty: without limit.`,
  unlimited: "no limit",
  verdict,
  verdictLabel: "What the figures come to",
  unread: "Correct the figures that are marked; then the result is here.",
  play: "Play this",
  playNone: "Play it without a loss",
  close: "Close",
  inequalities,
  inequalitiesLabel: "Inequalities",
  holds: "holds",
  fails: "fails",
  advice: "no room",
  summand: (name: Summand) => summands[name],
  never: "no time is enough: nobody commits",
  noLimit: "no limit",
  spare: (ms: number) => `${exactly(ms)} to spare`,
  short: (ms: number) => `${exactly(ms)} short`,
  needs: "Needed",
  has: "There is",
  looks: (ms: number) => `the broker looks up to ${exactly(ms)} later`,
  barLabel: "A transaction over the outage",
  source: (rules: readonly string[], source: string) => `${source} (${rules.join(", ")})`,
  classic: {
    title: "TwoPhaseCommitSinkFunction",
    body: "setTransactionTimeout alone changes nothing there (SK-127): it warns from a share of the timeout on, and with ignoreFailuresAfterTransactionTimeout a commit that fails in a restore is swallowed, and the data is lost.",
  },
  equal: "The three timeouts need not be equal: they need this order (SK-160).",
  playTitle: { en: "Timeouts: as calculated", zh: "超时：按计算结果" },
} as const;
