/**
 * What the search asks of every run it looks into. *Always*: the guarantees that the scenario asks for, judged by the
 * ledger where a run is over (where the mode is AT_LEAST_ONCE a record may be doubled, unless the judge is strict).
 * *Eventually*: there is always something that can happen until all is drained, and timers alone do not go on without end.
 * *Sometimes*: some run commits every record, so that a sink that never writes is found.
 */
import { isCommitted, isSink, traitsOf } from "../protocol/sinks.ts";
import { referenceOf, type Reference } from "../scenario/reference.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Invariants } from "../engine/invariants.ts";
import { Input, Job, Txn } from "../engine/layout.ts";
import type { Kernel } from "../engine/kernel.ts";
import { ledgerOf } from "../engine/ledger.ts";
import { Client } from "../engine/log-broker/transactions.ts";
import { JobStatus } from "../engine/states.ts";

/** A property that does not hold, and how that shows. */
export interface Wrong {
  readonly property: string;
  readonly message: string;
}

/** Timers that fire one after the other with nothing new read or committed in between, before a run counts as endless. */
const ROUNDS = 12;

export class Judge {
  /** Has a run been seen that committed every record? */
  sawAll = false;
  private readonly scenario: Scenario;
  private readonly reference: Reference;
  private readonly mayDouble: boolean;

  constructor(scenario: Scenario, strict: boolean) {
    this.scenario = scenario;
    this.mayDouble = !strict && scenario.config.checkpointing.mode === "AT_LEAST_ONCE";
    this.reference = referenceOf(scenario);
  }

  /** What is wrong with a run that is over; with `invariants`, what they say of its end too. */
  end(k: Kernel, invariants: Invariants | null): Wrong[] {
    const ledger = ledgerOf(k, this.reference);
    const { delivery, state } = ledger;
    const wrong = (invariants?.atEnd(k, ledger, "drained") ?? []).map(({ invariant, message }) => ({
      property: invariant,
      message,
    }));
    // A job that is cancelled, or stopped before it has read all, leaves that to the next one.
    const status = k.world.job(Job.status);
    const canceled = status === JobStatus.canceled;
    for (const { vertex, lost, duplicated } of state) {
      if (lost.length > 0 && !canceled) wrong.push(told("state: no record is lost", vertex, lost));
      if (duplicated.length > 0 && !this.mayDouble) wrong.push(told("state: no record is doubled", vertex, duplicated));
    }
    let all = true;
    for (const { sink, reader, lost, duplicated, pending, unprocessed, seen, expected } of delivery) {
      const vertex = this.scenario.job.vertices.find(({ uid }) => uid === sink);
      if (vertex === undefined || !isSink(vertex) || !isCommitted(reader)) continue;
      const { guarantee } = traitsOf(vertex);
      const left = status === JobStatus.finished || canceled ? unprocessed.length + (canceled ? lost.length : 0) : 0;
      if (seen + left < expected || pending.length + unprocessed.length > left) all = false;
      if (guarantee !== "none" && lost.length > 0 && !canceled)
        wrong.push(told("end to end: no record is lost", sink, lost));
      if (guarantee === "exactly-once" && !this.mayDouble && duplicated.length > 0)
        wrong.push(told("end to end: no record is doubled", sink, duplicated));
    }
    if (all) this.sawAll = true;
    return wrong;
  }

  stuck(k: Kernel): Wrong {
    const undecided = k.world.ongoing.count;
    return {
      property: "eventually: the input is drained",
      message: `Nothing can happen any more, and ${undecided === 0 ? "the run is not over" : "a transaction is not decided"}.`,
    };
  }

  /** A number that changes when something is read for the first time, or a transaction is decided. */
  forward({ world, plan }: Kernel): number {
    let forward = 0;
    for (let partition = 0; partition < plan.inputs.length; partition++)
      forward += world.input(partition, Input.furthest);
    const { transactions } = world;
    for (let row = 0; row < transactions.count; row++)
      if (transactions.get(row, Txn.client) === Client.committed) forward++;
    return forward + world.job(Job.failures);
  }

  endless(rounds: number): Wrong | null {
    if (rounds < ROUNDS) return null;
    return {
      property: "eventually: the input is drained",
      message: `${rounds} timers have fired with nothing new read or committed in between.`,
    };
  }

  neverAll(): Wrong {
    return { property: "sometimes: every record is committed", message: "No run commits every record." };
  }
}

function told(property: string, where: string, records: readonly string[]): Wrong {
  return { property, message: `${where}: ${records.join(" ")}` };
}
