/** Keeps the actors at the cursor: a few entries ahead are played, anything else is a jump, and the actors take new seats. */
import type { AnyStateMachine } from "xstate";
import type { EventLog } from "../../protocol/log.ts";
import type { RunView } from "../../projection/views.ts";
import { Actors, type MachineStates, viewMachines } from "./actors.ts";
import { seatsOf } from "./seat.ts";

/** Moves that one frame has time for. */
export const MOVES_MAX = 200;

export interface Follower {
  /** Brings the actors to where the view is: the entry of `log` at `view.step` is the last that has happened. */
  follow(log: EventLog, view: RunView): MachineStates;
}

export function createFollower(machines: readonly AnyStateMachine[] = viewMachines): Follower {
  let actors: Actors | null = null;
  let followed: { shared: unknown; step: number } = { shared: null, step: 0 };
  return {
    follow(log, view) {
      const goesOn = actors !== null && followed.shared === view.shared && canPlay(log, followed.step, view.step);
      if (actors === null || followed.shared !== view.shared) actors = new Actors(view.shared.graph, machines);
      if (goesOn) for (let step = followed.step + 1; step <= view.step; step++) actors.take(log, step);
      else actors.seat(seatsOf(view));
      followed = { shared: view.shared, step: view.step };
      return actors;
    },
  };
}

function canPlay(log: EventLog, from: number, to: number): boolean {
  if (to < from) return false;
  let moves = 0;
  for (let step = from + 1; step <= to && moves <= MOVES_MAX; step++) moves += log.moveCount(step);
  return moves <= MOVES_MAX;
}
