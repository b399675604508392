/** What CP-233 says of the recorded state of a run that has ended. */
import { assert } from "../../base/assert.ts";
import { type Lab, begin } from "../chandy-lamport.ts";
import { type GlobalState, after, inconsistencies, presentState, recordedState, reorderings } from "../global-state.ts";

const same = (a: GlobalState | null, b: GlobalState | null): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * No message is lost or an orphan; the recorded state can be reached from the start and the end from it: exchanging
 * neighbours gives runs that can happen and end the same, the last of which passes through it. Gives that state, or throws.
 */
export function consistentState(lab: Lab): GlobalState {
  const state = recordedState(lab);
  assert(state !== null, "the snapshot is complete");
  const { lost, orphans } = inconsistencies(lab);
  assert(lost.length === 0 && orphans.length === 0, "no message is lost or an orphan");
  const end = presentState(lab);
  const { orders, inside } = reorderings(lab);
  for (const order of orders)
    assert(same(after(lab.setup, order), end), "the reordered run can happen, and ends the same");
  const last = orders.at(-1)?.slice(0, inside) ?? [];
  assert(same(after(lab.setup, last), state), "the reordered run passes through the recorded state");
  return state;
}

/** Was the system, in the order of this run, in this state? */
export function passedThrough(lab: Lab, state: GlobalState): boolean {
  const [order = []] = reorderings(lab).orders;
  const passed = order.map((_, index) => after(lab.setup, order.slice(0, index + 1)));
  return [presentState(begin(lab.setup)), ...passed].some((each) => same(each, state));
}
