import { describe, expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { randomScenario } from "../engine/testing/random-scenario.ts";
import { EventNumber, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { checkpointingModes, slowSink, variantScenario } from "../scenario/comparison.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { places } from "./fields.ts";
import { ownSteps, runDiff } from "./run-diff.ts";
import { type Fact, type SummarySentence, type SummarySide, runSummary } from "./run-summary.ts";

const between = (a: SummarySide, b: SummarySide): SummarySentence[] => runSummary(a, b, runDiff(a, b));

const words = (fact: Fact): string => {
  const { steps: _, ...said } = fact;
  return JSON.stringify(said);
};
const told = (sentences: readonly SummarySentence[]): string[] =>
  sentences.map((sentence) => sentence.map(({ fact }) => words(fact)).join(" therefore "));

/** Fields of an entry by name. */
function fieldOf(log: EventLog, step: number, name: string): number | null {
  const place = (places(eventTypes[log.type(step)]!) as { readonly [field: string]: number })[name];
  return place === undefined ? null : log.field(step, place);
}

/**
 * May one entry come of another beside its cause? Looked up here in another way than the summary does: the completion of the
 * checkpoint that the entry says it goes back to; or what the same subtask did for it before.
 */
function comesOf(log: EventLog, step: number, before: number): boolean {
  const [type, other] = [eventTypes[log.type(step)]!, eventTypes[log.type(before)]!];
  const same = (name: string): boolean =>
    fieldOf(log, step, name) !== null && fieldOf(log, step, name) === fieldOf(log, before, name);
  const goesBack = /Restored|RestoredAsFinished|CoordinatorReset|SplitReturned|CheckpointRecovered/;
  if (goesBack.test(type) && other === "CheckpointCompleted") return same("checkpoint");
  if (type === "SourceRewound" && other === "StateRestored") return same("subtask");
  const passed = other === "AlignmentCompleted" || other === "UnalignedSnapshotStarted";
  return type === "TransactionPreCommitted" && passed && same("subtask") && same("checkpoint");
}

/** Is there a way from `to` back to `from` through entries that are the run's own? Every entry between them is tried. */
function hasWay(log: EventLog, own: ReadonlySet<number>, from: number, to: number): boolean {
  const reached = new Set([to]);
  for (let step = to; step > from; step--) {
    if (!reached.has(step)) continue;
    const cause = log.cause(step);
    if (cause >= from && own.has(cause)) reached.add(cause);
    const type = log.type(step);
    if (!namers.has(type)) continue;
    for (let before = step - 1; before >= from; before--)
      if (before !== cause && comesOf(log, step, before)) {
        if (own.has(before)) reached.add(before);
        break;
      }
  }
  return reached.has(from);
}

const namers = new Set<number>(
  (
    [
      "StateRestored",
      "RestoredAsFinished",
      "ChannelStateRestored",
      "CoordinatorReset",
      "SplitReturned",
      "CheckpointRecovered",
      "SourceRewound",
      "TransactionPreCommitted",
    ] as const
  ).map((type) => EventNumber[type]),
);

function run(scenario: Scenario): SummarySide {
  const { log, report } = runScenario(scenario);
  return { log, report };
}

/** A random job with none, one, the other and both of two failures. */
function fourRuns(number: number): SummarySide[] {
  const scenario = randomScenario(number);
  const [first, second] = scenario.faults;
  return [[], [first!], [second!], [first!, second!]].map((faults) => run({ ...scenario, faults }));
}

/** Each pair of four runs. */
function pairsOf(runs: readonly SummarySide[]): (readonly [SummarySide, SummarySide])[] {
  return runs.flatMap((a, place) => runs.slice(place + 1).map((b) => [a, b] as const));
}

/** Every therefore of a summary is between the entries of its two facts, and has its way. Returns how many there are. */
function checkLinks(a: SummarySide, b: SummarySide): number {
  const diff = runDiff(a, b);
  const sides = { a: { log: a.log, own: ownSteps(diff, "a") }, b: { log: b.log, own: ownSteps(diff, "b") } };
  const sentences = runSummary(a, b, diff);
  expect(sentences.flatMap(([first]) => first!.link)).toEqual(sentences.map(() => null));
  const followed = sentences.flatMap((sentence) =>
    sentence.slice(1).map(({ fact, link }, index) => ({ fact, link: link!, before: sentence[index]!.fact })),
  );
  for (const { fact, link, before } of followed) {
    const { log, own } = sides[link.side];
    expect(fact.steps[link.side]).toBe(link.to);
    expect(before.steps[link.side]).toBe(link.from);
    expect(hasWay(log, own, link.from, link.to), words(fact)).toBe(true);
  }
  return followed.length;
}

describe("X-05: the summary", () => {
  test("each therefore has a way of causes through what only that run has, on 54 random pairs", () => {
    const pairs = Array.from({ length: 9 }, (_, number) => pairsOf(fourRuns(number))).flat();
    const links = pairs.map(([a, b]) => checkLinks(a, b));
    expect(pairs).toHaveLength(54);
    expect(links.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(40);
  });

  test("of a run with itself there is nothing to tell", () => {
    const one = run(randomScenario(3));
    expect(between(one, one)).toEqual([]);
    expect(between(one, run(randomScenario(3)))).toEqual([]);
  });

  test("tells of modes how barriers passed, how checkpoints ended, and what was read again", () => {
    const [aligned, unaligned] = checkpointingModes.slice(0, 2).map((variant) => {
      const read = variantScenario(slowSink, variant);
      if (!read.ok) throw new Error("a library scenario");
      return run(read.value);
    });
    const sentences = told(between(aligned!, unaligned!));
    expect(sentences).toMatchInlineSnapshot(`
      [
        "{"says":"overtook","side":"b","subtask":4,"checkpoint":2,"buffers":2} therefore {"says":"checkpoint","checkpoint":2,"a":{"reason":"CHECKPOINT_COORDINATOR_SUSPEND","ms":545},"b":{"reason":null,"ms":32}} therefore {"says":"restored","a":1,"b":2} therefore {"says":"readAgain","a":87,"b":28}",
        "{"says":"waited","side":"a","subtask":2,"checkpoint":5,"ms":160} therefore {"says":"waited","side":"a","subtask":4,"checkpoint":5,"ms":260} therefore {"says":"checkpoint","checkpoint":5,"a":{"reason":null,"ms":353},"b":{"reason":null,"ms":27}}",
        "{"says":"overtook","side":"b","subtask":4,"checkpoint":1,"buffers":3} therefore {"says":"checkpoint","checkpoint":1,"a":{"reason":null,"ms":507},"b":{"reason":null,"ms":47}}",
        "{"says":"overtook","side":"b","subtask":4,"checkpoint":3,"buffers":2} therefore {"says":"checkpoint","checkpoint":3,"a":{"reason":null,"ms":623},"b":{"reason":null,"ms":41}}",
        "{"says":"overtook","side":"b","subtask":4,"checkpoint":4,"buffers":2} therefore {"says":"checkpoint","checkpoint":4,"a":{"reason":null,"ms":528},"b":{"reason":null,"ms":46}}",
      ]
    `);
  });

  test("turned round, what is told of A is told of B", () => {
    const [none, one] = fourRuns(2);
    const facts = (sentences: readonly SummarySentence[]): number => new Set(told(sentences)).size;
    expect(facts(between(none!, one!))).toBe(facts(between(one!, none!)));
  });
});
