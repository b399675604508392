import { expect, test } from "vitest";
import { libraryScenario } from "../engine/testing/runs.ts";
import { runScenario } from "../engine/run.ts";
import type { Reply } from "./port.ts";
import { EngineSession } from "./session.ts";

/** A session whose slices are run by hand. */
function sessionOf(): { session: EngineSession; replies: Reply[]; work: () => void } {
  const replies: Reply[] = [];
  const waiting: (() => void)[] = [];
  const session = new EngineSession({
    reply: (reply) => replies.push(reply),
    later: (work) => waiting.push(work),
    now: () => performance.now(),
  });
  const work = (): void => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
  };
  return { session, replies, work };
}

/** Lets the session work until a run's end is told. */
const untilEnd = async ({ replies, work }: { replies: readonly Reply[]; work: () => void }): Promise<void> =>
  expect
    .poll(() => {
      work();
      return ends(replies);
    })
    .toHaveLength(1);

const ends = (replies: readonly Reply[]): Reply[] => replies.filter(({ type }) => type === "ended");

test("a run's report comes after its last entry, and is the one that the terminal gives", async () => {
  const scenario = libraryScenario("order-totals");
  const { session, replies, work } = sessionOf();
  session.handle({ type: "open", session: 1, scenario, checkInvariants: true });
  await untilEnd({ replies, work });
  const { report } = runScenario(scenario, { checkInvariants: true });
  expect(replies.at(-1)).toEqual({ type: "ended", session: 1, branch: 0, report });
  expect(new Set(replies.map(({ type }) => type))).toEqual(new Set(["opened", "appended", "ended"]));
});

test("the end of a run that has been left for another is not told", async () => {
  const { session, replies, work } = sessionOf();
  session.handle({ type: "open", session: 1, scenario: libraryScenario("order-totals"), checkInvariants: true });
  work();
  session.handle({ type: "open", session: 2, scenario: libraryScenario("linear"), checkInvariants: true });
  await untilEnd({ replies, work });
  expect(ends(replies)).toMatchObject([{ session: 2 }]);
});
