/** What if not, with a real engine: what becomes of a fact without its cause. */
import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { inProcessEngine } from "../../worker/testing/in-process.ts";
import { independentAfter } from "../../projection/independent.ts";
import { eventTypes } from "../../protocol/events.ts";
import { traceEntry } from "../../protocol/trace.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { factsOf } from "../facts.ts";
import { readLibrary } from "../read-library.ts";
import { Run } from "../run.ts";
import type { Session } from "../store.ts";
import { type Answer, WhatIfNot, causesOf, keyOf, overDetermined } from "./what-if-not.ts";

type Json = { readonly [key: string]: unknown };

/** A run of order-totals with these faults, asked about as the panel asks. */
class Asked {
  readonly run: Run;
  readonly whatIf: WhatIfNot;

  constructor(faults: readonly Json[]) {
    const text = JSON.stringify({ ...(JSON.parse(readLibrary("order-totals").text) as Json), faults });
    const read = parseScenario(text);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const scenario = read.value;
    const { graph, log, report } = runScenario(scenario);
    this.run = new Run({ graph, scenario, parent: null, base: 0, commands: scenario.faults });
    this.run.append(log.chunk(0));
    const branch = {
      branch: { id: 0, parent: null, step: 0, command: null },
      run: this.run,
      length: log.length,
      report,
      violation: null,
      name: null,
      judged: 0,
      paused: false,
      removed: false,
    };
    const session: Session = {
      number: 1,
      scenario,
      text,
      library: null,
      planned: 0,
      graph,
      commands: [...scenario.faults],
      branches: [branch],
    };
    this.whatIf = new WhatIfNot({ connect: inProcessEngine, open: () => 0, decide: () => undefined }, session, 0);
  }

  /** The steps of a type whose entries have these fields. */
  steps(type: (typeof eventTypes)[number], fields: Json = {}): number[] {
    const { log } = this.run;
    return Array.from({ length: log.length }, (_, step) => step).filter((step) => {
      if (eventTypes[log.type(step)] !== type) return false;
      const entry: Json = traceEntry(this.run.jobs.at(step).graph, log, step);
      return Object.entries(fields).every(([name, value]) => entry[name] === value);
    });
  }

  /** Of how many causes a fact comes that needs none of them; every one is left out. */
  async overDetermined(fact: number): Promise<number | null> {
    const causes = causesOf(factsOf(this.run).explainer.why(fact), (option) => this.whatIf.isSet(option));
    const answers = new Map<string, Answer>();
    expect(overDetermined(causes, (cause) => answers.get(keyOf(cause)))).toBeNull();
    for (const cause of causes) answers.set(keyOf(cause), await this.whatIf.ask(cause, fact));
    return overDetermined(causes, (cause) => answers.get(keyOf(cause)));
  }
}

const fails = (target: string): Json => ({ at: { time: "1500 ms" }, do: "fail-task", target });

test("X-07: where two tasks fail at once the job restarts without either failure: over-determined, by every cause in the chain", async () => {
  const both = new Asked([fails("total[0]"), fails("total[1]")]);
  const [restarting] = both.steps("JobStatusChanged", { to: "RESTARTING" });
  expect(await both.overDetermined(restarting ?? -1)).toBe(3);
  both.whatIf.close();

  const one = new Asked([fails("total[0]")]);
  const [because] = one.steps("JobStatusChanged", { to: "RESTARTING" });
  expect(await one.overDetermined(because ?? -1)).toBeNull();
  one.whatIf.close();
});

test("X-07: a record that is dropped stays away when its source goes back, and what came of it the second time is gone", async () => {
  const asked = new Asked([
    { at: { after: "RecordProcessed", record: "orders-0@25", vertex: "total" }, do: "fail-task", target: "total[1]" },
  ]);
  const emitted = asked.steps("RecordEmitted", { record: "orders-0@25" });
  const received = asked.steps("RecordReceived", { record: "orders-0@25", vertex: "total" });
  expect([emitted.length, received.length]).toEqual([2, 2]);
  for (const fact of received) {
    const answer = await asked.whatIf.ask({ kind: "entry", step: emitted[0] ?? -1 }, fact);
    expect(answer?.fate).toEqual({ kind: "gone" });
  }
  asked.whatIf.close();
});

test("X-07: the other way round is answered where the two changed places, and refused where a thread does both at one go", async () => {
  const asked = new Asked([]);
  const { log } = asked.run;
  const [fact = -1] = asked.steps("CheckpointCompleted");
  const told: string[] = [];
  for (const { step } of factsOf(asked.run).explainer.why(fact).slice(1)) {
    const other = independentAfter(log, step, fact);
    if (other === null) continue;
    const answer = await asked.whatIf.ask({ kind: "order", step, other }, fact);
    told.push(`${eventTypes[log.type(step)]} behind ${eventTypes[log.type(other)]}: ${answer?.fate.kind ?? "refused"}`);
  }
  expect(told).toMatchInlineSnapshot(`
    [
      "SnapshotTaken behind SnapshotPersisted: later",
      "TransactionPreCommitted behind SnapshotPersisted: refused",
      "AlignmentCompleted behind SnapshotPersisted: refused",
      "BarrierReceived behind RecordSent: later",
      "BarrierEmitted behind BarrierReceived: refused",
      "AlignmentCompleted behind BarrierReceived: refused",
      "BarrierReceived behind BarrierReceived: still",
      "BarrierEmitted behind SnapshotTaken: later",
    ]
  `);
  asked.whatIf.close();
});
