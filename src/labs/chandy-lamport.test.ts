/** The snapshot of Chandy and Lamport, rule by rule (`checkpointing.md` 16.1). */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { type Lab, type Step, begin, possible, runToEnd, take } from "./chandy-lamport.ts";
import { inconsistencies, moneyIn, recordedState } from "./global-state.ts";
import { consistentState, passedThrough } from "./testing/consistent.ts";
import { ALL_THREE, system } from "./testing/graphs.ts";

const [P, Q, R] = [0, 1, 2];
const channels = ALL_THREE.split(" ");
const on = (pair: string, place = 0): Step => ({ do: "receive", channel: channels.indexOf(pair), place });
const send = (process: number): Step => ({ do: "send", process });
const initiate = (process: number): Step => ({ do: "initiate", process });
const play = (lab: Lab, ...steps: readonly Step[]): Lab => steps.reduce(take, lab);
const queue = (lab: Lab, pair: string): string =>
  at(lab.channels, channels.indexOf(pair))
    .queue.map((item) => item?.amount ?? "marker")
    .join(" ");
const recorded = (lab: Lab, pair: string): number[] =>
  at(lab.channels, channels.indexOf(pair)).recorded.map(({ amount }) => amount);
const recording = (lab: Lab): string[] => channels.filter((_, channel) => at(lab.channels, channel).recording);
const states = (lab: Lab): string[] => lab.processes.map(({ state }) => state);

describe("the rules", () => {
  test("CP-230: the initiator records its own state, sends a marker on each outgoing channel before any further message, and goes on working", () => {
    const lab = play(begin(system(ALL_THREE, ["P>Q 5", "P>Q 7", "Q>P 20"])), send(Q), send(P), initiate(P));
    expect(at(lab.processes, P)).toMatchObject({ state: "RECORDED", recorded: 95 });
    expect([queue(lab, "P>Q"), queue(lab, "P>R")]).toEqual(["5 marker", "marker"]);
    expect(recording(lab)).toEqual(["Q>P", "R>P"]);
    const later = play(lab, send(P), on("Q>P"));
    expect(queue(later, "P>Q")).toBe("5 marker 7");
    expect(at(later.processes, P)).toMatchObject({ recorded: 95, money: 95 - 7 + 20 });
  });

  test("CP-231: the first marker makes a process record its state now, its channel as empty and all others from then on, and send markers on", () => {
    const lab = play(
      begin(system(ALL_THREE, ["P>Q 5", "R>Q 10"])),
      send(P),
      send(R),
      initiate(P),
      on("P>Q"),
      on("P>Q"),
    );
    expect(at(lab.processes, Q)).toMatchObject({ state: "RECORDED", recorded: 105 });
    expect(recorded(lab, "P>Q")).toEqual([]);
    expect(recording(lab)).toEqual(["Q>P", "R>P", "R>Q"]);
    expect([queue(lab, "Q>P"), queue(lab, "Q>R")]).toEqual(["marker", "marker"]);
  });

  test("CP-231: a later marker ends the recording of its channel: its state is what came since, in order", () => {
    const lab = play(
      begin(system(ALL_THREE, ["R>Q 10", "R>Q 11", "R>Q 12"])),
      send(R),
      initiate(P),
      on("P>Q"),
      send(R),
      on("R>Q"),
      on("R>Q"),
      on("P>R"),
      send(R),
    );
    expect(queue(lab, "R>Q")).toBe("marker 12");
    const closed = play(lab, on("R>Q"), on("R>Q"));
    expect(recorded(closed, "R>Q")).toEqual([10, 11]);
    expect(at(closed.processes, Q)).toMatchObject({ state: "COMPLETE", recorded: 100, money: 133 });
  });

  test("CP-232: a process is done with a marker on every incoming channel, the snapshot when all are", () => {
    const lab = play(begin(system(ALL_THREE, [])), initiate(P), on("P>Q"), on("P>R"), on("Q>P"), on("R>P"), on("Q>R"));
    expect(states(lab)).toEqual(["COMPLETE", "RECORDED", "COMPLETE"]);
    expect(recordedState(lab)).toBeNull();
    const all = play(lab, on("R>Q"));
    expect(recordedState(all)).toEqual({ money: [100, 100, 100], channels: channels.map(() => []) });
    expect(possible(all)).toEqual([]);
  });

  test("CP-232: a process that no marker can reach is never done", () => {
    const lab = runToEnd(system("P>Q R>Q", ["R>Q 1"]), 1);
    expect(states(lab)).toEqual(["COMPLETE", "RECORDED", "IDLE"]);
    expect(recordedState(lab)).toBeNull();
  });

  test("CP-230, CP-231: several may initiate; a marker that comes to one that has recorded its state only closes its channel", () => {
    const lab = play(begin(system("P>Q Q>P", ["P>Q 3"], { initiators: [P, Q] })), initiate(P), initiate(Q));
    expect(possible(lab).map(({ do: what }) => what)).toEqual(["send", "receive", "receive"]);
    const end = play(lab, { do: "receive", channel: 0, place: 0 }, { do: "receive", channel: 1, place: 0 });
    expect(recordedState(end)).toEqual({ money: [100, 100], channels: [[], []] });
  });

  test("the same seed gives the same run", () => {
    const setup = system(ALL_THREE, ["P>Q 5", "Q>R 7", "R>P 9"]);
    expect(runToEnd(setup, 3)).toEqual(runToEnd(setup, 3));
    expect(runToEnd(setup, 4).history).not.toEqual(runToEnd(setup, 3).history);
  });

  test("a channel does not deliver out of turn, and nobody sends what it does not have", () => {
    const lab = play(begin(system("P>Q Q>P", ["P>Q 60", "P>Q 60"])), send(P));
    expect(possible(lab).map(({ do: what }) => what)).toEqual(["initiate", "receive"]);
    expect(() => take(lab, send(P))).toThrow("does not have");
    expect(() => play(lab, initiate(P), { do: "receive", channel: 0, place: 1 })).toThrow("first in first out");
  });
});

