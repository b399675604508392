/**
 * The state machine of the view, made from a protocol table. The table says which edges there are; which of them is
 * taken is not decided here but told by the log's move, so one guard serves all edges: the move's target.
 */
import { type Actor, type AnyStateMachine, setup } from "xstate";
import type { MachineTable } from "../../protocol/machine.ts";

/** One edge taken, as the log tells it, with the states by name. */
export interface TakeMove {
  readonly type: "move";
  readonly from: string;
  readonly to: string;
}

/** Params of the one guard: the target of the edge that asks. */
interface Target {
  readonly to: string;
}

const protocolSetup = setup({
  types: { events: {} as TakeMove },
  guards: { leadsTo: ({ event }, params: Target) => event.to === params.to },
});

/** The edges that leave a state, in table order; the table's event is kept as the edge's description. */
function edgesFrom(events: MachineTable["states"][string]): readonly object[] {
  return Object.entries(events).flatMap(([event, targets]) =>
    targets.map((to) => ({ target: to, guard: { type: "leadsTo" as const, params: { to } }, description: event })),
  );
}

/** A table's machine. Final states of the protocol stay ordinary states: a stopped actor could not be read. */
export function fromTable(table: MachineTable): AnyStateMachine {
  const states = Object.fromEntries(
    Object.entries(table.states).map(([state, events]) => [state, { on: { move: edgesFrom(events) } }]),
  );
  return protocolSetup.createMachine({ id: table.name, initial: table.initial, states } as Parameters<
    typeof protocolSetup.createMachine
  >[0]);
}

export type ProtocolActor = Actor<AnyStateMachine>;
