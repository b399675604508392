/**
 * Seeded chance as a value: a stream is one 32-bit word, so a world can hold it and a clone repeats it (mulberry32).
 * Each use of chance has its own stream, drawn from (seed, purpose): one more draw here changes nothing there.
 */
export function stream(seed: number, purpose: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < purpose.length; i++) hash = Math.imul(hash ^ purpose.charCodeAt(i), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 0;
}

/** The stream's next state. */
export function advance(state: number): number {
  return (state + 0x6d2b79f5) | 0;
}

/** A whole number in [0, bound), drawn from a state that `advance` returned. */
export function below(state: number, bound: number): number {
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * bound);
}
