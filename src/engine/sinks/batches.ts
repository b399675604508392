/**
 * What a write-ahead log holds: its pending batches, which are its operator's state, and its open stream (SK-170). And
 * whether a writer's open transaction has records, or a global committer anything in hand (SK-150).
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { Writer } from "../layout.ts";
import { sinkState, writerOf } from "./sink.ts";

/** Words of a pending batch in the operator's state: its records and values, who wrote it, its checkpoint. */
const WORDS = 3;

export interface Batch {
  readonly list: number;
  readonly subtask: number;
  readonly checkpoint: number;
}

/** The pending batches in a state word, by ascending checkpoint. */
function batchesIn(k: Kernel, word: number): Batch[] {
  const words = k.arena.sequences.toArray(word);
  return Array.from({ length: words.length / WORDS }, (_, i) => ({
    list: at(words, WORDS * i),
    subtask: at(words, WORDS * i + 1),
    checkpoint: at(words, WORDS * i + 2),
  }));
}

export function pending(k: Kernel, task: number, operator: number): Batch[] {
  return batchesIn(k, k.world.state[sinkState(k, task, operator)] as number);
}

export function setPending(k: Kernel, task: number, operator: number, batches: readonly Batch[]): void {
  const words = batches.flatMap(({ list, subtask, checkpoint }) => [list, subtask, checkpoint]);
  k.world.state[sinkState(k, task, operator)] = k.arena.sequences.intern(words);
}

/** Records of the batches in a state word, and, of a running attempt, of its open stream. */
export function loggedRecords(k: Kernel, word: number, buffer: number): number[] {
  const lists = [...batchesIn(k, word).map(({ list }) => list), buffer];
  return lists.flatMap((list) => k.arena.lists.toArray(list).filter((_, place) => place % 2 === 0));
}

/** Is there a record that waits for a checkpoint to be let out? Without checkpoints none ever is. */
export function holdsBatches(k: Kernel): boolean {
  if (k.plan.scenario.config.checkpointing.interval === null) return false;
  return k.plan.sinksOf.some((operators, task) =>
    operators.some((operator) => {
      if (at(k.plan.operators, operator).sink?.kind !== "writeAheadLog") return false;
      const open = k.world.writer(writerOf(k, task, operator), Writer.buffer) !== 0;
      return open || pending(k, task, operator).length > 0;
    }),
  );
}

/**
 * Has a writer put records into the transaction that it has open? Its store may have given that up meanwhile, which the
 * writer learns no earlier than at its next row or barrier.
 */
export function holdsOpenTransaction(k: Kernel): boolean {
  if (k.plan.scenario.config.checkpointing.interval === null) return false;
  return k.plan.sinksOf.some((operators, task) =>
    operators.some((operator) => {
      const writer = writerOf(k, task, operator);
      return k.world.writer(writer, Writer.offset) > 0 && k.world.writer(writer, Writer.records) > 0;
    }),
  );
}

/** Has a global committer a transaction whose checkpoint it has not committed as a whole? */
export function awaitsOthers(k: Kernel): boolean {
  return k.plan.sinksOf.some((operators, task) =>
    operators.some((operator) => {
      if (at(k.plan.operators, operator).sink?.kind !== "globalCommitter") return false;
      const words = k.arena.sequences.toArray(k.world.state[sinkState(k, task, operator)] as number);
      return words.some((word, place) => place % 3 === 0 && word >= 0);
    }),
  );
}
