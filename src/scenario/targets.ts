/** What can fail in a job and how: each (thing, way) as the command that a person would give. */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { Rpc } from "../protocol/reasons.ts";
import type { Command, Scenario } from "./scenario.ts";

/** Messages whose loss Flink has to live with; that of a decline or a subsumption has no effect of its own. */
const losable: readonly Rpc[] = ["trigger", "ack", "notify-complete", "notify-aborted"];

function commandOf(verb: Command["do"], target: string | null, rpc: Rpc | null = null): Command {
  return { do: verb, target, rpc, checkpoint: null, count: 1, for: null };
}

/**
 * Failures of processes: each subtask's code, each TaskManager for good and for a moment, the job as a whole; and the
 * JobManager where a standby takes over. Without one the job is simply gone.
 */
export function crashes(
  { subtasks, taskManagers }: ExecutionGraph,
  { config }: Pick<Scenario, "config">,
): readonly Command[] {
  return [
    ...subtasks.map(({ name }) => commandOf("fail-task", name)),
    ...taskManagers.map((name) => commandOf("kill-taskmanager", name)),
    ...taskManagers.map((name) => commandOf("restart-taskmanager", name)),
    commandOf("fail-job", null),
    ...(config.state.highAvailability ? [commandOf("kill-jobmanager", null)] : []),
  ];
}

/** Lost messages of the checkpointing protocol: the next of each kind from or to each subtask. Only sources are triggered. */
export function lostMessages({ subtasks }: ExecutionGraph): readonly Command[] {
  return losable.flatMap((rpc) =>
    subtasks
      .filter(({ inputs }) => rpc !== "trigger" || inputs.length === 0)
      .map(({ name }) => commandOf("lose-rpc", name, rpc)),
  );
}

/** Are they the same thing to do? */
export function sameCommand(one: Command, other: Command): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
