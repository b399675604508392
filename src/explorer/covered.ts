/** What a sweep has covered, in words that say neither more nor less. */
import type { SweepQuestion } from "../scenario/exploration.ts";
import type { Survey } from "./sweep-pieces.ts";

/** Runs of each part so far; `boundaryPossible` counts the pairs there are, of the first failures that were taken. */
export interface Coverage {
  readonly singles: number;
  readonly boundaryPairs: number;
  readonly boundaryPossible: number;
  readonly samples: number;
}

export function coveredText(survey: Survey, { failures }: SweepQuestion, coverage: Coverage): string {
  const { from, length, commands } = survey;
  const all = (length - from) * commands.length;
  const singles =
    `${part(coverage.singles, all)} single failures: ${ways(survey)}, ` +
    `before each of the entries ${from} to ${Math.max(from, length - 1)} of the run.`;
  if (failures === 1) return singles;
  const { boundaryPairs, boundaryPossible, samples } = coverage;
  const whole = boundaryPairs === boundaryPossible;
  return [
    singles,
    `${whole ? number(boundaryPairs) : `${number(boundaryPairs)} of ${number(boundaryPossible)}`} pairs of crashes at phase boundaries (trigger, barrier, acknowledgement, store, notification, commit)${whole ? "" : ", drawn from the seed"}.`,
    `${number(samples)} pairs at any two entries, drawn from the seed.`,
  ].join(" ");
}

function part(done: number, all: number): string {
  return done === all ? `All ${number(all)}` : `${number(done)} of ${number(all)}`;
}

/** `fail-task (5), kill-taskmanager (2), …`: each way to fail with the number of things that it can hit. */
function ways({ commands }: Survey): string {
  const counts = new Map<string, number>();
  for (const { do: verb, rpc } of commands) {
    const way = rpc === null ? verb : `${verb} ${rpc}`;
    counts.set(way, (counts.get(way) ?? 0) + 1);
  }
  return [...counts].map(([way, count]) => `${way} (${count})`).join(", ");
}

function number(value: number): string {
  return value.toLocaleString("en");
}
