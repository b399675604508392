/** How much of each subtask is drawn: by its vertex's parallelism, unless somebody has opened or closed the vertex. */
import type { TaskVertex } from "../../protocol/execution-graph.ts";

/** How much of each subtask of a vertex is drawn: a card, one row, one cell. */
export type Density = "full" | "compact" | "cells";

export type Fold = "open" | "closed";

/** By the uid of its task vertex what somebody has opened or closed; of the others the parallelism decides. */
export type Folds = { readonly [uid: string]: Fold };

export const noFolds: Folds = {};

/** In the place of a uid: the strips beside the graph, where there is little room for them. No uid is empty. */
export const STRIPS = "";

/** Of those that are cells so many have rows of their own, at most. */
export const NAMED_MAX = 5;

/** Up to here subtasks are cards. */
const FULL_MAX = 4;
/** Up to here they are rows. */
const COMPACT_MAX = 16;

/** What a vertex is as long as nobody has touched it. */
function foldOf(parallelism: number): Fold {
  return parallelism <= COMPACT_MAX ? "open" : "closed";
}

export function densityOf({ uid, parallelism }: Pick<TaskVertex, "uid" | "parallelism">, folds: Folds): Density {
  if ((folds[uid] ?? foldOf(parallelism)) === "closed") return "cells";
  return parallelism <= FULL_MAX ? "full" : "compact";
}

/** Opens what is closed, closes what is open. */
export function toggled(folds: Folds, vertex: Pick<TaskVertex, "uid" | "parallelism">): Folds {
  return { ...folds, [vertex.uid]: densityOf(vertex, folds) === "cells" ? "open" : "closed" };
}
