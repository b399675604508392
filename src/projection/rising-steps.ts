/** Steps in rising order, of which there may be a million: four bytes each, and none for all that lead from the first on without a gap. */
import { at } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import { grown } from "../base/grown.ts";

export class RisingSteps {
  /** `null`: each step is its own index. */
  private kept: Int32Array | null = null;
  private count = 0;

  get length(): number {
    return this.count;
  }

  push(step: number): void {
    if (this.kept === null && step !== this.count)
      this.kept = Int32Array.from({ length: this.count + 1 }, (_, each) => each);
    if (this.kept !== null) this.keep(this.kept, step);
    this.count++;
  }

  /** `undefined`: there is none with this index. */
  at(index: number): number | undefined {
    if (index < 0 || index >= this.count) return undefined;
    return this.kept === null ? index : at(this.kept, index);
  }

  /** Those from `from` up to `to`; what comes later does not change them. */
  slice(from: number, to: number): Int32Array {
    const end = Math.max(from, Math.min(to, this.count));
    if (this.kept !== null) return this.kept.subarray(from, end);
    const steps = new Int32Array(end - from);
    for (let each = 0; each < steps.length; each++) steps[each] = from + each;
    return steps;
  }

  /** Index of the last that is not behind `step`; `-1`: all are. */
  lastAtOrBefore(step: number): number {
    return firstPlace(this.count, (place) => (this.at(place) as number) > step) - 1;
  }

  private keep(kept: Int32Array, step: number): void {
    const room = this.count < kept.length ? kept : grown(kept);
    room[this.count] = step;
    this.kept = room;
  }
}
