/** The type of a dictionary that says what the log's entries say: one function for each thing that can be said. */
import type { Sentence } from "../../projection/sentences.ts";

export type Sentences = {
  readonly [K in Sentence["says"]]: (said: Extract<Sentence, { readonly says: K }>) => string;
};
