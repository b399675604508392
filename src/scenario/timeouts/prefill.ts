/** The calculator's figures as a scenario has them, and as its run has shown. */
import type { Report } from "../report.ts";
import type { RestartStrategy, Scenario } from "../scenario.ts";
import { type Timeouts, SHORTEST, bounds, type TimeoutField } from "./timeouts.ts";

/** Where the scenario says nothing: a machine that is replaced within a minute, and Flink's own default of the sink. */
const OUTAGE = 60_000;
const INTERVAL = 10_000;
const SINK_TIMEOUT = 3_600_000;

/** The duration of a checkpoint is the longest that a completed one of the run took, else that of the model. */
export function timeoutsOf(
  { job, topics, config, timing, broker }: Scenario,
  report: Pick<Report, "checkpoints"> | null,
): Timeouts {
  const sink = job.vertices.find((vertex) => vertex.type === "kafka-sink");
  const topic = topics.find(({ name }) => sink?.type === "kafka-sink" && name === sink.topic);
  const durations = (report?.checkpoints ?? []).flatMap(({ status, triggered, ended }) =>
    status === "COMPLETED" && ended !== null ? [ended - triggered] : [],
  );
  return within({
    interval: config.checkpointing.interval ?? INTERVAL,
    duration: durations.length > 0 ? Math.max(...durations) : SHORTEST + timing.snapshotAsync,
    checkpointTimeout: config.checkpointing.timeout,
    ...restartsOf(config.restartStrategy),
    detection: timing.unreachableDetect,
    outage: OUTAGE,
    slotTimeout: config.slotRequestTimeout,
    redeploy: timing.deploy,
    transactionTimeout: sink?.type === "kafka-sink" ? sink.transactionTimeout : SINK_TIMEOUT,
    brokerLimit: topic?.transactionMaxTimeout ?? broker.transactionMaxTimeout,
    cleanup: broker.cleanupInterval,
  });
}

/** As a fixed delay: of a growing one the first, since the job has run well before. */
function restartsOf(strategy: RestartStrategy): Pick<Timeouts, "attempts" | "delay"> {
  switch (strategy.type) {
    case "none":
      return { attempts: 0, delay: 0 };
    case "fixed-delay":
      return { attempts: strategy.attempts, delay: strategy.delay };
    case "failure-rate":
      return { attempts: strategy.maxFailures, delay: strategy.delay };
    case "exponential-delay":
      return { attempts: strategy.attempts, delay: strategy.initialBackoff };
  }
}

function within(timeouts: Timeouts): Timeouts {
  const inside: { -readonly [F in keyof Timeouts]: Timeouts[F] } = { ...timeouts };
  for (const field of Object.keys(bounds) as TimeoutField[])
    inside[field] = Math.min(Math.max(timeouts[field], bounds[field].least), bounds[field].most);
  return inside;
}
