/** Words for tests of sinks. */

/** Names of records of the one input partition, both ends included. */
export function recordsOf(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, place) => `in-0@${first + place}`);
}
