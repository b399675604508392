/**
 * The actors of a run: one XState actor for the job, for each subtask's current attempt, each barrier handler, each recent
 * checkpoint and transaction, and each subtask's part in a recent checkpoint. Playing forward they take the moves of the
 * log. A jump, or more moves than a frame has time for, seats them anew from the projection; both ways lead to the same
 * states.
 */
import { type AnyStateMachine, createActor } from "xstate";
import { at } from "../../base/assert.ts";
import { EventNumber } from "../../protocol/events.ts";
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

/** The state that one instance of a machine is in. */
export interface Seat {
  readonly machine: number;
  readonly instance: number;
  readonly state: string;
}

/** Instances of one machine that have actors at most; the oldest go first. */
const KEPT_MAX: readonly number[] = Object.values({
  executionState: 256, jobStatus: 1, checkpoint: 16, barrierHandler: 256, subtaskSnapshot: 256, transaction: 64,
});

const MACHINE_STATES: readonly (readonly string[])[] = machines.map((table) => Object.keys(table.states));

/** One machine for each protocol table, in the tables' order. */
export const viewMachines: readonly AnyStateMachine[] = machines.map((table) => fromTable(table));

export class Actors {
  private readonly machines: readonly AnyStateMachine[];
  private readonly sets: readonly Map<number, ProtocolActor>[];

  constructor(from: readonly AnyStateMachine[] = viewMachines) {
    this.machines = from;
    this.sets = from.map(() => new Map());
  }

  /** Takes the moves of one entry. Two kinds of entry begin an instance before it has moved. */
  take(log: EventLog, step: number): void {
    const type = log.type(step);
    if (type === EventNumber.AttemptCreated) this.begin(Machine.executionState, log.field(step, 0));
    if (type === EventNumber.CheckpointTriggered) this.begin(Machine.checkpoint, log.field(step, 0));
    const count = log.moveCount(step);
    for (let index = 0; index < count; index++) this.move(log.move(step, index));
  }

  move({ machine, instance, from, to }: Move): void {
    const states = at(MACHINE_STATES, machine);
    const source = at(states, from);
    const set = at(this.sets, machine);
    const begins = source === at(machines, machine).initial;
    const actor = begins ? this.begin(machine, instance) : (set.get(instance) ?? this.seatOne({ machine, instance, state: source }));
    actor.send({ type: "move", from: source, to: at(states, to) });
  }

  /** Seats all actors; instances that are not named have none. */
  seat(seats: readonly Seat[]): void {
    for (const set of this.sets) {
      for (const actor of set.values()) actor.stop();
      set.clear();
    }
    for (const seat of seats) this.seatOne(seat);
  }

  state(machine: number, instance: number): string | null {
    const actor = at(this.sets, machine).get(instance);
    return actor === undefined ? null : String(actor.getSnapshot().value);
  }

  /** Every actor's seat, oldest first. */
  seats(): readonly Seat[] {
    return this.sets.flatMap((set, machine) =>
      [...set].map(([instance, actor]): Seat => ({ machine, instance, state: String(actor.getSnapshot().value) })),
    );
  }

  private begin(machine: number, instance: number): ProtocolActor {
    return this.place(machine, instance, createActor(at(this.machines, machine)));
  }

  private seatOne({ machine, instance, state }: Seat): ProtocolActor {
    const made = at(this.machines, machine);
    return this.place(machine, instance, createActor(made, { snapshot: made.resolveState({ value: state, context: undefined }) }));
  }

  private place(machine: number, instance: number, actor: ProtocolActor): ProtocolActor {
    const set = at(this.sets, machine);
    set.get(instance)?.stop();
    set.delete(instance);
    set.set(instance, actor.start());
    const oldest = set.keys().next();
    if (set.size > at(KEPT_MAX, machine) && oldest.done !== true) {
      set.get(oldest.value)?.stop();
      set.delete(oldest.value);
    }
    return actor;
  }
}
