/**
 * What a Kafka source tells its consumer group (`KafkaSourceReader`, `ConsumerCoordinator`; SK-008, SK-009): the offsets of
 * completed checkpoints; or, where the consumer commits by itself, what it has fetched, every so often and as it closes.
 * The fetcher is ahead of the task: it has all that the log has, as far as the queue between the two takes it.
 */
import { at } from "../../base/assert.ts";
import type { KafkaSourceVertex } from "../../protocol/job-graph.ts";
import type { Kernel } from "../kernel.ts";
import { Life, ReaderOffsets, Task } from "../layout.ts";
import { Node, isCutOff } from "../network-cuts.ts";
import { Op } from "../ops.ts";
import { commitOffset, committedOffset, endOf } from "./input-log.ts";
import { positionIn } from "./positions.ts";
import { splitsOf } from "./splits.ts";

/** Records between the fetcher and the task: `max.poll.records`, one batch in hand and two in the queue. */
const FETCHED = 3 * 500;
/** In the place of a checkpoint: the consumer commits by itself. */
const BY_ITSELF = -1;

/** The Kafka source at the head of a task; `null`: it has none. */
function kafkaSource(k: Kernel, task: number): KafkaSourceVertex | null {
  const source = k.plan.source[task] as number;
  const vertex = source < 0 ? null : at(k.plan.graph.operators, source).vertex;
  return vertex?.type === "kafka-source" ? vertex : null;
}

/** Keeps what a snapshot holds until its checkpoint is complete, for the consumer group (SK-008). */
export function rememberOffsets(k: Kernel, task: number, checkpoint: number, snapshot: number): void {
  if (kafkaSource(k, task)?.commitsOffsets === true) k.world.readerOffsets.push(task, checkpoint, snapshot);
}

/**
 * Commits the offsets of a completed checkpoint, and forgets those of older ones. Where the log cannot be reached, the commit
 * fails and only says so (`KafkaSourceReader.notifyCheckpointComplete`): the next one brings the group up to date.
 */
export function commitOffsets(k: Kernel, task: number, checkpoint: number): void {
  const { readerOffsets } = k.world;
  for (let row = readerOffsets.count - 1; row >= 0; row--) {
    if (
      readerOffsets.get(row, ReaderOffsets.task) !== task ||
      readerOffsets.get(row, ReaderOffsets.checkpoint) > checkpoint
    )
      continue;
    if (readerOffsets.get(row, ReaderOffsets.checkpoint) === checkpoint && !isCutOff(k, task, Node.kafka)) {
      const snapshot = readerOffsets.get(row, ReaderOffsets.snapshot);
      splitsOf(k, task).forEach((partition, place) => {
        const position = k.arena.sequences.item(snapshot, place);
        if (position >= 0) k.next(Op.commitOffsets, task, task, checkpoint, partition, position);
      });
    }
    readerOffsets.remove(row);
  }
}

/** The operation `commitOffsets`: the group's offset of a partition moves. */
export function offsetsCommitted(
  k: Kernel,
  task: number,
  checkpoint: number,
  partition: number,
  position: number,
): void {
  k.emit("OffsetsCommitted", task, checkpoint, partition, position);
  const groupId = kafkaSource(k, task)?.groupId ?? null;
  if (groupId !== null) commitOffset(k, groupId, partition, position);
}

/** The consumer's own timer begins with the task. */
export function armAutoCommit(k: Kernel, task: number): void {
  const interval = kafkaSource(k, task)?.autoCommit ?? null;
  if (interval !== null) k.after(interval, Op.autoCommit, task, task);
}

/** The operation `autoCommit`: the consumer commits what it has fetched. */
export function autoCommit(k: Kernel, task: number): void {
  if (k.world.task(task, Task.life) !== Life.running) return;
  if (!isCutOff(k, task, Node.kafka)) commitFetched(k, task);
  armAutoCommit(k, task);
}

/** A consumer that commits by itself does so once more as it closes (`KafkaConsumer.close`); a killed one does not. */
export function commitOnClose(k: Kernel, task: number): void {
  if ((kafkaSource(k, task)?.autoCommit ?? null) !== null && !isCutOff(k, task, Node.kafka)) commitFetched(k, task);
}

function commitFetched(k: Kernel, task: number): void {
  const vertex = kafkaSource(k, task);
  if (vertex === null || vertex.groupId === null) return;
  const { groupId, isolation } = vertex;
  splitsOf(k, task).forEach((partition, place) => {
    const position = positionIn(k.world.state[(k.plan.stateStart[task] as number) + place] as number);
    if (position < 0) return;
    const end = endOf(k, partition, isolation === "read_committed");
    const fetched = Math.max(position, Math.min(end, position + FETCHED));
    if (fetched !== committedOffset(k, groupId, partition))
      k.next(Op.commitOffsets, task, task, BY_ITSELF, partition, fetched);
  });
}
