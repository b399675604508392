import { beforeEach, describe, expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import { runScenario } from "../../engine/run.ts";
import { withFaults } from "../../engine/testing/runs.ts";
import { EventNumber, eventTypes } from "../../protocol/events.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { type Comparison, comparableFields, compares, isOrdered, operators } from "../../projection/comparisons.ts";
import type { FieldValue } from "../../protocol/field-values.ts";
import { traceEntry } from "../../protocol/trace.ts";
import { Run } from "../run.ts";
import {
  type Condition,
  add,
  breakpointStore,
  conditionAt,
  hitsOf,
  nearestHit,
  remove,
  sameCondition,
  setOn,
} from "./breakpoints.ts";
import { nameOfCondition } from "./condition-name.ts";

const scenario = withFaults("order-totals", [
  { at: { after: "CheckpointCompleted", checkpoint: 2 }, do: "fail-task", target: "out[0]" },
]);
const { log, graph } = runScenario(scenario);
const run = new Run({ graph: executionGraph(scenario), scenario, parent: null, base: 0, commands: scenario.faults });
run.append(log.chunk(0));

const any: Condition = { kind: null, element: null, comparison: null, hit: 1 };
const steps = (holds: (step: number) => boolean): number[] =>
  Array.from({ length: log.length }, (_, step) => step).filter(holds);

beforeEach(() => breakpointStore.setState({ list: [] }));

describe("a condition", () => {
  test("is met by entries of its kind, about its element, whose field compares", () => {
    const id = graph.subtasks.findIndex(({ name }) => name === "total[1]");
    const element = { kind: "subtask", id, name: "total[1]" } as const;
    const comparison: Comparison = { field: "aligned", operator: "≥", value: "2" };
    expect(hitsOf(run, { ...any, kind: "BarrierReceived", element, comparison })).toEqual(
      steps((step) => {
        const entry = traceEntry(graph, log, step);
        return entry.type === "BarrierReceived" && entry["subtask"] === "total[1]" && Number(entry["aligned"]) >= 2;
      }),
    );
  });

  test("stops from the hit on that it names", () => {
    const completed = steps((step) => log.type(step) === EventNumber.CheckpointCompleted);
    expect(completed.length).toBeGreaterThan(2);
    expect(hitsOf(run, { ...any, kind: "CheckpointCompleted", hit: 3 })).toEqual(completed.slice(2));
    expect(hitsOf(run, { ...any, kind: "CheckpointCompleted", hit: 99 })).toEqual([]);
  });

  test("goes on with the log: what it finds in a run that grows is what it finds in the whole", () => {
    const grows = new Run({ graph, scenario, parent: null, base: 0, commands: scenario.faults });
    const condition: Condition = { ...any, kind: "failures" };
    expect(hitsOf(grows, condition)).toEqual([]);
    grows.append(log.chunk(0));
    expect(hitsOf(grows, condition)).toEqual(hitsOf(run, condition));
  });
});

test("every comparison says what the trace's value says, for every field of every kind of entry", () => {
  const said = (value: FieldValue): string => (value === null ? "none" : String(value));
  for (let step = 0; step < log.length; step += 7) {
    const type = at(eventTypes, log.type(step));
    const entry = traceEntry(graph, log, step);
    for (const [field, kind] of comparableFields([type])) {
      const value = entry[field === "operator" ? "vertex" : field] as FieldValue;
      for (const operator of operators) {
        const meets = compares({ field, operator, value: said(value) })(graph, log, step);
        const ordered = isOrdered(kind) && typeof value === "number";
        const expected = { "=": true, "≠": false, "<": false, ">": false, "≤": ordered, "≥": ordered }[operator];
        expect([type, field, operator, meets]).toEqual([type, field, operator, expected]);
      }
    }
  }
  const first = compares({ field: "no such field", operator: "≠", value: "x" });
  expect(first(graph, log, 0)).toBe(false);
});

describe("breakpoints", () => {
  test("the nearest hit of those that are on comes first, in both directions", () => {
    add({ ...any, kind: "CheckpointCompleted" });
    add({ ...any, kind: "FaultInjected" });
    const [completed, fault] = breakpointStore.getState().list;
    const [first, second] = steps((step) => log.type(step) === EventNumber.CheckpointCompleted);
    const broken = at(
      steps((step) => log.type(step) === EventNumber.FaultInjected),
      0,
    );
    expect(nearestHit(run, -1, 1)).toEqual({ step: first, breakpoint: completed });
    expect(nearestHit(run, second ?? 0, 1)).toEqual({ step: broken, breakpoint: fault });
    expect(nearestHit(run, broken, -1)).toEqual({ step: second, breakpoint: completed });
    setOn(completed?.id ?? 0, false);
    expect(nearestHit(run, -1, 1)?.step).toBe(broken);
    remove(fault?.id ?? 0);
    expect(nearestHit(run, -1, 1)).toBeNull();
  });

  test("one for what just happened is of its kind, and of the selected element where it is about it", () => {
    const step = at(
      steps((each) => log.type(each) === EventNumber.BarrierReceived),
      0,
    );
    const subtask = log.field(step, 0);
    const here = conditionAt(run, step, { kind: "subtask", id: subtask });
    expect(nameOfCondition(here)).toBe(`BarrierReceived · ${at(graph.subtasks, subtask).name}`);
    expect(nameOfCondition(conditionAt(run, step, { kind: "storage", id: 0 }))).toBe("BarrierReceived");
    expect(hitsOf(run, here)).toContain(step);
    expect(sameCondition(here, { ...here })).toBe(true);
    expect(sameCondition(here, { ...here, hit: 2 })).toBe(false);
    const compared = { ...here, comparison: { field: "aligned", operator: "≥", value: "2" } as const, hit: 3 };
    expect(nameOfCondition(compared)).toBe(
      `BarrierReceived · ${at(graph.subtasks, subtask).name} · aligned ≥ 2 · from hit 3`,
    );
  });
});
