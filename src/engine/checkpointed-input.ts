/** Which barrier handler a task's inputs have, by the job's mode (`CheckpointedInputGate`, `InputProcessorUtil`; CP-070). */
import * as alternating from "./alternating-handler.ts";
import * as aligned from "./barrier-handler.ts";
import * as tracker from "./barrier-tracker.ts";
import type { Kernel } from "./kernel.ts";
import { Alignment } from "./layout.ts";
import type { Plan } from "./plan.ts";

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

/** How a source takes part in a checkpoint that it is triggered for (`CheckpointOptions.forConfig`; CP-070). */
export function alignmentOfSources({ scenario }: Plan): number {
  const { unaligned, alignedTimeout } = scenario.config.checkpointing;
  if (!unaligned) return Alignment.aligned;
  return alignedTimeout > 0 ? Alignment.timeoutable : Alignment.unaligned;
}
