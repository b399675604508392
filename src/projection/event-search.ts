/**
 * A search through the log: by kind, element, checkpoint, cause and words, all together. It goes on where it stopped, in
 * pieces of bounded cost, so that a log of a million entries is searched while the page goes on.
 */
import { at } from "../base/assert.ts";
import { EventNumber, type EventType, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Compares } from "./comparisons.ts";
import { type EntryElement, isAbout } from "./entry-elements.ts";
import type { Jobs } from "./submitted-job.ts";
import type { Shared } from "./shared.ts";

/** An entry must meet each of these that is not empty; of a list it need meet one. */
export interface EventQuery {
  readonly types: readonly EventType[];
  /** Elements by name, and what they are in a job; a name that a job does not have meets nothing there. */
  readonly elements: readonly ((job: Shared) => EntryElement | null)[];
  readonly checkpoints: readonly number[];
  /** Only what has this cause; `null`: whatever it is. */
  readonly causedBy: number | null;
  /** Of the entry's fields; `null`: whatever they are. */
  readonly compares: Compares | null;
  /** In small letters; each must be in the type or the sentence. */
  readonly words: readonly string[];
}

/** What looking at a sentence costs, in entries that are only looked at. */
const SENTENCE = 40;

export class EventSearch {
  /** Entries looked at. */
  looked = 0;
  private readonly query: EventQuery;
  private readonly jobs: Jobs;
  /** The sentence of an entry, in small letters. */
  private readonly says: (step: number) => string;
  private readonly found: (step: number) => void;
  private readonly types: readonly boolean[];
  private job: Shared | null = null;
  private elements: readonly EntryElement[] = [];
  private readonly checkpoints: readonly EntryElement[];

  /** `found` is given the steps that meet the query, rising. */
  constructor(query: EventQuery, jobs: Jobs, says: (step: number) => string, found: (step: number) => void) {
    this.query = query;
    this.found = found;
    this.jobs = jobs;
    this.says = says;
    this.types = eventTypes.map((type) => query.types.length === 0 || query.types.includes(type));
    this.checkpoints = query.checkpoints.map((id) => ({ kind: "checkpoint", id }));
  }

  /** Looks at more of the log for about `budget` entries' cost; `true`: it has come to the log's end. */
  advance(log: EventLog, budget: number): boolean {
    let left = budget;
    for (; this.looked < log.length && left > 0; this.looked++, left--) {
      if (this.job === null || log.type(this.looked) === EventNumber.JobSubmitted) this.begin(this.looked);
      if (!this.meets(log, this.looked)) continue;
      if (this.query.words.length > 0) {
        left -= SENTENCE;
        if (!this.tells(log, this.looked)) continue;
      }
      this.found(this.looked);
    }
    return this.looked >= log.length;
  }

  private begin(step: number): void {
    const job = this.jobs.at(step);
    this.job = job;
    this.elements = this.query.elements.flatMap((resolve) => resolve(job) ?? []);
  }

  private meets(log: EventLog, step: number): boolean {
    const { causedBy, elements, compares } = this.query;
    if (this.types[log.type(step)] !== true) return false;
    if (causedBy !== null && log.cause(step) !== causedBy) return false;
    if (this.checkpoints.length > 0 && !this.about(log, step, this.checkpoints)) return false;
    if (elements.length > 0 && !this.about(log, step, this.elements)) return false;
    return compares === null || this.job === null || compares(this.job.graph, log, step);
  }

  private about(log: EventLog, step: number, elements: readonly EntryElement[]): boolean {
    const { job } = this;
    return job !== null && elements.some((element) => isAbout(job.graph, log, step, element));
  }

  private tells(log: EventLog, step: number): boolean {
    const type = at(smallTypes, log.type(step));
    const missing = this.query.words.filter((word) => !type.includes(word));
    if (missing.length === 0) return true;
    const sentence = this.says(step);
    return missing.every((word) => sentence.includes(word));
  }
}

const smallTypes = eventTypes.map((type) => type.toLowerCase());
