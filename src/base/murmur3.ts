/** The 128-bit murmur3 hash (x64, seed 0) of bytes, as 32 hex digits: Flink makes the id of an operator of its uid with it. */
const MASK = (1n << 64n) - 1n;
const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;

const rotate = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (64n - by))) & MASK;
const times = (a: bigint, b: bigint): bigint => (a * b) & MASK;
const mixLow = (word: bigint): bigint => times(rotate(times(word, C1), 31n), C2);
const mixHigh = (word: bigint): bigint => times(rotate(times(word, C2), 33n), C1);

export function murmur3(bytes: Uint8Array): string {
  let [h1, h2] = [0n, 0n];
  const whole = bytes.length - (bytes.length % 16);
  for (let from = 0; from < whole; from += 16) {
    h1 ^= mixLow(wordAt(bytes, from, 8));
    h1 = (times((rotate(h1, 27n) + h2) & MASK, 5n) + 0x52dce729n) & MASK;
    h2 ^= mixHigh(wordAt(bytes, from + 8, 8));
    h2 = (times((rotate(h2, 31n) + h1) & MASK, 5n) + 0x38495ab5n) & MASK;
  }
  const rest = bytes.length - whole;
  h1 ^= mixLow(wordAt(bytes, whole, Math.min(rest, 8)));
  h2 ^= mixHigh(wordAt(bytes, whole + 8, Math.max(0, rest - 8)));
  h1 ^= BigInt(bytes.length);
  h2 ^= BigInt(bytes.length);
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  h1 = spread(h1);
  h2 = spread(h2);
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  return hex(h1) + hex(h2);
}

/** `count` bytes as a number, the lowest first. */
function wordAt(bytes: Uint8Array, from: number, count: number): bigint {
  let word = 0n;
  for (let i = count - 1; i >= 0; i--) word = (word << 8n) | BigInt(bytes[from + i] ?? 0);
  return word;
}

function spread(word: bigint): bigint {
  const once = times(word ^ (word >> 33n), 0xff51afd7ed558ccdn);
  const twice = times(once ^ (once >> 33n), 0xc4ceb9fe1a85ec53n);
  return twice ^ (twice >> 33n);
}

/** The bytes of a word, the lowest first. */
function hex(word: bigint): string {
  let text = "";
  for (let shift = 0n; shift < 64n; shift += 8n) text += ((word >> shift) & 0xffn).toString(16).padStart(2, "0");
  return text;
}
