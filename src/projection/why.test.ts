/** Why something is as it is: told from what the log and the view say. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { EventNumber, type EventType, eventTypes } from "../protocol/events.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { Effects } from "./causes.ts";
import { concernedBy } from "./entry-elements.ts";
import { Explainer } from "./explain.ts";
import { initialView } from "./fold.ts";
import { Views } from "./keyframes.ts";
import { shared } from "./shared.ts";
import { type Wait, waitsOf } from "./waits.ts";
import { whyOf } from "./why.ts";

function ranAs(scenario: Scenario) {
  const { graph, log } = runScenario(scenario);
  const views = new Views(log, initialView(scenario, graph, scenario.faults));
  const explainer = new Explainer(shared(scenario, graph), log);
  const stepOf = (type: EventType, nth = 1): number => {
    let found = 0;
    for (let step = 0; step < log.length; step++)
      if (log.type(step) === EventNumber[type] && ++found === nth) return step;
    throw new Error(`there are not ${nth} of ${type}`);
  };
  return { graph, log, views, explainer, stepOf };
}

const typesOf = (run: ReturnType<typeof ranAs>, steps: readonly number[]): string[] =>
  steps.map((step) => at(eventTypes, run.log.type(step)));

const slow = ranAs(
  libraryScenario("order-totals", (source) => {
    const { vertices } = source["job"] as { vertices: { type: string; cost?: string }[] };
    for (const vertex of vertices) if (vertex.type === "kafka-sink") vertex.cost = "80 ms";
  }),
);

describe("what is waited for", () => {
  test("a pending checkpoint waits, link by link, for the slow one at the end of full channels", () => {
    let waits: readonly Wait[] = [];
    for (let step = slow.stepOf("ChannelBlocked"); waits.at(-1)?.says !== "slow"; step++) {
      const view = slow.views.viewAt(step);
      waits = waitsOf(view, { kind: "checkpoint", id: at(view.coordinator.pending, 0) });
    }
    expect(waits.map(({ says }) => says)).toMatchInlineSnapshot(`
      [
        "acks",
        "barrier",
        "not-sent",
        "barrier",
        "behind",
        "full",
        "slow",
      ]
    `);
    const [last] = waits.toReversed();
    expect(last).toMatchObject({ says: "slow", task: "out[0]", cost: 80 });
    expect(waits.find(({ says }) => says === "behind")).toMatchObject({ records: expect.any(Number) as number });
  });

  test("a blocked channel waits for the barriers of the others", () => {
    const step = slow.stepOf("ChannelBlocked");
    const view = slow.views.viewAt(step);
    const channel = concernedBy(slow.log, step).find(({ kind }) => kind === "channel") ?? { kind: "channel", id: -1 };
    expect(
      waitsOf(view, channel)
        .map(({ says }) => says)
        .slice(0, 2),
    ).toEqual(["blocked", "barrier"]);
    expect(whyOf(view, slow.log, channel).step).toBe(step);
  });

  test("a pre-committed transaction waits for its checkpoint", () => {
    const view = slow.views.viewAt(slow.stepOf("TransactionPreCommitted"));
    const transaction = view.transactions.find(({ state }) => state === "PRE_COMMITTED");
    expect(waitsOf(view, { kind: "transaction", id: transaction?.number ?? -1 })[0]).toMatchObject({
      says: "commit-waits",
      checkpoint: 1,
    });
  });

  test("what runs freely waits for nothing", () => {
    const free = ranAs(libraryScenario("order-totals"));
    const view = free.views.viewAt(free.stepOf("RecordReceived", 3) - 1);
    expect(waitsOf(view, { kind: "checkpoint", id: 1 })).toEqual([]);
  });
});

describe("causes and effects", () => {
  const failed = ranAs(
    withFaults("order-totals", [
      { at: { after: "CheckpointCompleted", checkpoint: 2 }, do: "fail-task", target: "out[0]" },
    ]),
  );

  test("a restart leads back to the fault, and no further", () => {
    const chain = failed.explainer.chain(failed.stepOf("RestartScheduled"));
    expect(typesOf(failed, chain)).toEqual(["RestartScheduled", "TaskFailed", "TaskStopped", "FaultInjected"]);
  });

  test("a record that is read again is, because its source went back; one that is read first is there to be read", () => {
    const again = failed.stepOf("SourceRewound");
    let step = again;
    while (failed.log.type(step) !== EventNumber.RecordEmitted) step++;
    const types = typesOf(failed, failed.explainer.chain(step));
    expect(types.slice(0, 2)).toEqual(["RecordEmitted", "SourceRewound"]);
    expect(types).toContain("RestartScheduled");
    expect(types.at(-1)).toBe("FaultInjected");
    expect(failed.explainer.chain(failed.stepOf("RecordEmitted"))).toHaveLength(1);
  });

  test("a periodic trigger is due to its interval alone", () => {
    const [only, ...others] = failed.explainer.why(failed.stepOf("CheckpointTriggered", 2));
    expect(only?.config?.option).toBe("execution.checkpointing.interval");
    expect(others).toEqual([]);
  });

  test("effects are the other way round of causes", () => {
    const effects = new Effects(failed.log);
    for (let step = 0; step < failed.log.length; step += 7)
      for (const effect of effects.of(step)) expect(failed.log.cause(effect)).toBe(step);
    let caused = 0;
    for (let step = 0; step < failed.log.length; step++) caused += effects.of(step).length;
    const withCause = Array.from({ length: failed.log.length }, (_, step) => failed.log.cause(step) >= 0);
    expect(caused).toBe(withCause.filter(Boolean).length);
  });

  test("what followed a fault is told nearest first, and no more than was asked for", () => {
    const effects = new Effects(failed.log);
    const following = effects.following(failed.stepOf("FaultInjected"), 40);
    expect(following).toHaveLength(40);
    expect(typesOf(failed, following).slice(0, 1)).toEqual(["TransactionAborted"]);
  });
});
