/** What each entry brought about: the log's causes read the other way round. Built as the log grows. */
import type { EventLog } from "../protocol/log.ts";

export class Effects {
  /** By step: the latest entry that it caused, and the one caused before by the same cause; `-1`: none. */
  private latest = new Int32Array(1024).fill(-1);
  private before = new Int32Array(1024).fill(-1);
  private length = 0;

  /** Takes in the entries that the log has more. */
  extend(log: EventLog): this {
    if (log.length > this.latest.length) {
      const room = Math.max(log.length, this.latest.length * 2);
      this.latest = grown(this.latest, room);
      this.before = grown(this.before, room);
    }
    for (; this.length < log.length; this.length++) {
      const cause = log.cause(this.length);
      if (cause < 0) continue;
      this.before[this.length] = this.latest[cause] as number;
      this.latest[cause] = this.length;
    }
    return this;
  }

  /** The entries that name `step` as their cause, in their order. */
  of(step: number): number[] {
    const found: number[] = [];
    for (let next = this.latest[step] ?? -1; next >= 0; next = this.before[next] as number) found.push(next);
    return found.reverse();
  }
}

function grown(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length).fill(-1);
  larger.set(array);
  return larger;
}
