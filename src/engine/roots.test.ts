/** What may have no cause in the log, and why: every other entry comes from one before it. */
import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { EventNumber, type EventType, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { checkpointKinds } from "../protocol/reasons.ts";
import { library } from "../scenario/library.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type RunResult, runScenario } from "./run.ts";
import { libraryScenario, withFaults } from "./testing/runs.ts";
import { randomScenario } from "./testing/random-scenario.ts";
import { after } from "./testing/stories.ts";

/** Is this one a root by right? */
type Reason = (run: RunResult, step: number) => boolean;

/** The job is deployed for the first time, at once. */
const start: Reason = ({ log }, step) => log.clock(step) === 0;
/** `execution.checkpointing.interval` has passed. */
const interval: Reason = ({ log }, step) => log.field(step, 1) === checkpointKinds.indexOf("CHECKPOINT");
/** A bounded source has come to the end of its data. */
const input: Reason = ({ log, graphs }, step) =>
  at(at(graphs, jobsBefore(log, step)).subtasks, log.field(step, 0)).inputs.length === 0;
function jobsBefore(log: EventLog, step: number): number {
  let jobs = 0;
  for (let each = 0; each < step; each++) if (log.type(each) === EventNumber.JobSubmitted) jobs++;
  return jobs;
}

const always: Reason = () => true;

const roots: { readonly [T in EventType]?: Reason } = {
  JobStatusChanged: start,
  AttemptCreated: start,
  TaskStateChanged: start,
  CheckpointTriggered: interval,
  TriggerQueued: interval,
  TriggerRejected: interval,
  OperatorsFinished: input,
  EndOfDataEmitted: input,
  // The scenario says when it acts.
  FaultInjected: always,
  // Another producer writes to an input topic.
  BackgroundRecordWritten: always,
};

/** Entries without a cause that should have one, and the types of those that need none. */
function causeless(run: RunResult): { readonly wrong: string[]; readonly types: Set<string> } {
  const { log } = run;
  const [wrong, types]: [string[], Set<string>] = [[], new Set()];
  for (let step = 0; step < log.length; step++) {
    if (log.cause(step) >= 0) continue;
    const type = at(eventTypes, log.type(step));
    if (roots[type]?.(run, step) === true) types.add(type);
    else wrong.push(`${step} ${log.clock(step)} ms ${type}`);
  }
  return { wrong, types };
}

const seen = new Set<string>();

function expectCauses(name: string, scenario: Scenario): void {
  const { wrong, types } = causeless(runScenario(scenario));
  expect(wrong, name).toEqual([]);
  for (const type of types) seen.add(type);
}

test.each(library.map(({ id }) => id))("%s: every entry that is no root has a cause before it", (id) => {
  expectCauses(id, libraryScenario(id));
});

test("so it is in runs drawn at random, and with a job that fails and is started anew", () => {
  for (let number = 0; number < 24; number++) expectCauses(`run ${number}`, randomScenario(number));
  for (const id of ["orders", "socket", "database-source", "file-sink", "global-committer"])
    expectCauses(id, withFaults(id, [after("CheckpointCompleted", { checkpoint: 1 }, "kill-jobmanager", {})]));
});

test("every type that may be a root is one somewhere", () => {
  expect([...seen].sort()).toEqual(Object.keys(roots).sort());
});
