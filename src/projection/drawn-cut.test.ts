/** Jobs that are started from drawn cuts: what is lost or doubled then, told from the messages of the run alone. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { Draw, randomSource } from "../engine/testing/random-jobs.ts";
import { EventNumber, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { recordName } from "../protocol/ids.ts";
import type { EventLog } from "../protocol/log.ts";
import { cutRefusals } from "../protocol/reasons.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type DrawnCut, drawnCut, settledCut, takenCut } from "./drawn-cut.ts";
import { places } from "./fields.ts";
import { initialView } from "./fold.ts";
import { type Cut, type Message, cutAt, judgeCut, repairCut } from "./global-cuts.ts";
import { SpaceTime } from "./space-time.ts";
import { Jobs } from "./submitted-job.ts";

interface Pictured {
  readonly scenario: Scenario;
  readonly space: SpaceTime;
  readonly log: EventLog;
  readonly graph: ExecutionGraph;
  readonly report: ReturnType<typeof runScenario>["report"];
  readonly graphAt: (step: number) => ExecutionGraph;
}

function pictured(scenario: Scenario): Pictured {
  const { graph, log, report } = runScenario(scenario);
  const jobs = new Jobs(initialView(scenario, graph, scenario.faults).shared);
  jobs.extend(log);
  const graphAt = (step: number): ExecutionGraph => jobs.at(step).graph;
  return { scenario, log, graph, report, graphAt, space: new SpaceTime(log, graphAt).extend() };
}

/** Random jobs whose outputs do not depend on the order in which records of several channels come: no filter behind a sum. */
function* runs(): Generator<Pictured & { readonly number: number }> {
  for (let number = 0; ; number++) {
    const parsed = scenarioFrom(randomSource(new Draw(number)));
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    if (parsed.value.job.vertices.some(({ type }) => type === "filter")) continue;
    const run = pictured({ ...parsed.value, until: { kind: "drained" } });
    // Some of these runs double records by themselves: a sink that only writes at least once, and tasks that fail.
    if (run.report.delivery.every(({ lost, duplicated }) => lost.length + duplicated.length === 0))
      yield { ...run, number };
  }
}

/** A random place on each lifeline, so many events around a moment. */
function drawn(draw: Draw, { space, log }: Pictured): Cut {
  const spread = draw.one(0, 2, 6, 20, 60);
  return cutAt(space, draw.upTo(log.length)).map((step, line) => {
    const { events } = at(space.lifelines, line);
    const place = (step < 0 ? -1 : space.placeOf(step)) + draw.upTo(2 * spread + 1) - spread;
    return place < 0 ? -1 : (events[Math.min(place, events.length - 1)] ?? -1);
  });
}

interface Child {
  readonly log: EventLog;
  readonly report: Pictured["report"];
  readonly refusal: string | null;
}

const refused = places("CutRefused");

/** The run once more, with the job started anew from the cut. */
function restored({ scenario }: Pictured, { step, command }: DrawnCut): Child {
  const { log, report } = runScenario({ ...scenario, faults: [{ ...command, at: { kind: "step", step } }] });
  const steps = Array.from({ length: log.length }, (_, each) => each);
  const found = steps.find((each) => log.type(each) === EventNumber.CutRefused);
  const refusal = found === undefined ? null : at(cutRefusals, log.field(found, refused.refusal));
  return { log, report, refusal };
}

const received = places("RecordReceived");
const written = places("RecordWritten");

/** By sink: the records that it wrote and that travelled over a message which breaks the cut, on a way to it. */
function toDouble(run: Pictured, cut: Cut): Map<string, Set<string>> {
  const { graph, log, space } = run;
  const { violations } = judgeCut(space, cut);
  return new Map(
    graph.sinks.map((sink) => {
      const { vertex, taskVertex } = at(graph.operators, sink);
      const wrote = new Set<number>();
      for (let step = 0; step < log.length; step++)
        if (log.type(step) === EventNumber.RecordWritten && log.field(step, written.operator) === sink)
          wrote.add(log.field(step, written.record));
      const doubled = violations.flatMap(({ received: step }) => {
        const type = log.type(step);
        if (type === EventNumber.RecordWritten)
          return log.field(step, written.operator) === sink ? [log.field(step, written.record)] : [];
        if (type !== EventNumber.RecordReceived) return [];
        const record = log.field(step, received.record);
        const reader = at(graph.subtasks, log.field(step, received.subtask)).taskVertex;
        return wrote.has(record) && leads(graph, reader, taskVertex) ? [record] : [];
      });
      return [vertex.uid, new Set(doubled.map((record) => recordName(graph, record)))] as const;
    }),
  );
}

