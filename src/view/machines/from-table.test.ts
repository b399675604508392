import { createActor } from "xstate";
import { describe, expect, test } from "vitest";
import { edgesOf } from "../../protocol/machine.ts";
import { machines } from "../../protocol/machines/all.ts";
import { fromTable } from "./from-table.ts";
import {
  checkpointLooks,
  handlerLooks,
  jobLooks,
  snapshotLooks,
  taskLooks,
  transactionLooks,
} from "./presentations.ts";

for (const table of machines) {
  describe(table.name, () => {
    const machine = fromTable(table);

    test("begins where the table begins and knows its states", () => {
      expect(createActor(machine).start().getSnapshot().value).toBe(table.initial);
      expect(Object.keys(machine.states)).toEqual(Object.keys(table.states));
    });

    test("a move takes exactly the edges of the table", () => {
      const edges = new Set(edgesOf(table).map(({ from, to }) => `${from} ${to}`));
      for (const from of Object.keys(table.states)) {
        for (const to of Object.keys(table.states)) {
          const actor = createActor(machine, {
            snapshot: machine.resolveState({ value: from, context: undefined }),
          }).start();
          actor.send({ type: "move", from, to });
          expect(actor.getSnapshot().value, `${from} to ${to}`).toBe(edges.has(`${from} ${to}`) ? to : from);
        }
      }
    });
  });
}

test("every state of every table has a look", () => {
  const looks = [taskLooks, jobLooks, checkpointLooks, handlerLooks, snapshotLooks, transactionLooks];
  expect(looks.map((look) => Object.keys(look).toSorted())).toEqual(
    machines.map((table) => Object.keys(table.states).toSorted()),
  );
});
