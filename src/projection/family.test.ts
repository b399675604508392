/** Families of records: every pass and every output once, under what it came of. */
import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { randomScenario } from "../engine/testing/random-scenario.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { after } from "../engine/testing/stories.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import { library } from "../scenario/library.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type Member, familyOf } from "./family.ts";
import { initialView } from "./fold.ts";
import { type Passports, passportsOf } from "./passport.ts";

function families(scenario: Scenario): { passports: Passports; log: EventLog; graph: ExecutionGraph } {
  const { graph, log } = runScenario(scenario);
  return { passports: passportsOf(initialView(scenario, graph), log), log, graph };
}

function flat(members: readonly Member[]): Member[] {
  return members.flatMap((member) => [member, ...flat(member.children)]);
}

function drawn(graph: ExecutionGraph, members: readonly Member[], indent = ""): string[] {
  return members.flatMap(({ pass, write, children }) => {
    const { subtask, attempt } = pass ?? write!;
    const name = `${graph.subtasks[subtask]!.name} #${attempt}`;
    const line = write === null ? `${pass!.kind} ${name}` : `${name} → ${write.partition}@${write.offset}`;
    return [`${indent}${line}`, ...drawn(graph, children, `${indent}  `)];
  });
}

test("each pass and each output of a record is in its family once, behind what it came of", () => {
  const scenarios = [...library.map(({ id }) => libraryScenario(id)), ...[0, 1, 2, 3, 4, 5].map(randomScenario)];
  for (const scenario of scenarios) {
    const { passports, log } = families(scenario);
    for (const passport of passports.byRecord.values()) {
      const roots = familyOf(passport, log);
      const all = flat(roots);
      const steps = [...passport.passes, ...passport.writes].map(({ step }) => step).sort((a, b) => a - b);
      expect(all.map(({ step }) => step).sort((a, b) => a - b)).toEqual(steps);
      for (const { step, children, write } of all) {
        for (const child of children) expect(child.step).toBeGreaterThan(step);
        if (write !== null) expect(children).toEqual([]);
      }
      // Nothing is written of nothing: in these runs every output has a reader's pass above it.
      expect(roots.filter(({ write }) => write !== null)).toEqual([]);
    }
  }
});

test("a record that is replayed has a tree for each time that it was read", () => {
  const fault = after("RecordProcessed", { subtask: "MAP[0]", record: "in-0@6" }, "fail-task", { target: "MAP[0]" });
  const { passports, log, graph } = families(withFaults("linear", [fault]));
  expect(drawn(graph, familyOf(passports.byRecord.get(6)!, log))).toMatchInlineSnapshot(`
    [
      "read SRC[0] #0",
      "  taken MAP[0] #0",
      "read SRC[0] #1",
      "  taken MAP[0] #1",
      "    taken SNK[0] #1",
      "      SNK[0] #1 → 0@10",
    ]
  `);
  expect(drawn(graph, familyOf(passports.byRecord.get(0)!, log))).toMatchInlineSnapshot(`
    [
      "read SRC[0] #0",
      "  taken MAP[0] #0",
      "    taken SNK[0] #0",
      "      SNK[0] #0 → 0@0",
    ]
  `);
});
