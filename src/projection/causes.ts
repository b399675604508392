/**
 * What an entry comes from and what comes of it, by the causes that the log records: each entry has one, the last that it
 * waited for, so the way back to a root is the shortest there is.
 */
import { at } from "../base/assert.ts";
import type { EventLog } from "../protocol/log.ts";
import { type Concerned, concerns } from "./entry-elements.ts";

/** The last entry up to `step` that is about something and of one of the types, of any if none are given; `null`: none. */
export function lastAbout(
  log: EventLog,
  of: Concerned,
  step: number,
  types: ReadonlySet<number> | null = null,
): number | null {
  for (let each = step; each >= 0; each--) {
    if (types !== null && !types.has(log.type(each))) continue;
    if (concerns(log, each, of)) return each;
  }
  return null;
}

/** Effects of each entry of a log, which may grow. */
export class Effects {
  private readonly log: EventLog;
  /** By step: the first and the next with the same cause; `-1`: none. In turn. */
  private first = new Int32Array(0);
  private next = new Int32Array(0);
  private last = new Int32Array(0);
  private known = 0;

  constructor(log: EventLog) {
    this.log = log;
  }

  private extend(): void {
    const { length } = this.log;
    if (length === this.known) return;
    for (const name of ["first", "next", "last"] as const) {
      const larger = new Int32Array(length).fill(-1);
      larger.set(this[name].subarray(0, this.known));
      this[name] = larger;
    }
    for (let step = this.known; step < length; step++) {
      const cause = this.log.cause(step);
      if (cause < 0) continue;
      const before = this.last[cause] as number;
      if (before < 0) this.first[cause] = step;
      else this.next[before] = step;
      this.last[cause] = step;
    }
    this.known = length;
  }

  /** What came of an entry at once, in order. */
  of(step: number): number[] {
    this.extend();
    const found: number[] = [];
    for (let each = this.first[step] ?? -1; each >= 0; each = this.next[each] as number) found.push(each);
    return found;
  }

  /** All that came of an entry, nearest first, up to `most`. */
  following(step: number, most: number): number[] {
    const found: number[] = [];
    const waiting = [step];
    for (let place = 0; place < waiting.length && found.length < most; place++)
      for (const effect of this.of(at(waiting, place))) {
        if (found.length === most) break;
        found.push(effect);
        waiting.push(effect);
      }
    return found;
  }
}
