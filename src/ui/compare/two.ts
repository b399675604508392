/** The two runs of a comparison whose differences are told: once both are over, all that is other in one of them. */
import { useMemo } from "react";
import { type GivenSide, type InputDifference, inputDiff } from "../../projection/input-diff.ts";
import { type RunDiff, type Side, runDiff } from "../../projection/run-diff.ts";
import { type SummarySentence, runSummary } from "../../projection/run-summary.ts";
import type { Run } from "../run.ts";
import type { ComparedRun } from "./runs.ts";

export interface OneOfTwo {
  readonly side: Side;
  readonly compared: ComparedRun;
  readonly run: Run;
}

export interface Two {
  readonly a: OneOfTwo;
  readonly b: OneOfTwo;
  readonly diff: RunDiff;
  readonly inputs: readonly InputDifference[];
  readonly summary: readonly SummarySentence[];
}

/** Places of A and of B among the runs. */
export type Pair = readonly [a: number, b: number];

/** `null`: one of them is not over, or is not there. */
export function useTwo(runs: readonly ComparedRun[], [a, b]: Pair): Two | null {
  const [one, other] = [overOf("a", runs[a]), overOf("b", runs[b])];
  const [first, second] = [one?.run ?? null, other?.run ?? null];
  const [reportA, reportB] = [one?.compared.report ?? null, other?.compared.report ?? null];
  const [textA, textB] = [one?.compared.text ?? "null", other?.compared.text ?? "null"];
  const found = useMemo(() => {
    if (first === null || second === null || reportA === null || reportB === null) return null;
    const diff = runDiff(first, second);
    const inputs = inputDiff(givenOf(first, textA), givenOf(second, textB), diff);
    const summary = runSummary({ log: first.log, report: reportA }, { log: second.log, report: reportB }, diff);
    return { diff, inputs, summary };
  }, [first, second, textA, textB, reportA, reportB]);
  return one === null || other === null || found === null ? null : { a: one, b: other, ...found };
}

function overOf(side: Side, compared: ComparedRun | undefined): OneOfTwo | null {
  if (compared === undefined || compared.run === null || compared.report === null) return null;
  return { side, compared, run: compared.run };
}

function givenOf(run: Run, text: string): GivenSide {
  const { log, scenario, commands } = run;
  return { log, scenario, commands, source: JSON.parse(text) as unknown };
}
