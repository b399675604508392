/**
 * The run that the timeouts come to, as a scenario file: one source, one transactional sink, a burst of records right
 * behind each barrier, and a TaskManager that is lost when checkpoint 2 is complete and before anybody hears of it.
 */
import { formatDuration } from "../durations.ts";
import { outcomeOf, type TimeoutsOutcome } from "./first-loss.ts";
import { type Moments, SHORTEST, type Timeouts, model, momentsOf } from "./timeouts.ts";

/** Records that come at once, each in a partition of its own. */
const BURST = 3;
/** Behind a loss, in milliseconds. */
const AFTERWARDS = 1000;

/** A scenario file's content. */
export function playOf(timeouts: Timeouts, title: { readonly en: string; readonly zh: string }): object {
  const moments = momentsOf(timeouts);
  const outcome = outcomeOf(timeouts);
  return {
    $schema: "scenario.schema.json",
    format: 1,
    id: "timeouts",
    title,
    flink: "2.2",
    seed: 1,
    job: jobOf(timeouts),
    cluster: { taskManagers: 1, slots: 1 },
    topics: {
      in: {
        partitions: BURST,
        records: BURST * moments.transactions.length,
        every: formatDuration(moments.bursts),
        keys: BURST,
      },
      out: { partitions: 1 },
    },
    config: configOf(timeouts),
    timing: timingOf(timeouts),
    broker: {
      "transaction.max.timeout.ms": formatDuration(timeouts.brokerLimit),
      "transaction.abort.timed.out.transaction.cleanup.interval.ms": formatDuration(timeouts.cleanup),
    },
    initialDelay: formatDuration(moments.initialDelay),
    faults: failsByItself(outcome) ? [] : outageOf(moments),
    until: untilOf(moments, outcome),
  };
}

function jobOf({ transactionTimeout }: Timeouts): object {
  const alone = { parallelism: 1, chain: false };
  return {
    name: "timeouts",
    vertices: [
      { uid: "in", name: "Source: in", type: "kafka-source", topic: "in", ...alone },
      {
        uid: "out",
        name: "Sink: out",
        type: "kafka-sink",
        topic: "out",
        delivery: "exactly-once",
        transactionalIdPrefix: "P",
        properties: { "transaction.timeout.ms": formatDuration(transactionTimeout) },
        ...alone,
      },
    ],
    edges: [{ from: "in", to: "out", ship: "forward" }],
  };
}

function configOf(timeouts: Timeouts): object {
  return {
    "execution.checkpointing.interval": formatDuration(timeouts.interval),
    "execution.checkpointing.mode": "EXACTLY_ONCE",
    "execution.checkpointing.timeout": formatDuration(timeouts.checkpointTimeout),
    "restart-strategy.type": "fixed-delay",
    "restart-strategy.fixed-delay.attempts": timeouts.attempts,
    "restart-strategy.fixed-delay.delay": formatDuration(timeouts.delay),
    "slot.request.timeout": formatDuration(timeouts.slotTimeout),
  };
}

function timingOf({ duration, redeploy, detection }: Timeouts): object {
  const { rpc, network, sync, restore, commit, initTransactions } = model;
  return {
    rpc,
    network,
    deploy: redeploy,
    restore,
    commit,
    initTransactions,
    "snapshot.sync": sync,
    "snapshot.async": formatDuration(duration - SHORTEST),
    "heartbeat.detect": formatDuration(detection),
  };
}

/** Does it go wrong without an outage? */
function failsByItself(outcome: TimeoutsOutcome): boolean {
  return outcome.kind === "restart-loop" || (outcome.kind === "loss" && outcome.why === "no-failure");
}

function outageOf({ returned }: Moments): readonly object[] {
  const target = "tm-1";
  return [
    { at: { after: "CheckpointCompleted", checkpoint: 2 }, do: "kill-taskmanager", target },
    { at: { time: formatDuration(returned - model.rpc) }, do: "restart-taskmanager", target },
  ];
}

/** A loss may come before the checkpoint is complete, or behind the end of the job: the run goes on until all has been. */
function untilOf({ failed, transactions: [, second] }: Moments, outcome: TimeoutsOutcome): unknown {
  if (outcome.kind !== "loss") return "drained";
  return { time: formatDuration(Math.max(outcome.at, failed ?? 0, second.committed ?? 0) + AFTERWARDS) };
}
