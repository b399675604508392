/** All runs of small systems to their end: what CP-233 says holds in every one, and not without FIFO. */
import { describe, expect, test } from "vitest";
import { chandyLamportProcess } from "../protocol/machines/chandy-lamport.ts";
import { edgesOf } from "../protocol/machine.ts";
import { at } from "../base/assert.ts";
import { type Setup, begin, possible, take } from "./chandy-lamport.ts";
import { inconsistencies, moneyIn, presentState, recordedState } from "./global-state.ts";
import { consistentState } from "./testing/consistent.ts";
import { ALL_THREE, everyRun, system } from "./testing/graphs.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";

const both = ["P>Q 5", "P>Q 7", "Q>P 11", "Q>P 13"];
const cases: readonly { readonly title: string; readonly setup: Setup }[] = [
  { title: "two processes", setup: system("P>Q Q>P", both) },
  { title: "two processes that both initiate", setup: system("P>Q Q>P", both, { initiators: [0, 1] }) },
  { title: "two channels in one direction", setup: system("P>Q P>Q Q>P", both) },
  {
    title: "a process that can send only what it has received",
    setup: system("P>Q Q>P", ["P>Q 90", "Q>P 150", "P>Q 30"]),
  },
  { title: "a ring of three", setup: system("P>Q Q>R R>P", ["P>Q 5", "Q>R 7", "R>P 9", "Q>R 11"]) },
  {
    title: "a ring of three, all of which may initiate",
    setup: system("P>Q Q>R R>P", ["P>Q 5", "Q>R 7", "R>P 9"], { initiators: [0, 1, 2] }),
  },
  {
    title: "three processes, each joined to each",
    setup: system(ALL_THREE, ["Q>P 20", "R>Q 10", "P>R 5", ...(long ? ["P>Q 1"] : [])]),
  },
];

describe("in every run", () => {
  for (const { title, setup } of cases)
    test(`CP-232, CP-233: ${title}: it ends with a consistent cut, that a reordering of the run passes through`, () => {
      const start = moneyIn(presentState(begin(setup)));
      const runs = everyRun(setup, (lab) => expect(moneyIn(consistentState(lab))).toBe(start));
      console.log(`${title}: ${runs} runs`);
      expect(runs).toBeGreaterThan(5);
    });

  const broken = (more: Partial<Setup>): { lost: number; orphans: number; fine: number } => {
    const found = { lost: 0, orphans: 0, fine: 0 };
    const setup = system("P>Q Q>P", both, more);
    everyRun(setup, (lab) => {
      const { lost, orphans } = inconsistencies(lab);
      const [state, sum] = [
        recordedState(lab),
        (all: typeof lost) => all.reduce((total, { amount }) => total + amount, 0),
      ];
      expect(state && moneyIn(state)).toBe(200 - sum(lost) + sum(orphans));
      found[lost.length > 0 ? "lost" : orphans.length > 0 ? "orphans" : "fine"]++;
    });
    return found;
  };

  test("CP-233: without FIFO it still ends, but messages are lost or orphans: the money is off by exactly these", () => {
    const found = broken({ fifo: false });
    expect(found.lost).toBeGreaterThan(0);
    expect(found.orphans).toBeGreaterThan(0);
    expect(found.fine).toBeGreaterThan(0);
  });

  test("CP-230: so it is where recording and markers are not one step", () => {
    const found = broken({ atomic: false });
    expect(found.lost).toBeGreaterThan(0);
    expect(found.orphans).toBeGreaterThan(0);
  });
});

test("CP-230, CP-231, CP-232: runs take every edge of a process's table", () => {
  const taken = new Set<string>();
  for (const channels of ["P>Q", "P>Q Q>P", ALL_THREE]) {
    let lab = begin(system(channels, []));
    for (let [step] = possible(lab); step !== undefined; [step] = possible(lab)) {
      const next = take(lab, step);
      const process = at(next.history, lab.history.length).process;
      const [from, to] = [at(lab.processes, process).state, at(next.processes, process).state];
      taken.add(`${from} ${step.do === "initiate" ? "initiate" : "marker"} ${to}`);
      lab = next;
    }
  }
  expect([...taken].toSorted()).toEqual(
    edgesOf(chandyLamportProcess)
      .map(({ from, event, to }) => `${from} ${event} ${to}`)
      .toSorted(),
  );
});
