/**
 * State machines are data: constant tables of states, events and allowed targets. From one table come the TypeScript
 * unions, the edge check of the engine and the XState machines of the view. A table holds no functions and chooses
 * nothing: where it allows several targets the engine decides and the log says what was decided.
 */
export interface MachineTable {
  readonly name: string;
  readonly initial: string;
  /** In this order the states have their numbers in the log. */
  readonly states: { readonly [state: string]: { readonly [event: string]: readonly string[] } };
}

export type StateOf<M extends MachineTable> = keyof M["states"] & string;

/** A table whose every target is one of its states; anything else does not compile. */
type Closed<M extends MachineTable> = {
  readonly initial: StateOf<M>;
  readonly states: { readonly [S in keyof M["states"]]: { readonly [event: string]: readonly StateOf<M>[] } };
};

export function defineMachine<const M extends MachineTable>(table: M & Closed<M>): M {
  return table;
}

/** Edges of a table as text `FROM -event-> TO`, in table order. */
export function edgesOf(table: MachineTable): readonly { from: string; event: string; to: string }[] {
  return Object.entries(table.states).flatMap(([from, events]) =>
    Object.entries(events).flatMap(([event, targets]) => targets.map((to) => ({ from, event, to }))),
  );
}
