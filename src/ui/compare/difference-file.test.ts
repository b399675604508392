import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import "../../engine/testing/runs.ts";
import { inputDiff } from "../../projection/input-diff.ts";
import { type Side, runDiff } from "../../projection/run-diff.ts";
import { runMeasures } from "../../projection/run-measures.ts";
import { runSummary } from "../../projection/run-summary.ts";
import { slowSink, variantSource } from "../../scenario/comparison.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { en } from "../text/en.ts";
import { enCompare } from "../text/en-compare.ts";
import { enStage } from "../text/en-stage.ts";
import { differenceFile, differenceMarkdown } from "./difference-file.ts";
import { otherRun } from "./runs.ts";
import type { OneOfTwo, Two } from "./two.ts";

const words = { words: enCompare, text: en, stage: enStage };

function one(side: Side, variant: number): OneOfTwo {
  const text = JSON.stringify(variantSource(slowSink, slowSink.variants[variant]!));
  const compared = otherRun(side, `run ${side}`, text, parseScenario(text));
  const { log, report } = runScenario(compared.scenario!);
  const run = compared.run!;
  run.append(log.chunk(0));
  return { side, run, compared: { ...compared, report, measures: runMeasures(log, report) } };
}

function two(): Two {
  const [a, b] = [one("a", 0), one("b", 1)];
  const diff = runDiff(a.run, b.run);
  const given = ({ run, compared }: OneOfTwo) => ({
    ...run,
    log: run.log,
    source: JSON.parse(compared.text) as unknown,
  });
  const [sideA, sideB] = [a, b].map(({ run, compared }) => ({ log: run.log, report: compared.report! }));
  return { a, b, diff, inputs: inputDiff(given(a), given(b), diff), summary: runSummary(sideA!, sideB!, diff) };
}

test("X-05: the difference as a file holds what is listed, as JSON and as Markdown", () => {
  const of = two();
  const file = differenceFile(of, words);
  expect(JSON.parse(JSON.stringify(file))).toEqual(file);
  expect(file.runs.b).toEqual({ name: "run b", events: of.b.run.log.length, verdict: "exactly-once" });
  expect(file.firstDifference?.step).toBe(of.diff.divergence);
  expect(file.given).toMatchObject([
    {
      what: "option",
      name: "execution.checkpointing.unaligned.enabled",
      a: "false",
      b: "true",
      firstEvent: { run: "b" },
    },
  ]);
  expect(file.summary[0]).toBe(
    "B overtook 2 buffers at out[0]; therefore checkpoint 2 completed after 32 ms in B instead of failing after 545 ms; therefore B went back to checkpoint 2 instead of checkpoint 1; therefore 59 records fewer were read again (28 in B, 87 in A).",
  );
  const markdown = differenceMarkdown(file, words);
  for (const sentence of file.summary) expect(markdown).toContain(`- ${sentence}`);
  expect(markdown).toContain("| execution.checkpointing.unaligned.enabled | `false` | `true` | B, 0.457 s: ");
  expect(markdown).toContain("| Read again by sources | 87 records | 28 records |");
});
