/**
 * Two sources, one task with two inputs, one sink, one checkpoint, and a TaskManager that crashes at any place: every order
 * of everything, in each of the three modes.
 */
import { describe, expect, test } from "vitest";
import { scenarioOf } from "./schedule.ts";
import { search } from "./search.ts";
import { commandOf, join, withOptions } from "./testing/searched.ts";

const crash = [commandOf("restart-taskmanager", "tm-1")];
const patience = { timeout: 900_000 };

const unaligned = { "execution.checkpointing.unaligned.enabled": true };
const atLeastOnce = { "execution.checkpointing.mode": "AT_LEAST_ONCE" };

describe("one checkpoint of two joined sources, and a crash at any place", () => {
  test.each([
    { mode: "aligned", rules: "INV-001, INV-033", options: {}, states: 0, ends: 0 },
    { mode: "unaligned", rules: "INV-001, INV-033", options: unaligned, states: 0, ends: 0 },
    { mode: "at-least-once", rules: "INV-005", options: atLeastOnce, states: 0, ends: 0 },
  ])("$rules: $mode keeps what it promises in every order, and these are all states", patience, (row) => {
    const outcome = search(scenarioOf(withOptions(join(1, 1), row.options)), { targets: crash });
    expect(outcome).toMatchObject({ findings: [], exhaustive: true, states: row.states, ends: row.ends });
    expect(outcome.states).toBeLessThanOrEqual(300_000);
  });

  test(
    "INV-005: at-least-once, in some order the record behind the early barrier is in the state twice",
    patience,
    () => {
      const { findings } = search(scenarioOf(withOptions(join(1, 1), atLeastOnce)), {
        targets: crash,
        invariants: false,
        strict: true,
      });
      expect(findings.map(({ property, message }) => `${property}: ${message}`)).toEqual([
        "state: no record is doubled: MAP: b-0@0",
        "end to end: no record is doubled: SNK: b-0@0",
      ]);
    },
  );
});
