/** Why a fault of something else than a running task has nothing to do when it acts: told by the view just before it. */
import { at } from "../../base/assert.ts";
import { EventNumber } from "../../protocol/events.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { EventLog } from "../../protocol/log.ts";
import { attemptsOf } from "../../projection/attempts.ts";
import { nextOf } from "../../projection/causes.ts";
import { places } from "../../projection/fields.ts";
import type { FaultMark } from "../../projection/timeline.ts";
import type { RunView } from "../../projection/views.ts";
import type { Command } from "../../scenario/scenario.ts";
import { circumstances } from "../use-view.ts";

export type MootReason =
  | "gone"
  | "noJobManager"
  | "noneRuns"
  | "notStalled"
  | "storageThere"
  | "brokersThere"
  | "notCut"
  | "jobOver"
  | "decided"
  | "noSnapshot";

export interface Moot {
  readonly why: MootReason;
  /** The first moment after that at which it would do something; `null`: none is known. */
  readonly moveTo: number | null;
}

const registered = places("TaskManagerRegistered").taskManager;

/** `null`: there is something that it does. */
export function mootAt(view: RunView, log: EventLog, mark: FaultMark, command: Command): Moot | null {
  const { graph, scenario } = view.shared;
  const now = circumstances({ graph, scenario, log, step: view.step, view, shelf: [] });
  const isBack = (entry: number): boolean => log.field(entry, registered) === mark.taskManager;
  const never = (why: MootReason): Moot => ({ why, moveTo: null });
  switch (mark.do) {
    case "kill-taskmanager":
    case "restart-taskmanager":
      return now.taskManagerAlive(mark.taskManager)
        ? null
        : { why: "gone", moveTo: behind(log, nextOf(log, mark.step, EventNumber.TaskManagerRegistered, isBack)) };
    case "kill-jobmanager":
      return view.job.led
        ? null
        : { why: "noJobManager", moveTo: behind(log, nextOf(log, mark.step, EventNumber.LeadershipGranted)) };
    case "fail-vertex":
      return vertexMoot(view, log, mark, command);
    case "fail-job":
    case "cancel":
    case "cancel-with-savepoint":
    case "stop-with-savepoint":
    case "trigger-checkpoint":
    case "trigger-savepoint":
      return now.ended ? never("jobOver") : null;
    case "resume":
      return mark.subtask < 0 || at(view.subtasks, mark.subtask).stalled !== null ? null : never("notStalled");
    case "storage-up":
      return now.storageIsDown || command.what === "ha" ? null : never("storageThere");
    case "broker-up":
      return now.brokerIsDown ? null : never("brokersThere");
    case "heal":
      return graph.taskManagers.some((name) => now.isCutOff(name)) ? null : never("notCut");
    case "expire-transaction": {
      const named = view.transactions.findLast(({ number }) => transactionName(graph, number) === command.target);
      return named !== undefined && !now.transactionUndecided(named.number) ? never("decided") : null;
    }
    case "storage-corrupt":
      return view.checkpoints.some(({ id, state }) => id === command.checkpoint && state === "COMPLETED")
        ? null
        : never("noSnapshot");
    default:
      return null;
  }
}

/** A whole vertex fails: something does if one of its subtasks runs. */
function vertexMoot(view: RunView, log: EventLog, mark: FaultMark, { target }: Command): Moot | null {
  const vertex = view.shared.graph.vertices.find(({ uid }) => uid === target);
  if (vertex === undefined || vertex.subtasks.some((subtask) => isRunning(view, subtask))) return null;
  const moments = vertex.subtasks.flatMap(
    (subtask) => runningAfter(log, view.shared.submission, subtask, mark.step) ?? [],
  );
  return { why: "noneRuns", moveTo: moments.length === 0 ? null : Math.min(...moments) };
}

function isRunning(view: RunView, subtask: number): boolean {
  const { state } = at(view.subtasks, subtask);
  return state === "RUNNING" || state === "INITIALIZING";
}

/** The first moment behind an entry at which a subtask has begun to run; `null`: it does not any more. */
export function runningAfter(log: EventLog, submission: number, subtask: number, step: number): number | null {
  const moments = attemptsOf(log)
    .of(submission, subtask, log.length)
    .flatMap(({ states }) => states.filter((each) => each.state === "RUNNING" && each.step > step))
    .map(({ clock }) => clock);
  // The entry of that millisecond comes first.
  return moments.length === 0 ? null : Math.min(...moments) + 1;
}

/** A moment from which on an entry has happened: what comes at its millisecond comes first. */
function behind(log: EventLog, entry: number | null): number | null {
  return entry === null ? null : log.clock(entry) + 1;
}
