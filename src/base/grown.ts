/** Twice as much room up to here, a quarter more beyond: of a million entries, twice is megabytes of nothing. */
const LARGE = 1 << 16;

/**
 * The same numbers with room for more: for at least `needed` items, and for so many that adding one by one copies each of
 * them a bounded number of times.
 */
export function grown(array: Int32Array, needed?: number): Int32Array<ArrayBuffer>;
export function grown(array: Float64Array, needed?: number): Float64Array<ArrayBuffer>;
export function grown(array: Int32Array | Float64Array, needed = array.length + 1): Int32Array | Float64Array {
  const room = array.length < LARGE ? array.length * 2 : Math.ceil(array.length * 1.25);
  const length = Math.max(needed, room, 64);
  const larger = array instanceof Int32Array ? new Int32Array(length) : new Float64Array(length);
  larger.set(array);
  return larger;
}
