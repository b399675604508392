/** Messages at the thing that is in trouble. Fetched with the inspector's fields. */
const whyNone = {
  off: "checkpointing is off: execution.checkpointing.interval is not set",
  tasks: "not all tasks run",
  status: "the job does not run",
  leaderless: "there is no JobManager",
  finished: "tasks have finished, and checkpoints after that are switched off",
} as const;

const seconds = (ms: number): string => `${ms / 1000} s`;

export const enTroubles = {
  failed: (cause: string, strategy: string) =>
    `The job is FAILED: ${cause}. ${strategy === "none" ? "There is no restart strategy: no restart is allowed." : `${strategy} allows no further restart.`}`,
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
  noCheckpoint: (why: keyof typeof whyNone) => `No checkpoint can start: ${whyNone[why]}.`,
  setInterval: "Set an interval",
  noEffect: (name: string, time: string, element: string) =>
    `${name} was placed at ${time}, but ${element} was not running then.`,
  moveTo: (time: string) => `Move to ${time}`,
  neverRuns: "It does not run any more after that.",
  neverActed: "It has not acted in this run: what it waits for did not come.",
  byChance: "It has not acted in this run: chance decided against it each time.",
} as const;
