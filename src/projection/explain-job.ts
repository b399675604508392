/** Sentences about the job, its attempts, failures and the way back. */
import {
  claimModes,
  endings,
  failoverScopes,
  failureCauses,
  faultVerbs,
  restoreRefusals,
} from "../protocol/reasons.ts";
import type { Entry } from "./entry.ts";
import { executionStates, jobStatuses } from "./fields.ts";
import type { Sentence } from "./sentences.ts";
import { movesInto, ownerBefore, pieceName, toSubtask } from "./state-moves.ts";

const jobState = (e: Entry<"JobStatusChanged">): Sentence => {
  const state = e.word("to", jobStatuses);
  if (state === "FAILING") {
    const restarts = e.facts.countUpTo("RestartScheduled", 0, e.step);
    return { says: "restart.denied", level: "headline", restarts };
  }
  return { says: "job.state", level: "headline", from: e.word("from", jobStatuses), state };
};

const fault = (e: Entry<"FaultInjected">): Sentence => {
  const command = e.shared.commands[e.number("fault")];
  return {
    says: "fault",
    level: "headline",
    fault: e.word("do", faultVerbs),
    target: command?.target ?? e.taskOrNull("subtask") ?? e.taskManager("taskManager"),
    rpc: command?.rpc ?? null,
    ms: command?.for ?? null,
  };
};

const restart = (e: Entry<"RestartScheduled">): Sentence => ({
  says: "restart",
  level: "headline",
  tasks: e.list("restarted").length,
  of: e.shared.graph.subtasks.length,
  delay: e.number("delay"),
  restarts: e.facts.countUpTo("RestartScheduled", 0, e.step),
  scope: e.word("scope", failoverScopes),
  failure: failureCauses[e.number("failure")] ?? null,
});

/** A job that was started from a snapshot tells which pieces of it go where. */
const restored = (e: Entry<"StateRestored">): Sentence => {
  const { shared, facts } = e;
  const told = { level: "protocol", task: e.task() } as const;
  const [attempt, checkpoint] = [e.number("attempt"), e.number("checkpoint")];
  if (shared.origin === null || attempt > 0 || shared.origin.checkpoint !== checkpoint)
    return { says: "restore.state", ...told, attempt, checkpoint };
  const moves = movesInto(shared, (submission) => facts.sharedOf(submission));
  const pieces = toSubtask(shared, moves, e.number("subtask")).map((move) => ({
    kind: move.kind,
    what: pieceName(shared.graph, move),
    from: ownerBefore(shared, move),
  }));
  return { says: "restore.given", ...told, checkpoint, savepoint: facts.kindOf(checkpoint) !== "CHECKPOINT", pieces };
};

/** A new job's reader has stood nowhere: what is read again is what jobs before it have read. */
const seek = (e: Entry<"SourceRewound">): Sentence => {
  const [position, offset] = [e.number("position"), e.number("target")];
  const stood = position > offset ? position : e.facts.emissions.furthestAt(e.number("partition"), e.step);
  return {
    says: "restore.seek",
    level: "protocol",
    task: e.task(),
    partition: e.input("partition"),
    position,
    offset,
    again: Math.max(0, stood - offset),
  };
};

