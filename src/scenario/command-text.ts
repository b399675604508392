/** A fault or an operation as a scenario file writes it, without its `at`: what `faults.ts` reads, the other way round. */
import { formatDuration } from "./durations.ts";
import type { Command } from "./scenario.ts";

export type CommandText = { readonly do: string } & { readonly [parameter: string]: unknown };

export function commandText(command: Command): CommandText {
  if (command.do === "rescale") {
    const { target: vertex, parallelism, path } = command;
    return { do: command.do, vertex, parallelism, ...(path !== undefined && { path }) };
  }
  if (command.do === "restore") return restoreText(command);
  if (command.cut !== undefined) return { do: command.do, cut: command.cut };
  if (command.topic !== undefined) return topicText(command);
  const {
    do: verb,
    target,
    rpc,
    checkpoint,
    count,
    for: lasts,
    part,
    kind,
    record,
    factor,
    between,
    what,
    path,
    formatType,
    drain,
    replyLost,
    unrecoverable,
  } = command;
  return {
    do: verb,
    ...(rpc !== null && { rpc }),
    ...(target !== null && { [nameOf(command)]: target }),
    ...(checkpoint !== null && { checkpoint }),
    ...(count !== 1 && { count }),
    ...(lasts !== null && { for: formatDuration(lasts) }),
    ...(replyLost === true && { kind: "reply-lost" }),
    ...(unrecoverable === true && { unrecoverable }),
    ...(part !== undefined && { part }),
    ...(kind !== undefined && { kind }),
    ...(record !== undefined && { record }),
    ...(factor !== undefined && { factor }),
    ...(between !== undefined && { between }),
    ...(path !== undefined && { path }),
    ...(formatType !== undefined && { formatType }),
    ...(drain !== undefined && { drain }),
    ...(what !== undefined && { [verb === "storage-corrupt" ? "files" : "what"]: what }),
  };
}

/** A start from a snapshot, and how the job that runs is stopped before. */
function restoreText(command: Command): CommandText {
  const { from, jobId, claimMode, allowNonRestoredState, change, stop, path } = command;
  const first = { ...(stop !== undefined && { stop }), ...(path !== undefined && { path }) };
  return { do: command.do, from, jobId, claimMode, allowNonRestoredState, ...change, ...first };
}

/** What happens to a topic. */
function topicText({ do: verb, topic, partition, before, every, given = {} }: Command): CommandText {
  const between = every ?? given.every;
  return {
    do: verb,
    topic,
    ...given,
    ...(partition !== undefined && { partition }),
    ...(before !== undefined && { before }),
    ...(between !== undefined && { every: formatDuration(between) }),
  };
}

/** A transaction ends in `-subtask-number`, a subtask in `[number]`. */
function nameOf({ do: verb, target }: Command): string {
  if (verb === "poison-record") return "vertex";
  return verb === "expire-transaction" && target?.endsWith("]") === false ? "transaction" : "target";
}
