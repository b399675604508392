/**
 * The inequalities that must hold so that nothing is lost, each with its figures (SK-159, SK-160, R-09b, R-10).
 * The first five are enough: where they hold, the run of `play.ts` loses nothing, however late the coordinator looks. The
 * sixth has room for a checkpoint that takes as long as it may.
 */
import { type TimeoutField, type Timeouts, model, momentsOf, periodOf } from "./timeouts.ts";

export const inequalityIds = [
  "broker-limit",
  "checkpoint-in-time",
  "commit-in-time",
  "restarts-outlast",
  "outage-survived",
  "room",
] as const;
export type InequalityId = (typeof inequalityIds)[number];

/** A summand: a figure that was given, the longer of interval and duration, or a duration of the model. */
export type Summand = TimeoutField | "period" | "commit" | "recovery" | "restore";

export interface Inequality {
  readonly id: InequalityId;
  readonly holds: boolean;
  /** What is needed, in milliseconds, and what it is made of; `null`: no time would be enough. */
  readonly need: number | null;
  readonly of: readonly { readonly name: Summand; readonly value: number }[];
  /** What there is, in milliseconds; `Infinity`: there is no limit. */
  readonly have: number;
  /** The rules that it follows, and the class that has it. */
  readonly rules: readonly string[];
  readonly source: string;
}

/** A commit request and its answer, behind the notification. */
const COMMIT = model.rpc + model.commit;
/** More restarts than this are no limit that a job would meet. */
const MANY = 1_000_000;

export function inequalitiesOf(timeouts: Timeouts): readonly Inequality[] {
  const { transactionTimeout, brokerLimit, duration, checkpointTimeout, outage, attempts, redeploy } = timeouts;
  const { crash, slots, patience } = momentsOf(timeouts);
  const period = { name: "period", value: periodOf(timeouts) } as const;
  const commit = { name: "commit", value: COMMIT } as const;
  const restart = [{ name: "redeploy", value: redeploy }, { name: "restore", value: model.restore }, commit] as const;
  const usual = [period, { name: "duration", value: duration }] as const;
  const recovery = slots === null ? null : ({ name: "recovery", value: slots - crash } as const);
  const longest = Math.max(timeouts.detection + timeouts.delay, outage);
  const room = [
    period,
    { name: "checkpointTimeout", value: checkpointTimeout },
    { name: "recovery", value: longest },
    ...restart,
  ] as const;
  return [
    within("broker-limit", [{ name: "transactionTimeout", value: transactionTimeout }], brokerLimit),
    // At the same millisecond the timeout comes first.
    within("checkpoint-in-time", [{ name: "duration", value: duration }], checkpointTimeout, duration + 1),
    within("commit-in-time", [...usual, commit], transactionTimeout),
    within(
      "restarts-outlast",
      [{ name: "outage", value: outage }],
      attempts > MANY ? Infinity : attempts === 0 ? 0 : patience - crash,
      outage + model.rpc + 1,
    ),
    recovery === null
      ? { ...within("outage-survived", usual, transactionTimeout), need: null, holds: false }
      : within("outage-survived", [...usual, recovery, ...restart], transactionTimeout),
    within("room", room, transactionTimeout),
  ];
}

/** `least`: what it takes in fact, where that is more than the sum. */
function within(id: InequalityId, of: Inequality["of"], have: number, least = 0): Inequality {
  const need = of.reduce((sum, { value }) => sum + value, 0);
  return { id, holds: Math.max(need, least) <= have, need, of, have, ...origins[id] };
}

const origins: { readonly [I in InequalityId]: Pick<Inequality, "rules" | "source"> } = {
  "broker-limit": { rules: ["SK-159", "KF-012"], source: "TransactionCoordinator.handleInitProducerId" },
  "checkpoint-in-time": { rules: ["CP-020", "CP-151"], source: "CheckpointCoordinator.CheckpointCanceller" },
  "commit-in-time": { rules: ["SK-160", "KF-013", "KF-020"], source: "TransactionStateManager.timedOutTransactions" },
  "restarts-outlast": { rules: ["FR-062", "FR-037"], source: "FixedDelayRestartBackoffTimeStrategy" },
  "outage-survived": { rules: ["SK-160", "SK-157", "KF-021"], source: "KafkaCommitter" },
  room: { rules: ["SK-160"], source: "KafkaSink" },
};