export const jobSentences = {
  JobStatusChanged: jobState,
  AttemptCreated: (e: Entry<"AttemptCreated">): Sentence => ({
    says: "attempt.new",
    level: "protocol",
    task: e.task(),
    attempt: e.number("attempt"),
  }),
  TaskStateChanged: (e: Entry<"TaskStateChanged">): Sentence => ({
    says: "task.state",
    level: "protocol",
    task: e.task(),
    attempt: e.number("attempt"),
    state: e.word("to", executionStates),
    taskManager: e.taskManager("taskManager"),
  }),
  TaskStopped: (e: Entry<"TaskStopped">): Sentence => ({
    says: "task.end",
    level: "protocol",
    task: e.task(),
    attempt: e.number("attempt"),
    ending: e.word("ending", endings),
  }),
  TaskFailed: (e: Entry<"TaskFailed">): Sentence => ({
    says: "detect",
    level: "headline",
    task: e.task(),
    failure: e.word("failure", failureCauses),
    ms: e.facts.since("TaskStopped", e.number("subtask"), e.step),
  }),
  TaskManagerLost: (e: Entry<"TaskManagerLost">): Sentence => ({
    says: "detect.taskManager",
    level: "headline",
    taskManager: e.taskManager("taskManager") ?? "",
    ms: e.facts.since("FaultInjected", e.number("taskManager"), e.step),
  }),
  TaskManagerRegistered: (e: Entry<"TaskManagerRegistered">): Sentence => ({
    says: "taskManager.back",
    level: "headline",
    taskManager: e.taskManager("taskManager") ?? "",
  }),
  FaultInjected: fault,
  RestartScheduled: restart,
  RestoredAsFinished: (e: Entry<"RestoredAsFinished">): Sentence => ({
    says: "restore.finished",
    level: "protocol",
    task: e.task(),
    attempt: e.number("attempt"),
    checkpoint: e.number("checkpoint"),
  }),
  OperatorsFinished: (e: Entry<"OperatorsFinished">): Sentence => ({
    says: "end.operators",
    level: "headline",
    task: e.task(),
  }),
  StateRestored: restored,
  SourceRewound: seek,
  ReaderRegistered: (e: Entry<"ReaderRegistered">): Sentence => ({
    says: "reader.registers",
    level: "everything",
    task: e.task(),
  }),
  SplitAssigned: (e: Entry<"SplitAssigned">): Sentence => ({
    says: "split.assign",
    level: "protocol",
    task: e.task(),
    partition: e.input("partition"),
  }),
  PartitionDiscovered: (e: Entry<"PartitionDiscovered">): Sentence => ({
    says: "split.found",
    level: "headline",
    vertex: e.operator("operator"),
    partition: e.input("partition"),
  }),
  OffsetReset: (e: Entry<"OffsetReset">): Sentence => ({
    says: "src.reset",
    level: "headline",
    task: e.task(),
    partition: e.input("partition"),
    position: e.number("position"),
    offset: e.number("target"),
  }),
  ConnectionClosed: (e: Entry<"ConnectionClosed">): Sentence => ({
    says: "src.closed",
    level: "headline",
    task: e.task(),
    partition: e.input("partition"),
    position: e.number("position"),
    offset: e.number("delivered"),
  }),
  SplitAdded: (e: Entry<"SplitAdded">): Sentence => ({
    says: "split.add",
    level: "protocol",
    task: e.task(),
    partition: e.input("partition"),
    offset: e.number("position"),
  }),
  SplitReturned: (e: Entry<"SplitReturned">): Sentence => ({
    says: "split.back",
    level: "protocol",
    task: e.task(),
    partition: e.input("partition"),
    checkpoint: e.number("checkpoint"),
  }),
  CoordinatorReset: (e: Entry<"CoordinatorReset">): Sentence => ({
    says: "coordinator.reset",
    level: "protocol",
    vertex: e.operator("operator"),
    checkpoint: e.number("checkpoint"),
  }),
  LeadershipLost: (e: Entry<"LeadershipLost">): Sentence => ({
    says: "leader.lost",
    level: "headline",
    standby: e.shared.scenario.config.state.highAvailability,
  }),
  LeadershipGranted: (e: Entry<"LeadershipGranted">): Sentence => ({
    says: "leader.granted",
    level: "headline",
    checkpoint: e.number("checkpoint") === 0 ? null : e.number("checkpoint"),
  }),
  CheckpointRecovered: (e: Entry<"CheckpointRecovered">): Sentence => ({
    says: "leader.finds",
    level: "headline",
    checkpoint: e.number("checkpoint"),
  }),
  FatalError: (e: Entry<"FatalError">): Sentence => ({
    says: "fatal",
    level: "headline",
    task: e.task(),
    taskManager: e.taskManager("taskManager") ?? "",
  }),
  JobSubmitted: (e: Entry<"JobSubmitted">): Sentence => ({
    says: "job.submitted",
    level: "headline",
    submission: e.number("submission"),
    checkpoint: e.number("checkpoint") > 0 ? e.number("checkpoint") : null,
    savepoint: e.flag("savepoint"),
    claimMode: e.number("claimMode") < 0 ? null : e.word("claimMode", claimModes),
  }),
  OperatorStateDropped: (e: Entry<"OperatorStateDropped">): Sentence => ({
    says: "restore.dropped",
    level: "headline",
    vertex: e.uid("uid") ?? "",
  }),
  RestoreRefused: (e: Entry<"RestoreRefused">): Sentence => ({
    says: "restore.refused",
    level: "headline",
    refusal: e.word("refusal", restoreRefusals),
    vertex: e.uid("uid"),
  }),
  SubmissionRejected: (e: Entry<"SubmissionRejected">): Sentence => ({
    says: "job.rejected",
    level: "headline",
    state: e.word("from", jobStatuses),
  }),
  SlotRequestFailed: (e: Entry<"SlotRequestFailed">): Sentence => ({
    says: "slot.none",
    level: "headline",
    task: e.task(),
  }),
};
