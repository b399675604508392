import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { atTime, lane, small } from "../engine/testing/stories.ts";
import { applyEntry, initialView } from "./fold.ts";
import { fencingToken } from "./fencing.ts";

/** The tokens of a run in which the JobManager is killed twice, as they change. */
function tokens(highAvailability: string): (string | null)[] {
  const scenario = small({
    ...lane(1),
    config: { "high-availability.type": highAvailability },
    faults: [atTime(700, "kill-jobmanager"), atTime(20_000, "kill-jobmanager")],
    until: { time: "40 s" },
  });
  const { log, graph } = runScenario(scenario);
  const view = initialView(scenario, graph);
  const seen = [fencingToken(view)];
  for (let step = 0; step < log.length; step++) {
    applyEntry(view, log, step);
    if (fencingToken(view) !== seen.at(-1)) seen.push(fencingToken(view));
  }
  return seen;
}

test("FR-104: each leader has a token of its own, and between two there is none", () => {
  const [first, second, third] = [1, 2, 3].map((leader) => String(leader).padStart(32, "0"));
  expect(tokens("zookeeper")).toEqual([first, null, second, null, third]);
});

test("FR-105: without high availability the token is all zero, and gone with the JobManager", () => {
  expect(tokens("NONE")).toEqual(["0".repeat(32), null]);
});
