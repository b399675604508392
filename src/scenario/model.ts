/** Sizes of the model that a run and what is told of it share. */
import type { Scenario } from "./scenario.ts";

/** A record in a buffer. One record is one buffer. */
export const RECORD_BYTES = 32;

/**
 * Does a snapshot count as unaligned though nothing in flight was stored? Where checkpoints are unaligned from the start
 * Flink writes an empty channel state too, a few bytes, and goes by the bytes (`CheckpointMetricsBuilder`, FLINK-31588).
 */
export function beginsUnaligned({ config: { checkpointing } }: Scenario): boolean {
  return checkpointing.unaligned && checkpointing.alignedTimeout === 0;
}
