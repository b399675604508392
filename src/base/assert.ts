/** Our own mistakes stop the program in every build: a wrong picture is worse than none. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** The element at `index`; a missing one is a mistake of ours, never a value. */
export function at<T>(array: ArrayLike<T>, index: number): T {
  const value = array[index];
  if (value === undefined) throw new Error(`assertion failed: no element at ${index} of ${array.length}`);
  return value;
}

/** Closes a switch over a union: a new member that nobody handles does not compile. */
export function unreachable(value: never): never {
  throw new Error(`assertion failed: unexpected ${JSON.stringify(value)}`);
}
