import { expect, test } from "vitest";
import { readLibrary } from "../read-library.ts";
import { type Draft, checked, draftOf, withConfig } from "./draft.ts";
import { kafkaChange, kafkaRows } from "./kafka.ts";
import { type Rule, rulesOf } from "./rules.ts";

const { text, scenario } = readLibrary("order-totals");
const base = draftOf(text);
const TIMEOUT = "kafka:out:transaction.timeout.ms";

function rules(
  change: { readonly [key: string]: Draft[string] | null },
  longest: number | null = null,
): readonly Rule[] {
  const draft = Object.fromEntries(
    Object.entries({ ...base, ...change }).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  return rulesOf({ draft, scenario: checked(withConfig(text, draft)).scenario ?? scenario, longest });
}
const ck = (name: string): string => `execution.checkpointing.${name}`;

test.each([
  ["R-01", { [ck("unaligned.enabled")]: true, [ck("mode")]: "AT_LEAST_ONCE" }, ck("unaligned.enabled"), 2],
  [
    "R-02",
    { [ck("unaligned.enabled")]: true, [ck("max-concurrent-checkpoints")]: 2 },
    ck("max-concurrent-checkpoints"),
    2,
  ],
  ["R-03", { [ck("aligned-checkpoint-timeout")]: "1 s" }, ck("aligned-checkpoint-timeout"), 2],
  ["R-04", { [ck("min-pause")]: "1 s", [ck("max-concurrent-checkpoints")]: 3 }, ck("min-pause"), 2],
  ["R-05", { [ck("interval")]: null }, ck("interval"), 1],
  ["R-06", { [ck("interval")]: null }, "restart-strategy.type", 1],
  ["R-08", { [ck("interval-during-backlog")]: "100 ms" }, ck("interval-during-backlog"), 2],
  ["R-09", { [TIMEOUT]: "2 s" }, TIMEOUT, 1],
  ["R-09b", { [TIMEOUT]: "500 ms" }, TIMEOUT, 1],
  ["R-10", { [TIMEOUT]: "20 min" }, TIMEOUT, 2],
  ["R-12", { [ck("storage")]: "filesystem", [ck("dir")]: null }, ck("storage"), 1],
  ["R-13", { "high-availability.type": "zookeeper", [ck("storage")]: "jobmanager" }, "high-availability.type", 1],
  ["R-22", { "state.checkpoints.num-retained": 2 }, ck("num-retained"), 1],
  ["R-23", { [ck("interval")]: "5 ms" }, ck("interval"), 1],
] as const)("%s stands at its key, and each of its buttons mends it", (id, change, key, fixes) => {
  const found = rules(change).filter((rule) => rule.id === id);
  expect(found.map((rule) => rule.key)).toEqual([key]);
  expect(found[0]?.fixes).toHaveLength(fixes);
  for (const { label, to } of found[0]?.fixes ?? []) {
    const read = checked(withConfig(text, to));
    expect(read.scenario, label).not.toBeNull();
    const left = rulesOf({ draft: to, scenario: read.scenario ?? scenario, longest: null });
    expect(
      left.filter((rule) => rule.id === id),
      label,
    ).toEqual([]);
  }
});

test("R-07: a timeout that a checkpoint of the run would not have met is told, and raised", () => {
  expect(rules({ [ck("timeout")]: "30 ms" }, 40).map(({ id }) => id)).toContain("R-07");
  expect(rules({ [ck("timeout")]: "1 s" }, 40).map(({ id }) => id)).not.toContain("R-07");
});

test("R-21: how many connections stay aligned", () => {
  expect(rules({ [ck("unaligned.enabled")]: true }).filter(({ id }) => id === "R-21")).toEqual([]);
  const pointwise = text.replaceAll('"rebalance"', '"rescale"');
  const read = checked(withConfig(pointwise, { ...draftOf(pointwise), [ck("unaligned.enabled")]: true }));
  expect(read.scenario).not.toBeNull();
  const found = rulesOf({
    draft: { [ck("unaligned.enabled")]: true },
    scenario: read.scenario ?? scenario,
    longest: null,
  });
  expect(found.find(({ id }) => id === "R-21")?.message).toMatch(/^2 of 6 connections stay aligned/);
});

test("nothing is said of what is as it should be", () => {
  expect(rules({}).map(({ id }) => id)).toEqual([]);
});

test("keys at Kafka are read from the job, written back where they were, and taken over by an operation", () => {
  expect(JSON.parse(withConfig(text, base))).toEqual(JSON.parse(text));
  expect(kafkaRows(scenario).map(({ key }) => key)).toContain(TIMEOUT);
  const changed = JSON.parse(
    withConfig(text, { ...base, [TIMEOUT]: "30 s", "broker:transaction.max.timeout.ms": "1 h" }),
  ) as {
    readonly job: { readonly vertices: readonly unknown[] };
  };
  expect(changed).toMatchObject({ broker: { "transaction.max.timeout.ms": "1 h" } });
  expect(changed.job.vertices[2]).toMatchObject({ properties: { "transaction.timeout.ms": "30 s" } });
  expect(kafkaChange(scenario, [TIMEOUT], { [TIMEOUT]: "30 s" })).toEqual({
    vertices: [{ uid: "out", properties: { "transaction.timeout.ms": "30 s" } }],
  });
});
