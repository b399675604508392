import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { randomScenario } from "../engine/testing/random-scenario.ts";
import { libraryScenario } from "../engine/testing/runs.ts";
import { eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { concernedBy } from "./entry-elements.ts";
import { independentAfter } from "./independent.ts";

/** All that came of an entry, by following causes from it on. */
function following(log: EventLog, step: number): Set<number> {
  const found = new Set([step]);
  for (let each = step + 1; each < log.length; each++) if (found.has(log.cause(each))) found.add(each);
  return found;
}

test("what could change places with an event comes behind it, has to do with the same, and does not come of it", () => {
  let pairs = 0;
  for (let number = 0; number < 6; number++) {
    const { log } = runScenario(randomScenario(number));
    for (let step = 0; step < log.length; step += 7) {
      const other = independentAfter(log, step, log.length);
      if (other === null) continue;
      pairs++;
      expect(other).toBeGreaterThan(step);
      expect(following(log, step).has(other)).toBe(false);
      const [mine, its] = [concernedBy(log, step), concernedBy(log, other)].map((all) =>
        all.map(({ kind, id }) => `${kind} ${id}`),
      );
      const shared = mine!.filter((each) => its!.includes(each));
      expect(shared.length).toBeGreaterThan(0);
      expect(shared.filter((each) => each.startsWith("subtask"))).not.toContain(mine![0]);
    }
  }
  expect(pairs).toBeGreaterThan(50);
});

test("a barrier that reaches one task could come behind the same checkpoint's barrier at another; behind the end of a span there is none", () => {
  const { log } = runScenario(libraryScenario("orders"));
  const typeOf = (step: number): string => at(eventTypes, log.type(step));
  const received = Array.from({ length: log.length }, (_, step) => step).filter(
    (step) => typeOf(step) === "BarrierReceived",
  );
  const first = at(received, 0);
  const other = independentAfter(log, first, log.length);
  expect(other).not.toBeNull();
  expect(independentAfter(log, first, other ?? 0)).toBeNull();
  expect(log.field(other ?? 0, 0)).not.toBe(log.field(first, 0));
});
