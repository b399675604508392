/**
 * The actors of a run: one XState actor for the job, for each subtask's current attempt, each barrier handler, each recent
 * checkpoint and transaction, and each subtask's part in a recent checkpoint. They take the moves of the log, or are seated
 * from the projection; both ways lead to the same states.
 */
import { type AnyStateMachine, createActor } from "xstate";
import { at } from "../../base/assert.ts";
import { EventNumber } from "../../protocol/events.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { snapshotCheckpoint, snapshotNumber, snapshotSubtask } from "../../protocol/ids.ts";
import type { EventLog, Move } from "../../protocol/log.ts";
import { Machine, machines } from "../../protocol/machines/all.ts";
import type { StateOf } from "../../protocol/machine.ts";
import type { barrierHandler } from "../../protocol/machines/barrier-handler.ts";
import type { checkpoint } from "../../protocol/machines/checkpoint.ts";
import type { executionState } from "../../protocol/machines/execution-state.ts";
import type { jobStatus } from "../../protocol/machines/job-status.ts";
import type { subtaskSnapshot } from "../../protocol/machines/subtask-snapshot.ts";
import type { transaction } from "../../protocol/machines/transaction.ts";
import { fromTable, type ProtocolActor } from "./from-table.ts";
import { CHECKPOINTS_MAX, type Seat, singles, SNAPSHOTS_OF_MAX, TRANSACTIONS_MAX } from "./seat.ts";

export type JobState = StateOf<typeof jobStatus>;
export type TaskState = StateOf<typeof executionState>;
export type CheckpointState = StateOf<typeof checkpoint>;
export type TransactionState = StateOf<typeof transaction>;
export type HandlerState = StateOf<typeof barrierHandler>;
export type SnapshotState = StateOf<typeof subtaskSnapshot>;

/** What the stage knows of the protocol's states; `null`: there is no actor for this. */
export interface MachineStates {
  job(): JobState | null;
  task(subtask: number): TaskState | null;
  checkpoint(id: number): CheckpointState | null;
  transaction(number: number): TransactionState | null;
  handler(subtask: number): HandlerState | null;
  snapshot(subtask: number, checkpoint: number): SnapshotState | null;
}

const STATES: readonly (readonly string[])[] = machines.map((table) => Object.keys(table.states));

/** One machine for each protocol table, in the tables' order. */
export const viewMachines: readonly AnyStateMachine[] = machines.map((table) => fromTable(table));

export class Actors implements MachineStates {
  private readonly machines: readonly AnyStateMachine[];
  private readonly sets: readonly Map<number, ProtocolActor>[];
  private readonly single: readonly boolean[];
  /** The first checkpoint whose parts are followed. */
  private firstParts = 0;

  constructor(graph: ExecutionGraph, from: readonly AnyStateMachine[] = viewMachines) {
    this.machines = from;
    this.single = singles(graph);
    this.sets = from.map(() => new Map());
  }

  /** Takes the moves of one entry. Two kinds of entry begin an instance before it moves. */
  take(log: EventLog, step: number): void {
    const type = log.type(step);
    if (type === EventNumber.AttemptCreated) this.beginAttempt(log.field(step, 0));
    if (type === EventNumber.CheckpointTriggered) this.beginCheckpoint(log.field(step, 0));
    const count = log.moveCount(step);
    for (let index = 0; index < count; index++) this.move(log.move(step, index));
  }

  /** A move out of the table's initial state begins a new instance. */
  private move({ machine, instance, from, to }: Move): void {
    if (!this.follows(machine, instance)) return;
    const source = at(at(STATES, machine), from);
    const known = at(this.sets, machine).get(instance);
    const actor = source === at(machines, machine).initial ? this.begin(machine, instance) : known;
    actor?.send({ type: "move", from: source, to: at(at(STATES, machine), to) });
  }

  private follows(machine: number, instance: number): boolean {
    if (machine === Machine.executionState || machine === Machine.barrierHandler) return this.single[instance] === true;
    if (machine !== Machine.subtaskSnapshot) return true;
    return this.single[snapshotSubtask(instance)] === true && snapshotCheckpoint(instance) >= this.firstParts;
  }

  /** A new attempt knows nothing of the one before. */
  private beginAttempt(subtask: number): void {
    if (this.single[subtask] !== true) return;
    this.begin(Machine.executionState, subtask);
    if (at(this.sets, Machine.barrierHandler).has(subtask)) this.begin(Machine.barrierHandler, subtask);
  }

  private beginCheckpoint(id: number): void {
    this.begin(Machine.checkpoint, id);
    this.limitParts();
  }

  /** Parts of older checkpoints have no actors any more. */
  private limitParts(): void {
    this.firstParts = [...at(this.sets, Machine.checkpoint).keys()].at(-SNAPSHOTS_OF_MAX) ?? 0;
    const parts = at(this.sets, Machine.subtaskSnapshot);
    for (const instance of parts.keys()) {
      if (snapshotCheckpoint(instance) >= this.firstParts) continue;
      parts.get(instance)?.stop();
      parts.delete(instance);
    }
  }

  /** Seats all actors; instances that are not named have none. */
  seat(seats: readonly Seat[]): void {
    for (const set of this.sets) {
      for (const actor of set.values()) actor.stop();
      set.clear();
    }
    for (const { machine, instance, state } of seats) {
      const made = at(this.machines, machine);
      this.place(
        machine,
        instance,
        createActor(made, { snapshot: made.resolveState({ value: state, context: undefined }) }),
      );
    }
    this.limitParts();
  }

  /** Every actor's seat. */
  seats(): Seat[] {
    return this.sets.flatMap((set, machine) =>
      [...set.keys()].map((instance): Seat => ({ machine, instance, state: this.state(machine, instance) ?? "" })),
    );
  }

  private begin(machine: number, instance: number): ProtocolActor {
    return this.place(machine, instance, createActor(at(this.machines, machine)));
  }

  private place(machine: number, instance: number, actor: ProtocolActor): ProtocolActor {
    const set = at(this.sets, machine);
    set.get(instance)?.stop();
    set.delete(instance);
    set.set(instance, actor.start());
    const most =
      machine === Machine.checkpoint ? CHECKPOINTS_MAX : machine === Machine.transaction ? TRANSACTIONS_MAX : Infinity;
    const oldest = set.keys().next();
    if (set.size > most && oldest.done !== true) {
      set.get(oldest.value)?.stop();
      set.delete(oldest.value);
    }
    return actor;
  }

  private state(machine: number, instance: number): string | null {
    const actor = at(this.sets, machine).get(instance);
    return actor === undefined ? null : String(actor.getSnapshot().value);
  }

  job(): JobState | null {
    return this.state(Machine.jobStatus, 0) as JobState | null;
  }

  task(subtask: number): TaskState | null {
    return this.state(Machine.executionState, subtask) as TaskState | null;
  }

  checkpoint(id: number): CheckpointState | null {
    return this.state(Machine.checkpoint, id) as CheckpointState | null;
  }

  transaction(number: number): TransactionState | null {
    return this.state(Machine.transaction, number) as TransactionState | null;
  }

  handler(subtask: number): HandlerState | null {
    return this.state(Machine.barrierHandler, subtask) as HandlerState | null;
  }

  snapshot(subtask: number, id: number): SnapshotState | null {
    return this.state(Machine.subtaskSnapshot, snapshotNumber(subtask, id)) as SnapshotState | null;
  }
}
