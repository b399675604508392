/** A search that goes on in pieces while the page goes on, and says when it has found more. */
import { type EventQuery, EventSearch } from "../../projection/event-search.ts";
import { RisingSteps } from "../../projection/rising-steps.ts";
import type { Run } from "../run.ts";

/** Entries' cost of a piece: some milliseconds. */
const PIECE = 30_000;

export class RunningSearch {
  /** Steps that meet the query, as far as it has come; the same list grows. */
  readonly found = new RisingSteps();
  private readonly search: EventSearch;
  private readonly run: Run;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** Another number: there is more. */
  version = 0;

  constructor(run: Run, query: EventQuery, says: (step: number) => string) {
    this.run = run;
    this.search = new EventSearch(query, run.jobs, says, (step) => this.found.push(step));
    // What a short run has is there with the first picture.
    this.search.advance(run.log, PIECE);
  }

  /** The share of the log that has been looked at. */
  get done(): number {
    return this.run.log.length === 0 ? 1 : this.search.looked / this.run.log.length;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.goOn();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0 || this.timer === null) return;
      clearTimeout(this.timer);
      this.timer = null;
    };
  };

  /** There may be more of the log. */
  goOn(): void {
    if (this.done < 1) this.timer ??= setTimeout(() => this.piece());
  }

  private piece(): void {
    this.timer = null;
    this.search.advance(this.run.log, PIECE);
    this.version++;
    this.goOn();
    for (const listener of this.listeners) listener();
  }
}
