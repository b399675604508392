/** Systems drawn at random: strongly connected graphs, transfers, initiators and interleavings. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Setup, begin, runToEnd } from "./chandy-lamport.ts";
import { inconsistencies, moneyIn, presentState, recordedState } from "./global-state.ts";
import { consistentState } from "./testing/consistent.ts";

const numRuns = process.env["BARRIERSCOPE_LONG"] === "1" ? 5000 : 300;

/** A ring of all processes, so that each reaches each, and any channels beside it. */
const systems: fc.Arbitrary<Setup> = fc.integer({ min: 2, max: 6 }).chain((size) => {
  const process = fc.integer({ min: 0, max: size - 1 });
  return fc
    .record({
      more: fc.array(fc.record({ from: process, to: process }), { maxLength: 8 }),
      transfers: fc.array(fc.record({ channel: fc.nat(100), amount: fc.integer({ min: 1, max: 120 }) }), {
        maxLength: 16,
      }),
      initiators: fc.uniqueArray(process, { minLength: 1, maxLength: size }),
    })
    .map(({ more, transfers, initiators }) => {
      const ring = Array.from({ length: size }, (_, from) => ({ from, to: (from + 1) % size }));
      const channels = [...ring, ...more.filter(({ from, to }) => from !== to)];
      const placed = transfers.map(({ channel, amount }) => ({ channel: channel % channels.length, amount }));
      return {
        processes: Array.from({ length: size }, (_, index) => ({
          name: `P${index}`,
          money: 100,
          transfers: placed.filter(({ channel }) => channels[channel]?.from === index),
        })),
        channels,
        initiators,
        fifo: true,
        atomic: true,
      };
    });
});

test("CP-230, CP-232, CP-233: whatever the graph, who initiates and how steps interleave, the snapshot ends and is a consistent cut", () => {
  fc.assert(
    fc.property(systems, fc.nat(1_000_000), (setup, seed) => {
      const state = consistentState(runToEnd(setup, seed));
      expect(moneyIn(state)).toBe(moneyIn(presentState(begin(setup))));
    }),
    { seed: 23, numRuns },
  );
});

test("CP-233: without FIFO the snapshot ends too, and its money is off by what is lost and by what is an orphan", () => {
  const seen = { lost: 0, orphans: 0 };
  fc.assert(
    fc.property(systems, fc.nat(1_000_000), (setup, seed) => {
      const lab = runToEnd({ ...setup, fifo: false }, seed);
      const { lost, orphans } = inconsistencies(lab);
      const off = [...orphans, ...lost.map((message) => ({ ...message, amount: -message.amount }))];
      const state = recordedState(lab);
      expect(state && moneyIn(state)).toBe(
        off.reduce((sum, { amount }) => sum + amount, moneyIn(presentState(begin(setup)))),
      );
      seen.lost += lost.length;
      seen.orphans += orphans.length;
    }),
    { seed: 23, numRuns },
  );
  expect(seen.lost).toBeGreaterThan(0);
  expect(seen.orphans).toBeGreaterThan(0);
});
