/**
 * The timeouts that decide whether a transactional sink loses data (SK-159, SK-160, KF-020), as figures: what is given, what
 * follows from it for one transaction that meets the worst moment, and when. The worst moment is behind the completion of a
 * checkpoint and before its notification (FI-14): the votes are in, the sources are past the records, and nobody has
 * committed. The arithmetic is that of the run which `play.ts` writes down; a test compares the two to the millisecond.
 * Left out: failures of the broker, and checkpoints that fail in between, each of which adds another interval.
 */

/** All in milliseconds of simulated time but `attempts`. */
export interface Timeouts {
  /** `execution.checkpointing.interval`. */
  readonly interval: number;
  /** From the trigger of a checkpoint to its completion. */
  readonly duration: number;
  /** `execution.checkpointing.timeout`. */
  readonly checkpointTimeout: number;
  /** How many restarts the strategy grants, and how long it waits before each (FR-062). */
  readonly attempts: number;
  readonly delay: number;
  /** From the loss of a TaskManager until the JobManager knows. */
  readonly detection: number;
  /** From the loss of a TaskManager until one registers again. */
  readonly outage: number;
  /** `slot.request.timeout` (FR-037). */
  readonly slotTimeout: number;
  /** From the slots to a task that restores. */
  readonly redeploy: number;
  /** `transaction.timeout.ms` of the sink's producers. */
  readonly transactionTimeout: number;
  /** `transaction.max.timeout.ms` of the brokers. */
  readonly brokerLimit: number;
  /** `transaction.abort.timed.out.transaction.cleanup.interval.ms`: how often the coordinator looks (KF-020). */
  readonly cleanup: number;
}

export type TimeoutField = keyof Timeouts;

/** The least and the most that a figure may be; two of them are bounded by others too. */
export const bounds: { readonly [F in TimeoutField]: { readonly least: number; readonly most: number } } = {
  interval: { least: 100, most: 86_400_000 },
  duration: { least: 5, most: 86_400_000 },
  checkpointTimeout: { least: 10, most: 86_400_000 },
  attempts: { least: 0, most: 2_147_483_647 },
  delay: { least: 0, most: 86_400_000 },
  detection: { least: 0, most: 86_400_000 },
  outage: { least: 1, most: 86_400_000 },
  slotTimeout: { least: 100, most: 86_400_000 },
  redeploy: { least: 0, most: 3_600_000 },
  transactionTimeout: { least: 10, most: 86_400_000 },
  brokerLimit: { least: 1, most: 86_400_000 },
  cleanup: { least: 1, most: 3_600_000 },
};

/** `outage` is at most so many restarts: a run has its limits. */
const MOST_RESTARTS = 1000;

/** What a figure may be where it is something else; `null`: it is allowed. */
export function outOfBounds(timeouts: Timeouts, field: TimeoutField): { least: number; most: number } | null {
  const { least, most } = bounds[field];
  const upper = Math.min(most, dependent[field]?.(timeouts) ?? most);
  const value = timeouts[field];
  return Number.isSafeInteger(value) && value >= least && value <= upper ? null : { least, most: upper };
}

const dependent: { readonly [F in TimeoutField]?: (timeouts: Timeouts) => number } = {
  outage: ({ slotTimeout, delay }) => MOST_RESTARTS * (slotTimeout + delay),
};

/** Durations of the model that the run has beside those that are given, in milliseconds. */
export const model = { rpc: 1, network: 2, cost: 1, sync: 1, restore: 10, commit: 2, initTransactions: 5 } as const;

/**
 * Milliseconds between a barrier's trigger and the records that come next: they open the transaction as early as can be,
 * and do not meet the commit of the one before, for which the sink's thread would let them wait.
 */
function gapOf({ duration }: Timeouts): number {
  return duration < 20 ? 30 : 10;
}
/** What a checkpoint takes beside its asynchronous part: trigger, barrier, synchronous part, acknowledgement. */
export const SHORTEST = 2 * model.rpc + model.network + model.sync;
/** From when the log has a record until the sink has written it: read, sent, processed, sent. */
const FIRST_WRITE = 2 * (model.cost + model.network);

/** Behind the start, until the first records are written: the first barrier comes later. */
const FIRST_BURST = 10;

/** How often checkpoints begin: a longer one holds the next up (CP-012). */
export function periodOf({ interval, duration }: Pick<Timeouts, "interval" | "duration">): number {
  return Math.max(interval, duration);
}

