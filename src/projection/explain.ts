/**
 * What an entry says and why it happened, told from the log without a fold. A chain of causes goes back to what somebody
 * did, to an option of the scenario, or to an input record: beyond that nothing explains anything.
 */
import { at } from "../base/assert.ts";
import { type EventType, EventNumber, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { checkpointFailureReasons } from "../protocol/reasons.ts";
import { Entry } from "./entry.ts";
import { checkpointSentences } from "./explain-checkpoints.ts";
import { jobSentences } from "./explain-job.ts";
import { recordSentences } from "./explain-records.ts";
import { transactionSentences } from "./explain-transactions.ts";
import { Facts } from "./facts.ts";
import { places } from "./fields.ts";
import type { ConfigReason, Explanation, Sentence } from "./sentences.ts";
import type { Shared } from "./shared.ts";

/** Every type of entry has a sentence: a new one does not compile without. */
const sentences: { readonly [T in EventType]: (entry: Entry<T>) => Sentence } = {
  ...jobSentences,
  ...recordSentences,
  ...checkpointSentences,
  ...transactionSentences,
};

/** The longest chain that is told. */
const LONGEST = 64;

const { reason } = places("CheckpointAborted");
const { delay } = places("RestartScheduled");
const EXPIRED = checkpointFailureReasons.indexOf("CHECKPOINT_EXPIRED");

export class Explainer {
  private readonly facts: Facts;
  private readonly log: EventLog;

  constructor(shared: Shared, log: EventLog) {
    this.log = log;
    this.facts = new Facts(shared, log);
  }

  sentence(step: number): Sentence {
    this.facts.extend();
    const type = at(eventTypes, this.log.type(step));
    // The table has a function for each type, and the entry is of that type: the compiler cannot see that they meet.
    const say = sentences[type] as (entry: Entry<EventType>) => Sentence;
    return say(new Entry(this.facts, step, type));
  }

  /** The sentence of an entry with the one of what caused it. */
  explain(step: number): Explanation {
    const cause = this.causeOf(step);
    return {
      step,
      clock: this.log.clock(step),
      sentence: this.sentence(step),
      because: cause < 0 ? null : { step: cause, sentence: this.sentence(cause) },
      config: this.configOf(step),
    };
  }

  /** The entry and what led to it, nearest first, back to a root. */
  why(step: number): Explanation[] {
    return this.chain(step).map((each) => this.explain(each));
  }

  /** The steps of that way. */
  chain(step: number): number[] {
    this.facts.extend();
    const chain: number[] = [];
    for (let cause = step; cause >= 0 && chain.length < LONGEST; cause = this.causeOf(cause)) chain.push(cause);
    return chain;
  }

  /**
   * The entry that caused this one; `-1`: it is a root, since its time comes from an option, a person, or the input. A record
   * that is read for the first time is there to be read; one that is read again is, because its source went back.
   */
  private causeOf(step: number): number {
    const type = this.log.type(step);
    const cause = this.log.cause(step);
    if (type === EventNumber.FaultInjected || cause < 0) return -1;
    const before = this.log.type(cause);
    if (type === EventNumber.RecordEmitted)
      return before === EventNumber.SourceRewound && this.facts.emissions.passOf(this.log, step) > 1 ? cause : -1;
    return cause;
  }

  /** The option that set the time of an entry; `null`: none did. */
  private configOf(step: number): ConfigReason | null {
    const { config, timing } = this.facts.sharedAt(step).scenario;
    switch (at(eventTypes, this.log.type(step))) {
      case "CheckpointTriggered":
        if (this.causeOf(step) >= 0 || config.checkpointing.interval === null) return null;
        return { option: "execution.checkpointing.interval", ms: config.checkpointing.interval };
      case "CheckpointAborted":
        if (this.log.field(step, reason) !== EXPIRED) return null;
        return { option: "execution.checkpointing.timeout", ms: config.checkpointing.timeout };
      case "TransactionTimedOut": {
        const sentence = this.sentence(step);
        return sentence.says === "txn.timeout" ? { option: "transaction.timeout.ms", ms: sentence.ms } : null;
      }
      case "RestartScheduled": {
        const { type } = config.restartStrategy;
        return { option: `restart-strategy.${type}`, ms: this.log.field(step, delay) };
      }
      case "TaskManagerLost":
        return { option: "heartbeat.timeout", ms: timing.heartbeatDetect };
      case "SlotRequestFailed":
        return { option: "slot.request.timeout", ms: config.slotRequestTimeout };
      default:
        return null;
    }
  }
}
