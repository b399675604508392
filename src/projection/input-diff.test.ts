import { describe, expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { Timeline } from "../engine/timeline.ts";
import { command, libraryScenario } from "../engine/testing/runs.ts";
import { EventNumber, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { type ScenarioSource, checkpointingModes, slowSink, variantSource } from "../scenario/comparison.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import { type GivenSide, type InputDifference, inputDiff } from "./input-diff.ts";
import { ownSteps, runDiff } from "./run-diff.ts";

const ck = "execution.checkpointing";

/** The example's job with these options and faults more. */
function given(config: object, faults: readonly object[] = [], more: object = {}): GivenSide {
  const source: ScenarioSource = {
    ...slowSink.source,
    config: { ...(slowSink.source["config"] as object), ...config },
    faults,
    ...more,
  };
  const read = scenarioFrom(source);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { log } = runScenario(read.value);
  return { log, scenario: read.value, source, commands: read.value.faults };
}

const between = (a: GivenSide, b: GivenSide): readonly InputDifference[] => inputDiff(a, b, runDiff(a, b));

/** `RestartScheduled in b, of FaultInjected`. */
function told({ effect }: InputDifference, a: GivenSide, b: GivenSide): string {
  if (effect === null) return "nothing";
  const { log } = effect.side === "a" ? a : b;
  const type = (step: number): string => eventTypes[log.type(step)] ?? "";
  return `${type(effect.step)} in ${effect.side}, of ${effect.cause < 0 ? "nothing" : type(effect.cause)}`;
}

const fail = (time: string, target = "count[0]"): object => ({ at: { time }, do: "fail-task", target });

describe("X-05: what two runs were given that is not the same", () => {
  test("options with both values, and the first entry that each decides", () => {
    const a = given({});
    const b = given({ [`${ck}.unaligned.enabled`]: true, [`${ck}.tolerable-failed-checkpoints`]: 3 });
    const all = between(a, b);
    expect(all.map(({ kind }) => kind)).toEqual(["option", "option"]);
    const [tolerable, unaligned] = all;
    expect(tolerable).toMatchObject({ key: `${ck}.tolerable-failed-checkpoints`, b: "3", effect: null });
    expect(unaligned).toMatchObject({ key: `${ck}.unaligned.enabled`, a: "false", b: "true" });
    expect(told(unaligned!, a, b)).toBe("UnalignedSnapshotStarted in b, of CheckpointTriggered");
  });

  test("an older spelling, and a default that is written out, are no difference", () => {
    const a = given({ [`${ck}.unaligned`]: true });
    const b = given({ [`${ck}.unaligned.enabled`]: true, [`${ck}.timeout`]: "10 min" });
    expect(between(a, b)).toEqual([]);
  });

  test("a time that an option gives hangs on nothing: the entry has no cause", () => {
    const a = given({ [`${ck}.interval`]: "1 s" });
    const b = given({ [`${ck}.interval`]: "700 ms" });
    const [interval] = between(a, b);
    expect(told(interval!, a, b)).toMatch(/^CheckpointTriggered in [ab], of nothing$/);
  });

  test("faults that were added, taken out and moved, with the first entry that the log has of each", () => {
    const none = given({});
    const early = given({}, [fail("1500 ms")]);
    const late = given({}, [fail("2 s"), fail("1500 ms", "count[1]")]);
    const [added] = between(none, early);
    expect(added).toMatchObject({ kind: "command", change: "onlyB", a: null, b: { clock: 1500 } });
    expect(told(added!, none, early)).toBe("TaskStopped in b, of FaultInjected");
    expect(between(early, none)).toMatchObject([{ change: "onlyA", b: null }]);
    expect(between(early, late)).toMatchObject([
      { change: "moved", a: { clock: 1500 }, b: { clock: 2000 }, effect: { side: "a" } },
      { change: "onlyB", b: { command: { target: "count[1]" } } },
    ]);
  });

  test("a fault that was planned for the same moment is no difference, whenever that moment came", () => {
    const planned = [{ at: { after: "CheckpointCompleted", nth: 2 }, do: "fail-task", target: "count[0]" }];
    const a = given({}, planned);
    const b = given({ [`${ck}.unaligned.enabled`]: true }, planned);
    expect(between(a, b).map(({ kind }) => kind)).toEqual(["option"]);
  });

  test("a fault that was planned and never came to act is told without an entry", () => {
    const never = { at: { after: "CheckpointCompleted", nth: 99 }, do: "fail-task", target: "count[0]" };
    const [told] = between(given({}), given({}, [never]));
    expect(told).toMatchObject({ kind: "command", change: "onlyB", b: { step: null, clock: null }, effect: null });
  });

  test("other parts of the scenario by their place; the only difference has all that differs for its own", () => {
    const a = given({});
    const b = given({}, [], { seed: 7 });
    const all = between(a, b);
    expect(all).toMatchObject([{ kind: "part", path: "seed", b: "7" }]);
    const { divergence } = runDiff(a, b);
    expect(all[0]!.effect?.step ?? null).toBe(divergence);
  });

  test("of branches: what was decided in one, and not what they have in common", () => {
    const scenario = libraryScenario("order-totals");
    const timeline = new Timeline(scenario);
    const play = (branch: number): EventLog => {
      while (timeline.extend(branch));
      return timeline.branches[branch]!.log;
    };
    play(0);
    const first = timeline.fork(0, 400, command("fail-task", "total[0]")).id;
    play(first);
    const second = timeline.fork(first, 700, command("trigger-checkpoint", null)).id;
    play(second);
    const commands = [command("fail-task", "total[0]"), command("trigger-checkpoint", null)];
    const side = (branch: number): GivenSide => ({ log: play(branch), scenario, source: {}, commands });
    expect(between(side(first), side(second))).toMatchObject([{ change: "onlyB", b: { step: 700 } }]);
    const all = between(side(0), side(second));
    expect(all).toMatchObject([{ b: { step: 400 } }, { b: { command: { do: "trigger-checkpoint" } } }]);
    expect(between(side(second), side(second))).toEqual([]);
  });

  test("each first entry is the run's own, and its cause is one that the log has and both runs have, or the command", () => {
    const pairs = checkpointingModes.flatMap((variant, index) =>
      checkpointingModes.slice(index + 1).map((other) => [variant, other] as const),
    );
    for (const variants of pairs) {
      const [a, b] = variants.map((variant) => {
        const source = variantSource(slowSink, variant);
        const read = scenarioFrom(source);
        if (!read.ok) throw new Error("a library scenario");
        return { log: runScenario(read.value).log, scenario: read.value, source, commands: read.value.faults };
      });
      const diff = runDiff(a!, b!);
      const all = inputDiff(a!, b!, diff);
      expect(all.some(({ effect }) => effect !== null)).toBe(true);
      for (const { effect } of all.filter((each) => each.effect !== null)) {
        const { log } = effect!.side === "a" ? a! : b!;
        const own = ownSteps(diff, effect!.side);
        expect(own.has(effect!.step)).toBe(true);
        expect(log.cause(effect!.step)).toBe(effect!.cause);
        expect(own.has(effect!.cause) && log.type(effect!.cause) !== EventNumber.FaultInjected).toBe(false);
      }
    }
  });
});
