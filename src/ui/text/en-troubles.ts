/** Messages at the thing that is in trouble. Fetched with the inspector's fields. */
import type { MootReason } from "../faults/moot.ts";

const whyNone = {
  off: "checkpointing is off: execution.checkpointing.interval is not set",
  tasks: "not all tasks run",
  status: "the job does not run",
  leaderless: "there is no JobManager",
  finished: "tasks have finished, and checkpoints after that are switched off",
} as const;

const moots: { readonly [R in MootReason]: string } = {
  gone: "it was gone already",
  noJobManager: "no JobManager led then",
  noneRuns: "none of its subtasks was running then",
  notStalled: "it was not stalled then",
  storageThere: "checkpoint storage was there then",
  brokersThere: "the brokers were there then",
  notCut: "nothing was cut off then",
  jobOver: "the job had ended",
  decided: "the transaction was decided already",
  noSnapshot: "there was no such checkpoint then",
};

const seconds = (ms: number): string => `${ms / 1000} s`;

export const enTroubles = {
  failed: (cause: string, strategy: string | null) =>
    `The job is FAILED: ${cause}. ${strategy === null ? "No restart strategy is asked after such an error: it would only come again." : strategy === "none" ? "There is no restart strategy: no restart is allowed." : `${strategy} allows no further restart.`}`,
  startFrom: (snapshot: string) => `Start from ${snapshot}`,
  startWithout: "Start without state",
  changeStrategy: "Change the strategy and fork at the failure",
  why: "Why?",
  cannotStart: (timeout: number, most: number) =>
    `Kafka refused the transaction timeout ${seconds(timeout)} (maximum ${seconds(most)}). See R-10.`,
  openRule: "Change the timeout",
  stuck: (partition: string, offset: number, transaction: string, left: number | null) =>
    `Readers of ${partition} wait at ${offset} for ${transaction}, left open by a dead producer${left === null ? "." : `; ends in ${seconds(left)} by timeout at the latest.`}`,
  skip: "Skip there",
  blocked: (transactions: readonly string[]) =>
    `${transactions.join(", ")} ${transactions.length === 1 ? "holds its" : "hold their"} locks and ${transactions.length === 1 ? "waits" : "wait"} for the coordinator. Nothing in two-phase commit can free them.`,
  bringBack: "Bring the coordinator back",
  startAgain: (snapshot: string | null) =>
    snapshot === null
      ? "Bring the coordinator back: start without state"
      : `Bring the coordinator back: start from ${snapshot}`,
  tradeOff: "See the trade-off",
  noCheckpoint: (why: keyof typeof whyNone) => `No checkpoint can start: ${whyNone[why]}.`,
  setInterval: "Set an interval",
  noEffect: (name: string, time: string, element: string) =>
    `${name} was placed at ${time}, but ${element} was not running then.`,
  moot: (name: string, time: string, why: MootReason) => `${name} was placed at ${time}, but ${moots[why]}.`,
  moveTo: (time: string) => `Move to ${time}`,
  neverRuns: "It does not run any more after that.",
  neverActed: "It has not acted in this run: what it waits for did not come.",
  byChance: "It has not acted in this run: chance decided against it each time.",
} as const;
