/** The sentences of a summary in words. */
import { at } from "../../base/assert.ts";
import type { Side } from "../../projection/run-diff.ts";
import type { Fact, SummarySentence } from "../../projection/run-summary.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import type { Run } from "../run.ts";
import type { enCompare } from "../text/en-compare.ts";
import type { Text } from "../text/en.ts";
import type { StageText } from "../../view/stage/text.ts";

export interface SummaryWords {
  readonly words: typeof enCompare;
  readonly text: Text;
  readonly stage: StageText;
}

/** A fact as a clause. */
export function factInWords(
  fact: Fact,
  runs: { readonly [S in Side]: Run },
  { words, text, stage }: SummaryWords,
): string {
  const { summary } = words;
  switch (fact.says) {
    case "command": {
      const run = runs[fact.side];
      return summary.command(
        fact.side,
        commandName(at(run.commands, fact.command), text),
        clockTime(run.log.clock(fact.steps[fact.side] ?? 0)),
      );
    }
    case "failed":
      return summary.failed(fact.side, taskOf(fact, runs), stage.reason(fact.failure));
    case "overtook":
      return summary.overtook(fact.side, taskOf(fact, runs), fact.buffers);
    case "waited":
      return summary.waited(fact.side, taskOf(fact, runs), fact.ms);
    case "checkpoint":
      return summary.checkpoint(fact.checkpoint, fact.a, fact.b);
    case "restart":
      return summary.restart(fact.a, fact.b);
    case "restored":
      return summary.restored(fact.a, fact.b);
    case "readAgain":
      return summary.readAgain(fact.a, fact.b);
    case "duplicated":
      return summary.duplicated(fact.a, fact.b);
    case "lost":
      return summary.lost(fact.a, fact.b);
  }
}

/** Of the job that ran then. */
function taskOf(
  { side, subtask, steps }: Extract<Fact, { readonly subtask: number }>,
  runs: { readonly [S in Side]: Run },
): string {
  return at(runs[side].jobs.at(steps[side] ?? 0).graph.subtasks, subtask).name;
}

/** The whole sentence, as it is written into a file. */
export function sentenceInWords(
  sentence: SummarySentence,
  runs: { readonly [S in Side]: Run },
  words: SummaryWords,
): string {
  const clauses = sentence.map(({ fact }) => factInWords(fact, runs, words));
  return `${capital(clauses.join(`; ${words.words.therefore} `))}.`;
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
