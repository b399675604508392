/** The sentence of an entry in the language that is shown. */
import type { Sentence } from "../projection/sentences.ts";
import { factsOf } from "./facts.ts";
import type { Run } from "./run.ts";
import type { Text } from "./text/en.ts";

export function sentenceOf(run: Run, step: number, text: Text): string {
  return inWords(factsOf(run).explainer.sentence(step), text);
}

export function inWords(sentence: Sentence, text: Text): string {
  // The dictionary has a function for each thing that is said: the compiler cannot see that they meet.
  const say = text.sentences[sentence.says] as (said: Sentence) => string;
  return say(sentence).replaceAll("->", "→");
}
