/** Which barrier handler a task's inputs have, by the job's mode (`CheckpointedInputGate`, `InputProcessorUtil`; CP-070). */
import * as barrierHandler from "./barrier-handler.ts";
import type { BarrierHandler } from "./checkpoint-barrier-handler.ts";
import type { Kernel } from "./kernel.ts";
import { lateParts } from "./late-parts.ts";
import { Alignment } from "./layout.ts";
import { isSavepoint } from "./savepoints.ts";

const aligned: BarrierHandler = {
  onBarrier: barrierHandler.onBarrier,
  onCancelMarker: barrierHandler.onCancelMarker,
  channelEnded: barrierHandler.channelEnded,
  triggerOpenChannels: barrierHandler.triggerOpenChannels,
};

/** Of a mode in which a checkpoint is aligned from its begin to its end, or never. */
function handlerOf({ plan }: Kernel): BarrierHandler {
  return plan.scenario.config.checkpointing.mode === "AT_LEAST_ONCE" ? lateParts().tracker : aligned;
}

/** May barriers overtake, so that the handler alternates between aligned and unaligned? */
function alternates({ plan }: Kernel): boolean {
  const { mode, unaligned } = plan.scenario.config.checkpointing;
  return unaligned && mode !== "AT_LEAST_ONCE";
}

/** The barrier at `place` of a channel: its head, or one that has priority. */
export function onBarrier(k: Kernel, task: number, channel: number, place: number): void {
  if (alternates(k)) lateParts().alternating.onBarrier(k, task, channel, place);
  else handlerOf(k).onBarrier(k, task, channel);
}

/** The cancel marker at the head of a channel. */
export function onCancelMarker(k: Kernel, task: number, channel: number): void {
  if (alternates(k)) lateParts().alternating.onCancelMarker(k, task, channel);
  else handlerOf(k).onCancelMarker(k, task, channel);
}

/** A channel has delivered its end of partition and is no longer open (CP-046, CP-064). */
export function channelEnded(k: Kernel, task: number, channel: number): void {
  if (alternates(k)) lateParts().alternating.channelEnded(k, task, channel);
  else handlerOf(k).channelEnded(k, task, channel);
}

/**
 * The operation `triggerOpenChannels` (CP-193): a task of which nothing before it runs is triggered by message, as if the
 * barrier had come on every channel that has not ended. None is blocked.
 */
export function triggerOpenChannels(k: Kernel, task: number, checkpoint: number, triggered: number): void {
  if (alternates(k))
    lateParts().alternating.triggerOpenChannels(k, task, checkpoint, triggered, alignmentOfTrigger(k, checkpoint));
  else handlerOf(k).triggerOpenChannels(k, task, checkpoint, triggered);
}

/**
 * How a task takes part in a checkpoint that it is triggered for by message (`CheckpointOptions.forConfig`; CP-070). A
 * savepoint is always aligned (CP-160).
 */
export function alignmentOfTrigger(k: Kernel, checkpoint: number): number {
  const { unaligned, alignedTimeout } = k.plan.scenario.config.checkpointing;
  if (!unaligned || isSavepoint(k, checkpoint)) return Alignment.aligned;
  return alignedTimeout > 0 ? Alignment.timeoutable : Alignment.unaligned;
}