/** P, Q and R have 100 each. Q has sent 20 to P when P initiates; R sends 10 to Q before P's marker reaches it. */
const story: readonly Step[] = [
  send(Q),
  initiate(P),
  on("Q>P"),
  on("P>Q"),
  send(R),
  on("P>R"),
  on("R>Q"),
  on("R>Q"),
  on("Q>P"),
  on("R>P"),
  on("Q>R"),
];

describe("three processes with 100 each", () => {
  test("CP-231, CP-233: 100, 80 and 90, with 20 and 10 in two channels: the snapshot finds all 300", () => {
    const end = play(begin(system(ALL_THREE, ["Q>P 20", "R>Q 10"])), ...story);
    const state = recordedState(end);
    expect(state?.money).toEqual([100, 80, 90]);
    expect(channels.filter((pair) => recorded(end, pair).length > 0)).toEqual(["Q>P", "R>Q"]);
    expect([recorded(end, "Q>P"), recorded(end, "R>Q")]).toEqual([[20], [10]]);
    expect(state && moneyIn(state)).toBe(300);
  });

  test("CP-233: the recorded state need not be one that the system ever was in, though it could have been", () => {
    const setup = system("P>Q Q>P", ["P>Q 5", "Q>P 7"]);
    const [fromP, fromQ] = [
      { do: "receive", channel: 0, place: 0 },
      { do: "receive", channel: 1, place: 0 },
    ] as const;
    const end = play(begin(setup), initiate(P), send(P), send(Q), fromP, fromQ, fromQ, fromP);
    const state = consistentState(end);
    expect([state.money, at(end.channels, 1).recorded]).toMatchObject([[100, 93], [{ amount: 7 }]]);
    expect(passedThrough(end, state)).toBe(false);
    const quiet = play(begin(setup), send(P), send(Q), fromP, fromQ, initiate(P), fromP, fromQ);
    expect(passedThrough(quiet, consistentState(quiet))).toBe(true);
  });

  test("CP-233: where a marker overtakes a message it is lost, and the money of the snapshot is too little", () => {
    const lab = play(begin(system("P>Q Q>P", ["P>Q 20"], { fifo: false })), send(P), initiate(P));
    const [overtaken, back] = [
      { do: "receive", channel: 0, place: 1 },
      { do: "receive", channel: 1, place: 0 },
    ] as const;
    const end = play(lab, overtaken, back, { do: "receive", channel: 0, place: 0 });
    expect(inconsistencies(end)).toMatchObject({ lost: [{ amount: 20 }], orphans: [] });
    const state = recordedState(end);
    expect(state && moneyIn(state)).toBe(180);
  });

  test("CP-233: where a message overtakes a marker it is an orphan, received inside the cut and sent outside of it", () => {
    const lab = play(begin(system("P>Q Q>P", ["P>Q 20"], { fifo: false })), initiate(P), send(P));
    const [overtaking, marker, back] = [
      { do: "receive", channel: 0, place: 1 },
      { do: "receive", channel: 0, place: 0 },
      { do: "receive", channel: 1, place: 0 },
    ] as const;
    const end = play(lab, overtaking, marker, back);
    expect(inconsistencies(end)).toMatchObject({ lost: [], orphans: [{ amount: 20 }] });
    const state = recordedState(end);
    expect(state && moneyIn(state)).toBe(220);
  });

  test("CP-230: a message between an initiator's record and its markers is an orphan, one between its markers and its record is lost", () => {
    const start = begin(system("P>Q Q>P", ["P>Q 20"], { atomic: false }));
    const [record, mark] = [
      { do: "record", process: P },
      { do: "mark", process: P },
    ] as const;
    const rest: Step[] = [0, 0, 1].map((channel) => ({ do: "receive", channel, place: 0 }));
    const outcome = (...steps: Step[]): unknown[] => {
      const end = play(start, ...steps, ...rest);
      const { lost, orphans } = inconsistencies(end);
      const state = recordedState(end);
      return [lost.length, orphans.length, state && moneyIn(state)];
    };
    expect(outcome(record, send(P), mark)).toEqual([0, 1, 220]);
    expect(outcome(mark, send(P), record)).toEqual([1, 0, 180]);
    expect(outcome(record, mark, send(P))).toEqual([0, 0, 200]);
  });
});
