/** The engine against recordings of real Flink and Kafka. Where it differs on purpose is in `DIFFERENCES.md`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { engineRun, factsOf, problemsOf } from "./compare.ts";
import { lines, recordingOf, scenarioIds } from "./recording.ts";

/** Rows of `DIFFERENCES.md`: scenario, line, and which fact differs. */
const differences = new Set(
  [
    ...readFileSync(path.join(import.meta.dirname, "DIFFERENCES.md"), "utf8").matchAll(
      /^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm,
    ),
  ].map(([, id = "", line = "", about = ""]) => `${id} ${line.trim()} ${about.trim()}`),
);

/** No entry may excuse a difference in one of these. */
const never = /^(status|recoveries|verdict|.* (transactions|read_committed|read_uncommitted))$/;

describe.each(lines)("Flink %s", (line) => {
  for (const id of scenarioIds()) {
    const recording = recordingOf(line, id);
    if (recording === null) {
      test.todo(`${id}: not recorded`);
      continue;
    }
    const problems = problemsOf(id, line);
    if (problems !== null) {
      test.todo(`${id}: pending, the engine does not run it yet`);
      continue;
    }
    test(`${id}: the engine does what Flink ${recording.flink} did`, () => {
      for (const { about, engine, flink } of factsOf(engineRun(id, line), recording)) {
        const known = differences.has(`${id} ${line} ${about}`);
        if (known) expect(engine, `${about} is in DIFFERENCES.md, but is the same`).not.toEqual(flink);
        else expect({ [about]: engine }).toEqual({ [about]: flink });
      }
    });
  }
});

test("no difference in a verdict, a recovery, a reader or the fate of a transaction is excused", () => {
  for (const row of differences) expect(row.split(" ").slice(2).join(" ")).not.toMatch(never);
});
