/** The tables of the state machines, as tables: what a run makes of them is tested in `engine/machines.test.ts`. */
import { describe, expect, test } from "vitest";
import { edgesOf } from "./machine.ts";
import { Machine, machines } from "./machines/all.ts";

describe.each(machines.map((table) => ({ table, name: table.name })))("$name", ({ table }) => {
  const states = Object.keys(table.states);

  test("every target of an edge is a state, and so is the initial one", () => {
    expect(states).toContain(table.initial);
    for (const { to } of edgesOf(table)) expect(states).toContain(to);
  });

  test("every state can be reached from the initial one", () => {
    const reached = new Set<string>([table.initial]);
    for (const state of reached) for (const { from, to } of edgesOf(table)) if (from === state) reached.add(to);
    expect([...reached].toSorted()).toEqual(states.toSorted());
  });

  test("edges are listed in the order of the table", () => {
    const listed = Object.entries<Record<string, readonly string[]>>(table.states).flatMap(([from, events]) =>
      Object.keys(events).map((event) => `${from} ${event}`),
    );
    expect(edgesOf(table).map(({ from, event }) => `${from} ${event}`)).toEqual(listed);
  });
});

test("a machine's number in the log is its place in the list", () => {
  const names = Object.keys(Machine).map((name) => name[0]?.toUpperCase() + name.slice(1));
  expect(names).toEqual(machines.map(({ name }) => name));
  expect(Object.values(Machine)).toEqual(machines.map((_, index) => index));
});

test("terminal states have no way out: of an execution, a job, a checkpoint, a snapshot's part, a transaction", () => {
  const terminal = machines.map(({ name, states }) => [
    name,
    Object.entries(states).flatMap(([state, events]) => (Object.keys(events).length === 0 ? [state] : [])),
  ]);
  expect(Object.fromEntries(terminal)).toEqual({
    ExecutionState: ["FINISHED", "CANCELED", "FAILED"],
    JobStatus: ["FINISHED", "CANCELED", "FAILED"],
    // What is aborted because the store did not answer a new leader may find there (FI-25).
    Checkpoint: ["SUBSUMED"],
    BarrierHandler: [],
    SubtaskSnapshot: ["ACKNOWLEDGED", "DISCARDED"],
    Transaction: ["COMMITTED", "ABORTED", "TIMED_OUT", "RECYCLED"],
  });
});
