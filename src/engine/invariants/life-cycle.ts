/**
 * Life cycles of attempts and of the job (INV-101 to INV-104) and what a restart takes along (INV-106, INV-110 in part).
 * The legal pairs are those of FR-002 and FR-011, written down here once more on purpose: the engine's tables are not asked.
 */
import { at } from "../../base/assert.ts";
import { Machine, machines } from "../../protocol/machines/all.ts";
import type { Kernel } from "../kernel.ts";
import type { Rows } from "../rows.ts";
import { ExecutionState } from "../states.ts";
import { NO_STATE, type Subject, TaskFact, type Watch, copyOf, tableOf } from "./watch.ts";

const taskStates = Object.keys(machines[Machine.executionState].states);
const jobStatuses = Object.keys(machines[Machine.jobStatus].states);

/** From each state to the states that may follow, as a bit set. */
function legal(states: readonly string[], pairs: { readonly [from: string]: string }): readonly number[] {
  return states.map((from) =>
    (pairs[from] ?? "").split(" ").reduce((set, to) => (to === "" ? set : set | (1 << states.indexOf(to))), 0),
  );
}

const afterTask = legal(taskStates, {
  CREATED: "SCHEDULED CANCELING CANCELED FAILED",
  SCHEDULED: "DEPLOYING CANCELING CANCELED FAILED",
  DEPLOYING: "INITIALIZING FINISHED CANCELING CANCELED FAILED",
  INITIALIZING: "RUNNING FINISHED CANCELING CANCELED FAILED",
  RUNNING: "FINISHED CANCELING CANCELED FAILED",
  CANCELING: "CANCELED",
});

const afterJob = legal(jobStatuses, {
  INITIALIZING: "CREATED FAILED SUSPENDED",
  CREATED: "RUNNING FAILING CANCELLING SUSPENDED",
  RUNNING: "RESTARTING FINISHED FAILING CANCELLING SUSPENDED",
  RESTARTING: "RUNNING FAILING CANCELLING SUSPENDED",
  FAILING: "FAILED CANCELLING SUSPENDED",
  CANCELLING: "CANCELED FAILED SUSPENDED",
  // Another JobMaster, of the next leader (FR-102).
  SUSPENDED: "INITIALIZING",
});

const terminal = (words: readonly string[], states: readonly string[]): number =>
  words.reduce((set, word) => set | (1 << states.indexOf(word)), 0);
const taskEnds = terminal(["FINISHED", "CANCELED", "FAILED"], taskStates);
const jobEnds = terminal(["FINISHED", "CANCELED", "FAILED"], jobStatuses);

export class LifeCycle implements Subject {
  static readonly ids = ["INV-101", "INV-102", "INV-103", "INV-104", "INV-106"] as const;
  private readonly watch: Watch;
  /** By subtask: is it in the restart set of a restart that was granted and has not begun? */
  private readonly granted: Rows;

  constructor(watch: Watch, from: LifeCycle | null = null) {
    this.watch = watch;
    this.granted = from === null ? tableOf(1, watch.plan.graph.subtasks.length) : copyOf(from.granted);
  }

  clone(watch: Watch): LifeCycle {
    return new LifeCycle(watch, this);
  }

  TaskStateChanged(k: Kernel, task: number, attempt: number, from: number, to: number): void {
    const { watch } = this;
    const name = watch.subtask(task);
    const known = watch.task(task, TaskFact.state);
    const said = `${name}#${attempt} goes from ${at(taskStates, from)} to ${at(taskStates, to)}`;
    if ((taskEnds & (1 << from)) !== 0) {
      watch.violated(k, "INV-101", `a terminal execution state is never left, but ${said}`, name);
    } else if (((afterTask[from] as number) & (1 << to)) === 0) {
      watch.violated(k, "INV-102", `FR-002 knows no such pair: ${said}`, name);
    }
    if (known !== from) {
      watch.violated(
        k,
        "INV-102",
        `${said}, but it was ${known === NO_STATE ? "not there" : at(taskStates, known)}`,
        name,
      );
    }
    if (attempt !== watch.task(task, TaskFact.attempt)) {
      watch.violated(k, "INV-103", `${said}, but its current attempt is ${watch.task(task, TaskFact.attempt)}`, name);
    }
  }

  JobStatusChanged(k: Kernel, from: number, to: number): void {
    const said = `the job goes from ${at(jobStatuses, from)} to ${at(jobStatuses, to)}`;
    if ((jobEnds & (1 << from)) !== 0) {
      this.watch.violated(k, "INV-101", `a terminal job status is never left, but ${said}`, "job");
    } else if (((afterJob[from] as number) & (1 << to)) === 0) {
      this.watch.violated(k, "INV-102", `FR-011 knows no such pair: ${said}`, "job");
    }
    if (this.watch.status !== from)
      this.watch.violated(k, "INV-102", `${said}, but it was ${at(jobStatuses, this.watch.status)}`, "job");
  }

  AttemptCreated(k: Kernel, task: number, attempt: number): void {
    const { watch } = this;
    const name = watch.subtask(task);
    const state = watch.task(task, TaskFact.state);
    const before = watch.task(task, TaskFact.attempt);
    if (state !== NO_STATE && (taskEnds & (1 << state)) === 0) {
      watch.violated(
        k,
        "INV-103",
        `attempt ${attempt} of ${name} is created while attempt ${before} is ${at(taskStates, state)}: only one may be non-terminal`,
        name,
      );
    }
    if (attempt !== before + 1) {
      watch.violated(
        k,
        "INV-104",
        `attempt numbers grow by exactly 1, but ${name} goes from ${before} to ${attempt}`,
        name,
      );
    }
    if (attempt > 0 && this.granted.get(task, 0) === 0) {
      watch.violated(
        k,
        "INV-110",
        `${name} is restarted but is in no granted restart set: subtasks outside of it keep their attempt`,
        name,
      );
    }
    this.granted.set(task, 0, 0);
  }

  /** Restarts that were granted are gone with the leader. */
  LeadershipLost(): void {
    for (let task = 0; task < this.granted.count; task++) this.granted.set(task, 0, 0);
  }

  /** A new leader runs the whole job anew (FR-030). */
  LeadershipGranted(): void {
    for (let task = 0; task < this.granted.count; task++) this.granted.set(task, 0, 1);
  }

  RestartScheduled(k: Kernel): void {
    const { watch } = this;
    const set = k.draft.list ?? [];
    for (const task of set) this.granted.set(task, 0, 1);
    const inSet = new Set(set);
    if (inSet.size === 0) return;
    for (const { index, from, to, name } of watch.plan.graph.channels) {
      if (inSet.has(from) === inSet.has(to) || (watch.plan.blocking[index] === 1 && this.waits(from, to))) continue;
      const [restarted, forgotten] = inSet.has(from) ? [from, to] : [to, from];
      const why = inSet.has(from)
        ? "consumers of a restarted region restart too"
        : "its pipelined input cannot be read again, so its producer restarts too";
      watch.violated(
        k,
        "INV-106",
        `${watch.subtask(restarted)} is restarted without ${watch.subtask(forgotten)}: ${why}`,
        watch.subtask(restarted),
        watch.subtask(forgotten),
        name,
      );
    }
  }

  /** Over a blocking exchange a consumer that was never deployed waits on (FR-044), and a result can be read again (FR-042). */
  private waits(producer: number, consumer: number): boolean {
    const { watch } = this;
    return (
      watch.task(consumer, TaskFact.state) === ExecutionState.created ||
      watch.task(producer, TaskFact.state) === ExecutionState.finished
    );
  }
}