function leads(graph: ExecutionGraph, from: number, to: number): boolean {
  return from === to || graph.edges.some((edge) => edge.from === from && leads(graph, edge.to, to));
}

/** The run goes on as it would have until the last part is given, but for what does not come into the log. */
function comparePrefix(parent: Pictured, child: Child, { step, last }: DrawnCut): void {
  const told = ({ log }: Pick<Pictured, "log">, each: number): string =>
    `${log.clock(each)} ${at(eventTypes, log.type(each))} ${log.field(each, 0)} ${log.field(each, 2)}`.replace(
      "WriteWithheld",
      "RecordWritten",
    );
  for (let each = 0; each <= last; each++) {
    const shifted = each < step ? each : each + 1;
    if (told(parent, each) !== told(child, shifted)) expect(told(child, shifted)).toBe(told(parent, each));
  }
}

function tasksOnly(log: EventLog, messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ received: step }) => log.type(step) === EventNumber.RecordReceived);
}

describe("X-03: a job is started from a drawn cut", () => {
  test("from 300 consistent cuts of random runs nothing is lost or doubled, whatever the sinks", () => {
    let [taken, inTransit] = [0, 0];
    for (const parent of runs()) {
      const { space, log, graph, number } = parent;
      const draw = new Draw(number + 5000);
      for (let i = 0; i < 6; i++) {
        const cut = settledCut(space, log, graph, repairCut(space, drawn(draw, parent)));
        const asked = drawnCut(space, log, graph, cut);
        if (asked.obstacle !== null) continue;
        const verdict = judgeCut(space, cut);
        expect(tasksOnly(log, verdict.violations)).toEqual([]);
        const child = restored(parent, asked);
        // That a task has begun to end is not in the log before it has.
        if (child.refusal === "DATA_ENDED") continue;
        expect({ number, i, refusal: child.refusal }).toEqual({ number, i, refusal: null });
        taken++;
        inTransit += tasksOnly(log, verdict.inTransit).length;
        comparePrefix(parent, child, asked);
        for (const row of child.report.delivery)
          expect({ number, i, ...row }).toMatchObject({ lost: [], duplicated: [] });
        for (const row of child.report.state) expect({ number, i, ...row }).toMatchObject({ lost: [], duplicated: [] });
      }
      if (taken >= 300) break;
    }
    expect(inTransit).toBeGreaterThan(300);
  }, 240_000);

  test("from a cut that is not consistent the records of the messages that break it are doubled, exactly, and none is lost", () => {
    let [taken, doubled] = [0, 0];
    for (const parent of runs()) {
      const { space, log, graph, number } = parent;
      const draw = new Draw(number + 9000);
      for (let i = 0; i < 4; i++) {
        const cut = settledCut(space, log, graph, drawn(draw, parent));
        const asked = drawnCut(space, log, graph, cut);
        const child = asked.obstacle === null ? restored(parent, asked) : null;
        if (child === null || child.refusal !== null) continue;
        taken++;
        comparePrefix(parent, child, asked);
        const expected = toDouble(parent, cut);
        for (const { sink, lost, duplicated } of child.report.delivery) {
          const records = [...(expected.get(sink) ?? [])].toSorted();
          doubled += records.length;
          expect({ number, i, sink, lost, duplicated: duplicated.toSorted() }).toEqual({
            number,
            i,
            sink,
            lost: [],
            duplicated: records,
          });
        }
      }
      if (taken >= 60) break;
    }
    expect(doubled).toBeGreaterThan(200);
  }, 240_000);

  test("what subtasks say of their parts is the cut that was drawn", () => {
    for (const parent of runs()) {
      const { space, log, graph, scenario, number } = parent;
      if (number > 8) break;
      const draw = new Draw(number);
      const cut = settledCut(space, log, graph, drawn(draw, parent));
      const asked = drawnCut(space, log, graph, cut);
      if (asked.obstacle !== null) continue;
      const child = pictured({ ...scenario, faults: [{ ...asked.command, at: { kind: "step", step: asked.step } }] });
      const taken = takenCut(child.space, child.log, child.graphAt);
      if (taken === null) continue;
      for (const { name } of graph.subtasks) {
        const [line, other] = [space.lineOfSubtask(name), child.space.lineOfSubtask(name)];
        const counted = (run: Pictured, own: number, each: Cut): number =>
          at(run.space.lifelines, own).events.filter((step) => step <= at(each, own)).length;
        expect({ number, name, count: counted(child, other, taken) }).toEqual({
          number,
          name,
          count: counted(parent, line, cut),
        });
      }
    }
  });
});
