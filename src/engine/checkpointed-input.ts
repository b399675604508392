/** Which barrier handler a task's inputs have, by the job's mode (`CheckpointedInputGate`, `InputProcessorUtil`; CP-070). */
import * as aligned from "./barrier-handler.ts";
import * as tracker from "./barrier-tracker.ts";
import type { Kernel } from "./kernel.ts";

function isAtLeastOnce({ plan }: Kernel): boolean {
  return plan.scenario.config.checkpointing.mode === "AT_LEAST_ONCE";
}

/** The barrier at the head of a channel. */
export function onBarrier(k: Kernel, task: number, channel: number): void {
  if (isAtLeastOnce(k)) tracker.onBarrier(k, task, channel);
  else aligned.onBarrier(k, task, channel);
}

/** The cancel marker at the head of a channel. */
export function onCancelMarker(k: Kernel, task: number, channel: number): void {
  if (isAtLeastOnce(k)) tracker.onCancelMarker(k, task, channel);
  else aligned.onCancelMarker(k, task, channel);
}
