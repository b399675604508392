/**
 * How many cases a property is tried with. `npm test` takes the same ones every time, so that what fails there is told by
 * what has changed; the long run (`BARRIERSCOPE_LONG=1`) draws anew. It prints its seed, and what it finds becomes a test.
 */
export function sample(long: boolean, few: number, many: number): { readonly numRuns: number; readonly seed?: number } {
  return long ? { numRuns: many } : { numRuns: few, seed: 20_261_130 };
}
