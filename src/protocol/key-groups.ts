/**
 * Flink's own assignment of keys to key groups and of key groups to subtasks (`KeyGroupRangeAssignment`, `MathUtils`;
 * CP-175 to CP-178). Whole numbers in 32-bit wrapping arithmetic, as in Java.
 */
import { assert } from "../base/assert.ts";

const MAX_PARALLELISM = 32768;

/** `String.hashCode` of Java: over UTF-16 units, from 0. */
export function javaHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** `MathUtils.murmurHash`: never negative. */
export function murmur(code: number): number {
  let hash = Math.imul(code, 0xcc9e2d51);
  hash = rotateLeft(hash, 15);
  hash = Math.imul(hash, 0x1b873593);
  hash = rotateLeft(hash, 13);
  hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  hash ^= 4;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  if (hash >= 0) return hash;
  return hash === -2147483648 ? 0 : -hash;
}

/** The key group of a key by its Java hash code. */
export function keyGroup(hashCode: number, maxParallelism: number): number {
  return murmur(hashCode) % maxParallelism;
}

/** The subtask that owns a key group. */
export function keyGroupOwner(group: number, maxParallelism: number, parallelism: number): number {
  return Math.floor((group * parallelism) / maxParallelism);
}

/** First and last key group of a subtask, both included. */
export function keyGroupRange(subtask: number, maxParallelism: number, parallelism: number): readonly [number, number] {
  assert(parallelism <= maxParallelism, "parallelism exceeds the maximum parallelism");
  return [
    Math.floor((subtask * maxParallelism + parallelism - 1) / parallelism),
    Math.floor(((subtask + 1) * maxParallelism - 1) / parallelism),
  ];
}

/** The maximum parallelism of a vertex where none is set. */
export function defaultMaxParallelism(parallelism: number): number {
  const wanted = parallelism + Math.floor(parallelism / 2);
  let power = 1;
  while (power < wanted) power *= 2;
  return Math.min(Math.max(power, 128), MAX_PARALLELISM);
}
