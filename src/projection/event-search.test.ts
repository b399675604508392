import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { EventNumber, eventTypes, events } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { library } from "../scenario/library.ts";
import { Effects } from "./causes.ts";
import { elementsOf, entryElementKinds, isAbout } from "./entry-elements.ts";
import { eventFamilies, eventFamilyNames } from "./event-families.ts";
import { type EventQuery, EventSearch } from "./event-search.ts";
import { shared } from "./shared.ts";
import { Jobs } from "./submitted-job.ts";

const scenario = withFaults("order-totals", [
  { at: { after: "CheckpointCompleted", checkpoint: 2 }, do: "fail-task", target: "out[0]" },
]);
const { graph, log } = runScenario(scenario);
const all = shared(scenario, graph);
const jobs = new Jobs(all);
jobs.extend(log);
const says = (step: number): string => `entry ${step} of ${at(eventTypes, log.type(step))}`.toLowerCase();
const whole: EventQuery = { types: [], elements: [], checkpoints: [], causedBy: null, compares: null, words: [] };

function found(query: Partial<EventQuery>, budget = Infinity): readonly number[] {
  const met: number[] = [];
  const search = new EventSearch({ ...whole, ...query }, jobs, says, (step) => met.push(step));
  while (!search.advance(log, budget));
  return met;
}

const steps = (holds: (step: number) => boolean, of: EventLog = log): number[] =>
  Array.from({ length: of.length }, (_, step) => step).filter(holds);

describe("a search", () => {
  test("without a filter finds every entry, however small the pieces are", () => {
    expect(found({})).toEqual(steps(() => true));
    expect(found({}, 7)).toEqual(found({}));
  });

  test("by kind, checkpoint and element finds what meets all of them", () => {
    const subtask = graph.subtasks.findIndex(({ name }) => name === "out[0]");
    const query: Partial<EventQuery> = {
      types: eventFamilies.checkpoints,
      checkpoints: [2, 3],
      elements: [() => ({ kind: "subtask", id: subtask })],
    };
    const expected = steps((step) => {
      const about = elementsOf(graph, log, step);
      return (
        eventFamilies.checkpoints.includes(at(eventTypes, log.type(step))) &&
        about.some(({ kind, id }) => kind === "checkpoint" && (id === 2 || id === 3)) &&
        about.some(({ kind, id }) => kind === "subtask" && id === subtask)
      );
    });
    expect(expected.length).toBeGreaterThan(10);
    expect(found(query)).toEqual(expected);
    expect(found(query, 3)).toEqual(expected);
  });

  test("by words asks the sentence only where the kind does not have them, and needs every word", () => {
    const asked: number[] = [];
    const met: number[] = [];
    const asking = (step: number): string => {
      asked.push(step);
      return says(step);
    };
    const search = new EventSearch({ ...whole, words: ["barrieremitted"] }, jobs, asking, (step) => met.push(step));
    while (!search.advance(log, 50));
    expect(met).toEqual(steps((step) => log.type(step) === EventNumber.BarrierEmitted));
    expect(asked.some((step) => log.type(step) === EventNumber.BarrierEmitted)).toBe(false);
    expect(found({ words: ["entry 100 ", "of"] })).toEqual([100]);
    expect(found({ words: ["entry 100 ", "nothing says this"] })).toEqual([]);
  });

  test("an element that the job does not have meets nothing", () => {
    expect(found({ elements: [() => null] })).toEqual([]);
  });

  test("by cause finds the entries that an entry brought about, as `Effects` has them", () => {
    const effects = new Effects(log);
    for (let step = 0; step < log.length; step++)
      expect(effects.of(step)).toEqual(steps((entry) => log.cause(entry) === step));
    expect(found({ causedBy: 0 })).toEqual(effects.of(0));
  });
});

test("`isAbout` says the same as `elementsOf`, in every library run", () => {
  for (const { id } of library) {
    const run = runScenario(libraryScenario(id));
    const most = Math.max(run.graph.channels.length, run.graph.subtasks.length, 8);
    for (let step = 0; step < run.log.length; step += 13) {
      const about = elementsOf(run.graph, run.log, step).map((element) => `${element.kind} ${element.id}`);
      for (const kind of entryElementKinds) {
        for (let number = 0; number < most; number += 1 + (step % 5)) {
          const said = isAbout(run.graph, run.log, step, { kind, id: number });
          expect([step, kind, number, said]).toEqual([step, kind, number, about.includes(`${kind} ${number}`)]);
        }
      }
    }
  }
});

test("every kind of entry is in a family", () => {
  const inFamilies = new Set(eventFamilyNames.flatMap((name) => eventFamilies[name]));
  expect(Object.keys(events).filter((type) => !inFamilies.has(type as keyof typeof events))).toEqual([]);
});
