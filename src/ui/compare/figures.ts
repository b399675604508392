/** What is put side by side of runs, and in which unit. */
import type { RunMeasures } from "../../projection/run-measures.ts";

export type Unit = "ms" | "bytes" | "buffers" | "records" | "checkpoints";

export interface Figure {
  readonly unit: Unit;
  /** `null`: there is none, since nothing was completed. */
  readonly of: (measures: RunMeasures) => number | null;
  /** More than none is a wrong result. */
  readonly wrong?: boolean;
}

export const figures = {
  inState: { unit: "records", of: ({ duplicatedInState }) => duplicatedInState, wrong: true },
  atSinks: { unit: "records", of: ({ duplicatedAtSinks }) => duplicatedAtSinks, wrong: true },
  lost: { unit: "records", of: ({ lost }) => lost, wrong: true },
  average: { unit: "ms", of: ({ averageCompletion }) => averageCompletion },
  longest: { unit: "ms", of: ({ longestCompletion }) => longestCompletion },
  blocked: { unit: "ms", of: ({ blocked }) => blocked },
  persisted: { unit: "bytes", of: ({ persistedBytes }) => persistedBytes },
  buffers: { unit: "buffers", of: ({ persistedBuffers }) => persistedBuffers },
  readAgain: { unit: "records", of: ({ readAgain }) => readAgain },
  replayed: { unit: "records", of: ({ replayed }) => replayed },
  completed: { unit: "checkpoints", of: ({ completed }) => completed },
  failed: { unit: "checkpoints", of: ({ failed }) => failed },
  end: { unit: "ms", of: ({ end }) => end },
} as const satisfies { readonly [name: string]: Figure };

export type FigureName = keyof typeof figures;
export const figureNames = Object.keys(figures) as readonly FigureName[];
