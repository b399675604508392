/**
 * Another producer on a sink's topic (the contract's `background`; SK-011, KF-033). It writes plain records, one to each
 * partition every so many milliseconds, as long as anything else is still to happen. They are none of the job's output, so
 * no ledger counts them; but committed readers of the topic get no further than the first open transaction, so they wait
 * for the sink's. While the log is away it has nowhere to write to, and writes what is due when it is back.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { Due } from "../layout.ts";
import { STALLED } from "../mailbox.ts";
import { Node, isCut } from "../network-cuts.ts";
import { Actor, Op } from "../ops.ts";
import { EntryKind, appendEntry } from "./partitions.ts";

/** The operation `writeBackground`: the next of its records comes to a partition. */
export function writeBackground(k: Kernel, partition: number): void {
  const { topic } = at(k.plan.graph.outputs, partition);
  const { background } = k.plan.scenario.topics.find(({ name }) => name === topic) ?? { background: null };
  if (background === null || isAlone(k)) return;
  k.after(background, Op.writeBackground, Actor.broker, partition);
  if (isCut(k, Node.kafka, Node.kafka)) return;
  const offset = appendEntry(k, partition, EntryKind.record, -1, 0, -1, 0, -1);
  k.emit("BackgroundRecordWritten", partition, offset);
}

/** Is nothing to come but records like this one? Then the run is over, or stuck. */
function isAlone({ world: { agenda } }: Kernel): boolean {
  for (let row = 0; row < agenda.count; row++) {
    const never = agenda.get(row, Due.time) >= STALLED;
    if (!never && agenda.get(row, Due.op) !== Op.writeBackground) return false;
  }
  return true;
}
