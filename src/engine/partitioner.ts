/** How Kafka's producer chooses a partition by key (`BuiltInPartitioner`, `Utils.murmur2`). */
import { at } from "../base/assert.ts";

/** Kafka's partition for a key: `toPositive(murmur2(bytes)) % partitions` (`BuiltInPartitioner.partitionForKey`). */
export function partitionFor(key: string, partitions: number): number {
  return (murmur2(utf8(key)) & 0x7fffffff) % partitions;
}

function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}

/** Kafka's `Utils.murmur2`. */
export function murmur2(bytes: readonly number[]): number {
  const length = bytes.length;
  let hash = 0x9747b28c ^ length;
  const byte = (index: number): number => at(bytes, index);
  for (let i = 0; i + 4 <= length; i += 4) {
    let k = byte(i) | (byte(i + 1) << 8) | (byte(i + 2) << 16) | (byte(i + 3) << 24);
    k = Math.imul(k, 0x5bd1e995);
    k = Math.imul(k ^ (k >>> 24), 0x5bd1e995);
    hash = Math.imul(hash, 0x5bd1e995) ^ k;
  }
  const rest = length & ~3;
  if ((length & 3) >= 3) hash ^= byte(rest + 2) << 16;
  if ((length & 3) >= 2) hash ^= byte(rest + 1) << 8;
  if ((length & 3) >= 1) hash = Math.imul(hash ^ byte(rest), 0x5bd1e995);
  hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
  return (hash ^ (hash >>> 15)) | 0;
}
