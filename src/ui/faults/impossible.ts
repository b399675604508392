/** What cannot happen at an element, or is not carried out: listed with the reason, so that nobody looks for it in vain. */
import type { Stop } from "../../view/stage/elements.ts";
import type { FaultItem } from "../fault-item.ts";
import type { ImpossibleName, enPlan } from "../text/en-plan.ts";

const impossible: { readonly [K in Stop["kind"]]?: readonly ImpossibleName[] } = {
  subtask: ["decline", "poisonHere", "delayRpc"],
  channel: ["loseRecord", "reorder", "breakConnection"],
  taskManager: ["diskFull"],
  jobManager: ["deposedLeader", "delayRpc"],
  storage: ["slowStorage", "deleteMetadata"],
  transaction: ["samePrefix"],
  output: ["isolation", "rereadOutput", "samePrefix"],
};

export function impossibleItems({ kind }: Stop, words: typeof enPlan): readonly FaultItem[] {
  return (impossible[kind] ?? []).map((name) => ({
    key: name,
    ...words.impossible[name],
    command: null,
    icon: "exception",
  }));
}
