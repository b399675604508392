/** Sizes of the model that a run and what is told of it share. */

/** A record in a buffer. One record is one buffer. */
export const RECORD_BYTES = 32;