/** When what happens in the run, in milliseconds from the job's start. */
export interface Moments {
  /** Between two bursts of records: as many periods as the job takes to start. */
  readonly bursts: number;
  readonly initialDelay: number;
  /** By transaction, those of checkpoints 1 and 2: its first record, its barrier, its checkpoint, its commit, its timeout. */
  readonly transactions: readonly [TransactionMoments, TransactionMoments];
  /** The TaskManager is lost; another registers. */
  readonly crash: number;
  readonly returned: number;
  /** The JobManager begins the failover, by the loss itself or by a checkpoint that expired meanwhile. */
  readonly noticed: number;
  /** The tasks have their slots, after so many restarts; `null`: the strategy has given up at `failed`. */
  readonly slots: number | null;
  readonly restarts: number;
  readonly failed: number | null;
  /** Up to when another TaskManager may register, so that the strategy outlasts the outage; as late as numbers go. */
  readonly patience: number;
}

export interface TransactionMoments {
  readonly checkpoint: number;
  readonly opened: number;
  readonly triggered: number;
  readonly completed: number;
  /** `null`: nobody commits it. */
  readonly committed: number | null;
  /** When the coordinator gives it up, unless it is decided before. */
  readonly timesOut: number;
}

/** The first look of the coordinator behind a transaction's timeout (KF-020). */
function timesOutAt(opened: number, { transactionTimeout, cleanup }: Timeouts): number {
  return (Math.floor((opened + transactionTimeout) / cleanup) + 1) * cleanup;
}

/** When a transaction is committed where the completion is told and nothing fails. */
export function committedAfter(completed: number): number {
  return completed + model.rpc + (model.commit >> 1);
}

export function momentsOf(timeouts: Timeouts): Moments {
  const { duration, redeploy, interval, outage } = timeouts;
  const period = periodOf(timeouts);
  const started = model.rpc + redeploy + model.initTransactions;
  const gap = gapOf(timeouts);
  const first = Math.ceil((started + FIRST_BURST + gap) / period);
  const transaction = (checkpoint: number, opened: number): TransactionMoments => {
    const triggered = (first + checkpoint - 1) * period - gap;
    const completed = triggered + duration;
    return {
      checkpoint,
      opened,
      triggered,
      completed,
      committed: committedAfter(completed),
      timesOut: timesOutAt(opened, timeouts),
    };
  };
  const one = transaction(1, redeploy + 2 * model.rpc + FIRST_WRITE);
  const two = transaction(2, first * period + FIRST_WRITE);
  const crash = two.completed;
  const returned = crash + outage + model.rpc;
  const third = duration < interval ? two.triggered + interval : crash;
  const recovery = recoveryOf(timeouts, crash, returned, third + timeouts.checkpointTimeout);
  const { slots } = recovery;
  const restored = slots === null ? null : slots + redeploy + model.restore + (model.commit >> 1);
  return {
    bursts: first * period,
    initialDelay: first * period - gap - started,
    transactions: [one, { ...two, committed: restored }],
    crash,
    returned,
    ...recovery,
  };
}

/**
 * When the tasks have slots again. The failover begins with what is noticed first: the TaskManager is silent for too long,
 * it registers anew, or a checkpoint that was triggered meanwhile expires (none may: CP-151).
 */
function recoveryOf(
  { detection, delay, attempts, slotTimeout }: Timeouts,
  crash: number,
  returned: number,
  expires: number,
): Pick<Moments, "noticed" | "slots" | "restarts" | "failed" | "patience"> {
  const noticed = Math.min(crash + detection, returned, expires);
  // The calls that cancel the tasks are refused, which shows that the process is gone.
  const ended = noticed === expires ? noticed + 2 * model.rpc : noticed;
  const asked = Math.max(noticed + delay, ended);
  // Each restart waits for slots, fails without them, and so takes the next.
  const each = slotTimeout + delay;
  const waited = Math.max(0, Math.floor((returned - asked - slotTimeout) / each) + 1);
  const patience = attempts === 0 ? noticed : asked + (attempts - 1) * each + slotTimeout;
  if (waited >= attempts) return { noticed, slots: null, restarts: attempts, failed: patience, patience };
  return { noticed, slots: Math.max(asked + waited * each, returned), restarts: waited + 1, failed: null, patience };
}
