/** What is said of an element of two scenes: what it is, and what of it is not the same. */
import type { Scene } from "../frame-types.ts";
import type { StageElement } from "../elements.ts";
import type { StageText } from "../text.ts";
import type { Half } from "./halves.ts";

/** How two descriptions are put together; the view holds no language. */
export interface BothText {
  /** `differs: A waits; B runs` */
  readonly differs: (name: string, a: string, b: string, same: string) => string;
  readonly only: (half: "a" | "b", words: string) => string;
  /** A description without what can be done to the element: here it is only looked at. */
  readonly plain: (words: string) => string;
}

/** What of an element is said of each run alone; empty: nothing, or it is not there. */
export interface Apart {
  readonly name: string;
  readonly a: string;
  readonly b: string;
  readonly same: string;
}

/** Descriptions are sentences: whoever mounts the stage makes them so. */
const BETWEEN = ". ";

export function apartIn(
  element: StageElement,
  { a, b }: { readonly a: Scene; readonly b: Scene },
  { text, both }: { readonly text: StageText; readonly both: BothText },
): Apart {
  return apart(both.plain(describeIn(element, a, text)), both.plain(describeIn(element, b, text)));
}

/** The whole of it in one name. */
export function describeBoth(half: Half, { name, a, b, same }: Apart, both: BothText): string {
  return half === "differs"
    ? both.differs(name, a, b, same)
    : both.only(half, [name, half === "a" ? a : b].join(BETWEEN));
}

/** What two descriptions have in common, and what only one of them says. The first sentence is the name. */
export function apart(a: string, b: string): Apart {
  const [[nameA = "", ...restA], [nameB = "", ...restB]] = [a.split(BETWEEN), b.split(BETWEEN)];
  const [inA, inB] = [new Set(restA), new Set(restB)];
  const [ownA, ownB] = [restA.filter((part) => !inB.has(part)), restB.filter((part) => !inA.has(part))];
  // A name that tells a number, too, is part of what differs.
  const renamed = nameA !== nameB && nameA !== "" && nameB !== "";
  return {
    name: nameA === "" ? nameB : nameA,
    a: (renamed ? [nameA, ...ownA] : ownA).join(", "),
    b: (renamed ? [nameB, ...ownB] : ownB).join(", "),
    same: restA.filter((part) => inB.has(part)).join(BETWEEN),
  };
}

/** As the stage of one run says it; empty where the scene does not have the element. */
export function describeIn({ kind, id }: StageElement, scene: Scene, text: StageText): string {
  const found = <T extends { readonly id: number }>(all: readonly T[], words: (datum: T) => string): string => {
    const datum = all.find((each) => each.id === id);
    return datum === undefined ? "" : words(datum);
  };
  switch (kind) {
    case "subtask":
      return found(scene.subtasks, (subtask) => text.describeSubtask(subtask, scene));
    case "channel":
      return found(scene.channels, text.describeChannel);
    case "edge":
      return found(scene.edges, (edge) => text.describeEdge(edge, scene));
    case "checkpoint":
      return found([...scene.jobManager.current, ...scene.storage.checkpoints], text.describeCheckpoint);
    case "transaction":
      return found(
        scene.subtasks.flatMap(({ transactions }) => transactions),
        text.describeTransaction,
      );
    case "input":
      return found(scene.inputs, text.describeInput);
    case "output":
      return found(scene.outputs, text.describeOutput);
    case "taskManager":
      return found(scene.taskManagers, (taskManager) => text.describeTaskManager(taskManager, scene));
    case "jobManager":
      return text.describeJobManager(scene.jobManager);
    case "storage":
      return text.describeStorage(scene.storage);
    case "vertex":
      return found(scene.vertices, (vertex) =>
        text.describeVertex(vertex, scene.summaries.find((summary) => summary.id === id) ?? null, scene),
      );
  }
}
