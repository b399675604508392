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

/** The first entry behind `step` that is of a type, and meets a condition; `null`: there is none. */
export function nextOf(
  log: EventLog,
  step: number,
  type: number,
  meets: (entry: number) => boolean = () => true,
): number | null {
  for (let entry = step + 1; entry < log.length; entry++) if (log.type(entry) === type && meets(entry)) return entry;
  return null;
}

/** Effects of each entry of a log, which may grow. */
export class Effects {
  private readonly log: EventLog;
  /** By step: its last effect, and the next with the same cause, behind the last the first; `-1`: none. */
  private last = new Int32Array(0);
  private next = new Int32Array(0);
  private known = 0;

  constructor(log: EventLog) {
    this.log = log;
  }

  private extend(): void {
    const { length } = this.log;
    if (length === this.known) return;
    for (const name of ["last", "next"] as const) {
      const larger = new Int32Array(length).fill(-1);
      larger.set(this[name].subarray(0, this.known));
      this[name] = larger;
    }
    for (let step = this.known; step < length; step++) {
      const cause = this.log.cause(step);
      if (cause < 0) continue;
      const before = this.last[cause] as number;
      this.next[step] = before < 0 ? step : (this.next[before] as number);
      if (before >= 0) this.next[before] = step;
      this.last[cause] = step;
    }
    this.known = length;
  }

  /** What came of an entry at once, in order. */
  of(step: number): number[] {
    this.extend();
    const found: number[] = [];
    const last = this.last[step] ?? -1;
    for (let each = last; each >= 0 && (each !== last || found.length === 0);) {
      each = this.next[each] as number;
      found.push(each);
    }
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
