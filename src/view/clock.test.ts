import fc from "fast-check";
import { expect, test } from "vitest";
import { EventNumber, type EventType } from "../protocol/events.ts";
import { Draft, EventLog } from "../protocol/log.ts";
import { INSTANT_MAX, PresentationClock } from "./clock.ts";
import { graphs, timing } from "./testing/graphs.ts";

interface Line {
  readonly clock: number;
  readonly type: EventType;
  readonly fields?: readonly number[];
}

function append(log: EventLog, lines: readonly Line[]): EventLog {
  const draft = new Draft();
  for (const { clock, type, fields = [0, 0, 0] } of lines) {
    draft.clock = clock;
    draft.type = EventNumber[type];
    draft.fieldCount = fields.length;
    fields.forEach((field, index) => (draft.fields[index] = field));
    log.append(draft);
  }
  return log;
}

function clockOf(lines: readonly Line[], foldIdle = true): PresentationClock {
  const clock = new PresentationClock(graphs.orders, timing, { foldIdle });
  clock.extend(append(new EventLog(), lines));
  return clock;
}

const types = [
  "RecordSent",
  "RecordReceived",
  "BarrierEmitted",
  "CheckpointTriggered",
  "SnapshotTaken",
  "TaskStateChanged",
  "TransactionBegun",
] as const;
const lines = fc
  .array(fc.record({ wait: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(5000)), type: fc.constantFrom(...types) }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((entries) => {
    let clock = 0;
    return entries.map(({ wait, type }): Line => ({ clock: (clock += wait), type }));
  });

test("every step has its own place, in order", () => {
  fc.assert(
    fc.property(lines, fc.boolean(), (log, fold) => {
      const clock = clockOf(log, fold);
      for (let step = 1; step < log.length; step++)
        expect(clock.presentationOf(step)).toBeGreaterThan(clock.presentationOf(step - 1));
      expect(clock.total).toBeGreaterThan(clock.presentationOf(log.length - 1));
    }),
  );
});

test("presentation time and back gives the same step, and the step's own time", () => {
  fc.assert(
    fc.property(lines, fc.boolean(), (log, fold) => {
      const clock = clockOf(log, fold);
      log.forEach((entry, step) => {
        expect(clock.momentAt(clock.presentationOf(step))).toEqual({ step, clock: entry.clock });
        expect(clock.stepAt(clock.presentationOf(step))).toBe(step);
      });
    }),
  );
});

test("simulated time never runs backwards and never past the next entry", () => {
  fc.assert(
    fc.property(
      lines,
      fc.boolean(),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 }),
      (log, fold, places) => {
        const clock = clockOf(log, fold);
        const moments = places.toSorted((a, b) => a - b).map((place) => clock.momentAt(place * clock.total));
        moments.forEach((moment, index) => {
          const next = log[moment.step + 1];
          if (next !== undefined) expect(moment.clock).toBeLessThanOrEqual(next.clock + 1e-6);
          const before = moments[index - 1];
          if (before !== undefined) expect(moment.clock).toBeGreaterThanOrEqual(before.clock - 1e-6);
        });
      },
    ),
  );
});

test("simulated time to presentation and back gives the same time", () => {
  fc.assert(
    fc.property(lines, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), (log, fold, place) => {
      const clock = clockOf(log, fold);
      const time = log[0]!.clock + place * (log[log.length - 1]!.clock - log[0]!.clock);
      expect(clock.momentAt(clock.presentationAtClock(time)).clock).toBeCloseTo(time, 4);
    }),
  );
});

test("a clock that grows with the log, fitted in between, equals one made at its end", () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.boolean(), (all, cut, fold) => {
      const log = new EventLog();
      const clock = new PresentationClock(graphs.orders, timing, { foldIdle: fold });
      clock.extend(append(log, all.slice(0, 1 + (cut % all.length))));
      clock.fit();
      clock.extend(append(log, all.slice(1 + (cut % all.length))));
      const whole = clockOf(all, fold);
      expect(all.map((_, step) => clock.presentationOf(step))).toEqual(
        all.map((_, step) => whole.presentationOf(step)),
      );
      expect(clock.folds).toEqual(whole.folds);
      expect(clock.total).toBe(whole.total);
    }),
  );
});

test("a barrier travels at ten screen milliseconds a simulated one", () => {
  const clock = clockOf([
    { clock: 0, type: "BarrierEmitted" },
    { clock: 60, type: "BarrierReceived", fields: [2, 0, 1, 1] },
  ]);
  expect(clock.presentationOf(1)).toBe(600);
  expect(clock.momentAt(300)).toEqual({ step: 0, clock: 30 });
});

test("a barrier that the model moves in two milliseconds is slowed until it can be followed", () => {
  const graph = { ...graphs.orders, edges: graphs.orders.edges.map((edge) => ({ ...edge, latency: 2 })) };
  const clock = new PresentationClock(graph, timing);
  clock.extend(
    append(new EventLog(), [
      { clock: 0, type: "BarrierEmitted" },
      { clock: 2, type: "BarrierReceived", fields: [2, 0, 1, 1] },
    ]),
  );
  expect(clock.presentationOf(1)).toBe(480);
  expect(clock.momentAt(240).clock).toBeCloseTo(1, 9);
});

test("while a record and a barrier move, the slower of them sets the pace", () => {
  const clock = clockOf([
    { clock: 0, type: "SnapshotTaken" },
    { clock: 0, type: "BarrierEmitted" },
    { clock: 60, type: "BarrierReceived", fields: [2, 0, 1, 1] },
    { clock: 300, type: "SnapshotPersisted" },
  ]);
  const began = clock.presentationOf(1);
  expect(clock.presentationOf(2) - began).toBeCloseTo(600, 6);
  expect(clock.presentationOf(3) - clock.presentationOf(2)).toBeCloseTo(240 * 4, 6);
});

test("an idle span folds to 400 ms and says how long it is", () => {
  const clock = clockOf([
    { clock: 0, type: "RecordProcessed" },
    { clock: 3000, type: "RecordProcessed" },
  ]);
  expect(clock.presentationOf(1)).toBe(400);
  expect(clock.folds).toEqual([{ simulated: 3000, from: 0, to: 400 }]);
  expect(clock.foldAt(200)?.simulated).toBe(3000);
  expect(clock.foldAt(401)).toBeNull();
  expect(
    clockOf(
      [
        { clock: 0, type: "RecordProcessed" },
        { clock: 3000, type: "RecordProcessed" },
      ],
      false,
    ).presentationOf(1),
  ).toBe(30_000);
});

test("writing out a snapshot takes at most 1.2 s of screen time where nothing else moves", () => {
  const clock = clockOf([
    { clock: 0, type: "SnapshotTaken" },
    { clock: 300, type: "SnapshotPersisted" },
  ]);
  expect(clock.presentationOf(1)).toBe(1200);
});

test("entries of one instant are staged within 260 ms in all", () => {
  const many = Array.from({ length: 40 }, (): Line => ({ clock: 5, type: "TaskStateChanged" }));
  const clock = clockOf(many);
  expect(clock.presentationOf(39)).toBeCloseTo(INSTANT_MAX, 6);
  const records = Array.from({ length: 4 }, (): Line => ({ clock: 5, type: "RecordProcessed" }));
  expect(clockOf(records).presentationOf(3)).toBe(3);
});
