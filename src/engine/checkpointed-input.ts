/** Which barrier handler a task's inputs have, by the job's mode (`CheckpointedInputGate`, `InputProcessorUtil`; CP-070). */
import * as alternating from "./alternating-handler.ts";
import * as aligned from "./barrier-handler.ts";
import * as tracker from "./barrier-tracker.ts";
import type { Kernel } from "./kernel.ts";
import { Alignment } from "./layout.ts";
import { isSavepoint } from "./savepoints.ts";

/** The barrier at `place` of a channel: its head, or one that has priority. */
export function onBarrier(k: Kernel, task: number, channel: number, place: number): void {
  const { mode, unaligned } = k.plan.scenario.config.checkpointing;
  if (mode === "AT_LEAST_ONCE") tracker.onBarrier(k, task, channel);
  else if (unaligned) alternating.onBarrier(k, task, channel, place);
  else aligned.onBarrier(k, task, channel);
}

/** The cancel marker at the head of a channel. */
export function onCancelMarker(k: Kernel, task: number, channel: number): void {
  const { mode, unaligned } = k.plan.scenario.config.checkpointing;
  if (mode === "AT_LEAST_ONCE") tracker.onCancelMarker(k, task, channel);
  else if (unaligned) alternating.onCancelMarker(k, task, channel);
  else aligned.onCancelMarker(k, task, channel);
}

/** A channel has delivered its end of partition and is no longer open (CP-046, CP-064). */
export function channelEnded(k: Kernel, task: number, channel: number): void {
  const { mode, unaligned } = k.plan.scenario.config.checkpointing;
  if (mode === "AT_LEAST_ONCE") tracker.channelEnded(k, task, channel);
  else if (unaligned) alternating.channelEnded(k, task, channel);
  else aligned.channelEnded(k, task, channel);
}

/**
 * The operation `triggerOpenChannels` (CP-193): a task of which nothing before it runs is triggered by message, as if the
 * barrier had come on every channel that has not ended. None is blocked.
 */
export function triggerOpenChannels(k: Kernel, task: number, checkpoint: number, triggered: number): void {
  const { mode, unaligned } = k.plan.scenario.config.checkpointing;
  if (mode === "AT_LEAST_ONCE") tracker.triggerOpenChannels(k, task, checkpoint, triggered);
  else if (unaligned)
    alternating.triggerOpenChannels(k, task, checkpoint, triggered, alignmentOfTrigger(k, checkpoint));
  else aligned.triggerOpenChannels(k, task, checkpoint, triggered);
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
