import { expect, test } from "vitest";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { library } from "../../scenario/library.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import { type Edited, type Json, editedOf, instantsFor, targetsLike, withEdits } from "./edited.ts";

const source = structuredClone(library.find(({ id }) => id === "order-totals")?.source) as Json;
const read = (fault: Json) => {
  const result = scenarioFrom({ ...source, faults: [fault] });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const [first] = result.value.faults;
  if (first === undefined) throw new Error("no fault");
  return { fault: first, graph: executionGraph(result.value) };
};
const changed = (written: Json, change: Partial<Edited>): Json => {
  const { fault, graph } = read(written);
  return withEdits(graph, written, fault, { ...editedOf(graph, fault), ...change });
};

const planned = {
  at: { after: "TransactionPreCommitted", subtask: "out[0]", nth: 2, every: true, probability: 0.07 },
  do: "fail-task",
  target: "out[0]",
};

test("what is not changed is written as it was", () => {
  for (const written of [
    planned,
    { at: { time: "3000 ms" }, do: "kill-taskmanager", target: "tm-1" },
    { at: { step: 40 }, do: "broker-down", for: "2 s" },
    { at: { after: "CheckpointCompleted", checkpoint: 2 }, do: "fail-vertex", target: "total" },
  ])
    expect(changed(written, {})).toEqual(written);
});

test("a planned fault is moved to another instant, to a time, and to another element", () => {
  expect(changed(planned, { form: "commitSent", percent: null })["at"]).toEqual({
    after: "TransactionCommitRequested",
    subtask: "out[0]",
    nth: 2,
    every: true,
  });
  expect(changed(planned, { form: "time", place: "3 s" })).toEqual({ ...planned, at: { time: "3 s" } });
  expect(changed(planned, { target: "total[1]", form: "snapshotTaken", every: false, nth: "1" })).toEqual({
    do: "fail-task",
    target: "total[1]",
    at: { after: "SnapshotTaken", subtask: "total[1]" },
  });
});

test("targets of the same kind are offered, and the instants of each", () => {
  const { graph } = read(planned);
  expect(targetsLike(graph, "out[0]")).toEqual(["orders[0]", "orders[1]", "total[0]", "total[1]", "out[0]"]);
  expect(targetsLike(graph, "tm-2")).toEqual(["tm-1", "tm-2"]);
  expect(targetsLike(graph, null)).toEqual([]);
  expect(instantsFor(graph, "tm-1").map(({ name }) => name)).toContain("completed");
});
