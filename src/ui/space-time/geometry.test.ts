/** Messages of the space–time picture that leave its window, and lines that snap. */
import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { libraryScenario } from "../../engine/testing/runs.ts";
import { SpaceTime } from "../../projection/space-time.ts";
import { placesOf } from "./places.ts";
import { type Frame, MARGIN, along, messagesIn, pointOf, strokeOf, within } from "./geometry.ts";
import { snap } from "./gestures.ts";

const frame = (vertical: boolean): Frame => ({
  width: 800,
  height: 400,
  vertical,
  lines: 5,
  stretch: { from: 100, to: 200 },
});

test("a message within the window is drawn from its sending to its receipt", () => {
  expect(strokeOf(frame(false), [120, 0], [140, 3])).toEqual({
    from: pointOf(frame(false), 120, 0),
    to: pointOf(frame(false), 140, 3),
    enters: false,
    leaves: false,
  });
});

for (const vertical of [false, true]) {
  const way = vertical ? "down" : "right";
  const shown = frame(vertical);
  const [begin, end] = vertical ? [MARGIN.top, shown.height - MARGIN.end] : [MARGIN.names, shown.width - MARGIN.end];
  const at = (point: readonly [number, number]): number => point[vertical ? 1 : 0];
  const slope = (from: readonly [number, number], to: readonly [number, number]): number =>
    (to[1] - from[1]) / (to[0] - from[0]);

  test(`where time goes ${way} a message that is received later leaves at the edge, in its direction`, () => {
    const stroke = strokeOf(shown, [150, 1], [300, 4]);
    expect(stroke).toMatchObject({ enters: false, leaves: true });
    expect(at(stroke?.to ?? [0, 0])).toBeCloseTo(end);
    expect(slope(stroke?.from ?? [0, 0], stroke?.to ?? [0, 0])).toBeCloseTo(
      slope(pointOf(shown, 150, 1), pointOf(shown, 300, 4)),
    );
  });

  test(`where time goes ${way} a message that was sent earlier enters at the edge; one on its way all through crosses`, () => {
    const enters = strokeOf(shown, [20, 4], [150, 0]);
    expect(enters).toMatchObject({ enters: true, leaves: false, to: pointOf(shown, 150, 0) });
    expect(at(enters?.from ?? [0, 0])).toBeCloseTo(begin);
    const crosses = strokeOf(shown, [20, 4], [900, 0]);
    expect(crosses).toMatchObject({ enters: true, leaves: true });
    expect([at(crosses?.from ?? [0, 0]), at(crosses?.to ?? [0, 0])].map(Math.round)).toEqual([begin, end]);
  });
}

test("a message outside the window is not drawn", () => {
  expect(strokeOf(frame(false), [10, 0], [90, 1])).toBeNull();
  expect(strokeOf(frame(false), [210, 0], [290, 1])).toBeNull();
});

test("along time entries of one instant lie one behind the other within it; in order, each behind its cause", () => {
  const { graph, log } = runScenario(libraryScenario("order-totals"));
  const space = new SpaceTime(log, () => graph).extend();
  const [time, order] = [placesOf(space, log, "time"), placesOf(space, log, "order")];
  for (let step = 1; step < log.length; step++) {
    expect(time.at(step)).toBeGreaterThan(time.at(step - 1));
    expect(Math.floor(time.at(step))).toBe(log.clock(step));
    expect(order.at(step)).toBeGreaterThan(log.cause(step) < 0 ? -1 : order.at(log.cause(step)));
    expect(order.at(step)).toBeLessThanOrEqual(order.end);
  }
  expect(time.end).toBe(time.at(log.length - 1));
  expect([time.at(log.length), order.at(log.length)]).toEqual([0, 0]);
});

test("every message that has to do with a window is found, of whatever kind, and once", () => {
  const { graph, log } = runScenario(libraryScenario("order-totals"));
  const space = new SpaceTime(log, () => graph).extend();
  const places = placesOf(space, log, "time");
  const kinds = new Set<string>();
  for (const stretch of [
    { from: 1000, to: 1010 },
    { from: 2003.5, to: 2004 },
    { from: 0, to: 90_000 },
  ]) {
    const seen = space.lifelines.map(({ events }) => within(events, places, stretch));
    const expected = Array.from({ length: log.length }, (_, step) => step).filter((step) => {
      const sender = space.senderOf(step);
      if (sender < 0) return false;
      const [sent, received] = [places.at(sender), places.at(step)];
      return received >= stretch.from && sent < stretch.to;
    });
    const found = [...messagesIn(space, places, stretch, seen)].toSorted((a, b) => a - b);
    expect(found).toEqual(expected);
    for (const step of found) kinds.add(space.messageKind(step));
  }
  expect([...kinds].toSorted()).toEqual(["barrier", "commit", "record", "rpc"]);
});

test("X-03: a line that is drawn within 12 px of a checkpoint's cut is drawn along it", () => {
  const places = { length: 300, end: 299, at: (step: number) => step };
  const view = { frame: frame(false), places, barriers: [{ id: 1, cut: [150, 160, -1, 150, 150] }] };
  const pixel = along(view.frame, 160);
  expect([11, -11, 13].map((off) => snap(view, 1, pixel + off))).toEqual([160, 160, null]);
  expect(snap(view, 2, pixel)).toBeNull();
});
