/** The engine against recordings of real Flink and Kafka. Where it differs on purpose is in `DIFFERENCES.md`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { engineRun, factsOf, problemsOf } from "./compare.ts";
import { type Line, type Recording, lines, recordingOf, recordingsAreComplete, scenarioIds } from "./recording.ts";

/** Rows of `DIFFERENCES.md`: scenario, line, and which fact differs. */
const text = readFileSync(path.join(import.meta.dirname, "DIFFERENCES.md"), "utf8");
const rows = [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)];
const differences = new Set(rows.map(([, id = "", line = "", about = ""]) => `${id} ${line.trim()} ${about.trim()}`));

interface Case {
  readonly line: Line;
  readonly id: string;
  readonly recording: Recording;
}

const recorded = lines.flatMap((line) =>
  scenarioIds().flatMap((id): Case[] => {
    const recording = recordingOf(line, id);
    return recording === null ? [] : [{ line, id, recording }];
  }),
);

test("every scenario is recorded on every line, and the engine refuses none", () => {
  const missing = lines.flatMap((line) => scenarioIds().filter((id) => recordingOf(line, id) === null));
  expect(recordingsAreComplete ? missing : []).toEqual([]);
  expect(scenarioIds().filter((id) => problemsOf(id, "2.2") !== null)).toEqual([]);
});

test.each(recorded)("$id: the engine does what Flink $line did", ({ id, line, recording }) => {
  const differing = factsOf(engineRun(id, line), recording).filter(
    ({ engine, flink }) => JSON.stringify(engine) !== JSON.stringify(flink),
  );
  const unknown = differing.filter(({ about }) => !differences.has(`${id} ${line} ${about}`));
  expect(unknown).toEqual([]);
});

test("each row of DIFFERENCES.md is a difference, and none is about what no row may excuse", () => {
  for (const row of differences) {
    const [id = "", line = "", ...about] = row.split(" ");
    const recording = recordingOf(line as Line, id);
    if (recording === null && !recordingsAreComplete) continue;
    const fact =
      recording && factsOf(engineRun(id, line as Line), recording).find((each) => each.about === about.join(" "));
    expect(fact?.engine, row).not.toEqual(fact?.flink);
    expect(row).not.toMatch(/ (status|recoveries|verdict|\S+ (transactions|read_committed|read_uncommitted))$/);
  }
});
