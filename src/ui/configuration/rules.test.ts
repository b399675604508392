import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { EventLog } from "../../protocol/log.ts";
import { Timeline } from "../../projection/timeline.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { readLibrary } from "../read-library.ts";
import { type Draft, checked, draftOf, withConfig } from "./draft.ts";
import { kafkaChange, kafkaRows } from "./kafka.ts";
import { longestOf } from "./longest.ts";
import type { Given, Rule } from "./look.ts";
import { rulesOf } from "./rules.ts";

type Change = { readonly [key: string]: Draft[string] | null };
type Json = { readonly [key: string]: unknown };

const { text, scenario } = readLibrary("order-totals");
const base = draftOf(text);
const ck = (name: string): string => `execution.checkpointing.${name}`;
const TIMEOUT = "kafka:out:transaction.timeout.ms";
const DEFAULT = "parallelism.default";
const MAXIMUM = "pipeline.max-parallelism";

interface Case {
  readonly id: string;
  readonly change: Change;
  readonly key: string;
  readonly buttons: readonly string[];
  /** Of the scenario; left out: of order-totals. */
  readonly of?: string;
  readonly longest?: Given["longest"];
  readonly keyGroups?: Given["keyGroups"];
}

function drafted(of: string, change: Change): Draft {
  return Object.fromEntries(
    Object.entries({ ...draftOf(of), ...change }).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}

function rulesIn(
  draft: Draft,
  { of = text, longest = null, keyGroups = [] }: Omit<Case, "id" | "key" | "buttons" | "change">,
): readonly Rule[] {
  const read = checked(withConfig(of, draft));
  const before = parseScenario(of);
  if (!before.ok) throw new Error(`not a scenario: ${JSON.stringify(before.problems)}`);
  return rulesOf({ draft, text: read.text, scenario: read.scenario ?? before.value, longest, keyGroups });
}

const rules = (change: Change, more: Parameters<typeof rulesIn>[1] = {}): readonly Rule[] =>
  rulesIn(drafted(more.of ?? text, change), more);

/** Order-totals with some of its job and its topics otherwise. */
function other(
  change: (document: { job: Json & { vertices: Json[]; edges: Json[] }; topics: Json }) => object,
): string {
  const document = JSON.parse(text) as Parameters<typeof change>[0];
  return JSON.stringify({ ...document, ...change(document) });
}

/** The job says neither how many subtasks it has (`out`: only its sink's) nor, unless it is given, its maximum; one edge is FORWARD. */
const unsaid = ({ out = false, maxParallelism }: { out?: boolean; maxParallelism?: number }): string =>
  other(({ job }) => ({
    job: {
      ...job,
      maxParallelism,
      vertices: job.vertices.map((vertex) =>
        out && vertex["uid"] === "out" ? vertex : { ...vertex, parallelism: undefined },
      ),
      edges: job.edges.map((edge) => (edge["from"] === "total" ? { ...edge, ship: "forward" } : edge)),
    },
    cluster: { taskManagers: 4, slots: 4 },
  }));

const twoSinks = other(({ job, topics }) => ({
  job: {
    ...job,
    vertices: [...job.vertices, { ...job.vertices[2], uid: "more" }],
    edges: [...job.edges, { from: "total", to: "more", ship: "rebalance" }],
  },
  topics,
}));

const inTransactions = other(({ topics }) => ({
  topics: { ...topics, orders: { ...(topics["orders"] as Json), transactions: { records: 4, open: "100 ms" } } },
}));

const ofTopic = other(({ topics }) => ({
  topics: { ...topics, totals: { partitions: 1, "transaction.max.timeout.ms": "5 min" } },
}));

/** Two sources into one sum, of whose channels one is slow while a checkpoint passes; its sums go into a table (SK-112). */
const sums = (parallelism: number): string =>
  JSON.stringify({
    format: 1,
    job: {
      vertices: [
        { uid: "S", type: "kafka-source", topic: "in", parallelism, chain: false },
        { uid: "T", type: "keyed-sum", chain: false },
        { uid: "K", type: "upsert-sink", chain: false },
      ],
      edges: [
        { from: "S", to: "T", ship: "hash" },
        { from: "T", to: "K", ship: "forward" },
      ],
    },
    topics: { in: { partitions: 2, records: 40, every: "20 ms", keys: 1 } },
    config: {
      [ck("interval")]: "200 ms",
      "restart-strategy.type": "fixed-delay",
      "restart-strategy.fixed-delay.attempts": 3,
      "restart-strategy.fixed-delay.delay": "100 ms",
    },
    initialDelay: "200 ms",
    faults: [
      ...(parallelism === 2
        ? [{ at: { time: "150 ms" }, do: "slow", target: "S[1]->T[0]", factor: 100, for: "600 ms" }]
        : []),
      { at: { after: "CheckpointCompleted", checkpoint: 1 }, do: "fail-task", target: "T[0]" },
    ],
  });

const cases: readonly Case[] = [
  {
    id: "R-01",
    change: { [ck("unaligned.enabled")]: true, [ck("mode")]: "AT_LEAST_ONCE" },
    key: ck("unaligned.enabled"),
    buttons: ["Switch mode", "Turn unaligned off"],
  },
  {
    id: "R-02",
    change: { [ck("unaligned.enabled")]: true, [ck("max-concurrent-checkpoints")]: 2 },
    key: ck("max-concurrent-checkpoints"),
    buttons: ["Set max-concurrent to 1", "Turn unaligned off"],
  },
  {
    id: "R-03",
    change: { [ck("aligned-checkpoint-timeout")]: "1 s" },
    key: ck("aligned-checkpoint-timeout"),
    buttons: ["Turn unaligned on", "Clear it"],
  },
  {
    id: "R-04",
    change: { [ck("min-pause")]: "1 s", [ck("max-concurrent-checkpoints")]: 3 },
    key: ck("min-pause"),
    buttons: ["Keep pause", "Keep concurrency"],
  },
  { id: "R-05", change: { [ck("interval")]: null }, key: ck("interval"), buttons: ["Set an interval"] },
  { id: "R-06", change: { [ck("interval")]: null }, key: "restart-strategy.type", buttons: ["Set an interval"] },
  {
    id: "R-07",
    change: { [ck("timeout")]: "30 ms" },
    key: ck("timeout"),
    buttons: ["Raise the timeout"],
    longest: { ms: 40, expired: false },
  },
  {
    id: "R-07",
    change: { [ck("timeout")]: "20 ms" },
    key: ck("timeout"),
    buttons: ["Raise the timeout"],
    longest: { ms: 20, expired: true },
  },
  {
    id: "R-08",
    change: { [ck("interval-during-backlog")]: "100 ms" },
    key: ck("interval-during-backlog"),
    buttons: ["Set it to the interval", "Clear it"],
  },
  { id: "R-09", change: { [TIMEOUT]: "2 s" }, key: TIMEOUT, buttons: ["Raise to 652065 ms"] },
  { id: "R-09b", change: { [TIMEOUT]: "500 ms" }, key: TIMEOUT, buttons: ["Raise it above 1000 ms"] },
  {
    id: "R-10",
    change: { [TIMEOUT]: "20 min" },
    key: TIMEOUT,
    buttons: ["Lower the client value", "Raise the broker's"],
  },
  { id: "R-10", change: { [TIMEOUT]: "6 min" }, key: TIMEOUT, buttons: ["Lower the client value"], of: ofTopic },
  {
    id: "R-11",
    change: { "kafka:out:transactionalIdPrefix": "t", "kafka:more:transactionalIdPrefix": "t" },
    key: "kafka:more:transactionalIdPrefix",
    buttons: ["Give it its own prefix"],
    of: twoSinks,
  },
  {
    id: "R-12",
    change: { [ck("storage")]: "filesystem", [ck("dir")]: null },
    key: ck("storage"),
    buttons: ["Set a directory"],
  },
  {
    id: "R-13",
    change: { "high-availability.type": "zookeeper", [ck("storage")]: "jobmanager" },
    key: "high-availability.type",
    buttons: ["Use filesystem storage"],
  },
  {
    id: "R-14",
    change: { [DEFAULT]: 3, [MAXIMUM]: 2 },
    key: MAXIMUM,
    buttons: ["Have 3 key groups", "Run 2 subtasks"],
    of: unsaid({}),
  },
  {
    id: "R-14",
    change: { [DEFAULT]: 3 },
    key: DEFAULT,
    buttons: ["Run 2 subtasks"],
    of: unsaid({ maxParallelism: 2 }),
  },
  {
    id: "R-15",
    change: { [MAXIMUM]: 64 },
    key: MAXIMUM,
    buttons: ["Restore with 128", "Leave it to the snapshot"],
    of: unsaid({}),
    keyGroups: [128],
  },
  {
    id: "R-15",
    change: { [MAXIMUM]: 256 },
    key: MAXIMUM,
    buttons: ["Leave it to the snapshot"],
    of: unsaid({}),
    keyGroups: [128, 256],
  },
  {
    id: "R-16",
    change: { [DEFAULT]: 2 },
    key: DEFAULT,
    buttons: ["Match: 1"],
    of: unsaid({ out: true }),
  },
  {
    id: "R-18",
    change: {},
    key: "kafka:orders:isolationLevel",
    buttons: ["Use read_committed"],
    of: inTransactions,
  },
  { id: "R-19", change: { [ck("mode")]: "AT_LEAST_ONCE" }, key: ck("mode"), buttons: ["Switch mode"], of: sums(2) },
  {
    id: "R-20",
    change: { "jobmanager.scheduler": "adaptive" },
    key: "jobmanager.scheduler",
    buttons: ["Use the default scheduler"],
  },
  { id: "R-22", change: { "state.checkpoints.num-retained": 2 }, key: ck("num-retained"), buttons: ["Rename"] },
  { id: "R-23", change: { [ck("interval")]: "5 ms" }, key: ck("interval"), buttons: ["Set 10 ms"] },
  { id: "R-23", change: { [ck("min-pause")]: "-5 ms" }, key: ck("min-pause"), buttons: ["Set 0 ms"] },
  {
    id: "R-23",
    change: { [ck("max-concurrent-checkpoints")]: 0 },
    key: ck("max-concurrent-checkpoints"),
    buttons: ["Set 1"],
  },
  {
    id: "R-23",
    change: { [ck("tolerable-failed-checkpoints")]: -1 },
    key: ck("tolerable-failed-checkpoints"),
    buttons: ["Set 0"],
  },
];

const withoutButton: { readonly [id: string]: string } = {
  "R-17": "no key makes a loop, and a scenario that has one is refused before it is open (parse.test.ts)",
  "R-21": "it says what is; Flink aligns those connections whatever is set",
};

test("every rule of the design has a button that is pressed here, or a reason why it has none", () => {
  const all = Array.from({ length: 23 }, (_, index) => `R-${String(index + 1).padStart(2, "0")}`);
  const pressed = new Set(cases.map(({ id }) => id));
  expect([...pressed, ...Object.keys(withoutButton)].sort()).toEqual([...all, "R-09b"].sort());
});

test.each(cases)(
  "$id stands at $key with $buttons, and each of these mends it",
  ({ id, change, key, buttons, ...more }) => {
    const found = rules(change, more).filter((rule) => rule.id === id);
    expect(found.map((rule) => rule.key)).toEqual([key]);
    expect(found[0]?.fixes.map(({ label }) => label)).toEqual(buttons);
    for (const { label, to } of found[0]?.fixes ?? []) {
      const { of = text } = more;
      expect(checked(withConfig(of, to)).scenario, label).not.toBeNull();
      expect(
        rulesIn(to, more).filter((rule) => rule.id === id),
        label,
      ).toEqual([]);
    }
  },
);

test("what blocks is refused by the scenario's reader as well, but for a start from a snapshot", () => {
  for (const { id, change, ...more } of cases) {
    const { of = text } = more;
    const kind = rules(change, more).find((rule) => rule.id === id)?.kind;
    const refused = checked(withConfig(of, drafted(of, change))).scenario === null;
    // A run here has no adaptive scheduler, which in Flink is none to be refused.
    if (id !== "R-15" && id !== "R-20") expect(refused, `${id} ${kind}`).toBe(kind === "blocks");
  }
});

test("R-07: how long checkpoints take is the run's: of those that are complete, else of those that expired", () => {
  const spansOf = (change: Change): Given["longest"] => {
    const read = parseScenario(withConfig(text, drafted(text, change)));
    if (!read.ok) throw new Error("not a scenario");
    const { log } = runScenario(read.value);
    const timeline = new Timeline();
    timeline.extend(log);
    return longestOf(log, timeline.checkpoints);
  };
  const longest = spansOf({});
  expect(longest).toMatchObject({ expired: false });
  expect(spansOf({ [ck("timeout")]: "15 ms", [ck("tolerable-failed-checkpoints")]: 100 })).toEqual({
    ms: 15,
    expired: true,
  });
  const enough = `${(longest?.ms ?? 0) + 1} ms`;
  expect(rules({ [ck("timeout")]: enough }, { longest }).map(({ id }) => id)).not.toContain("R-07");
  expect(longestOf(new EventLog(), [])).toBeNull();
});

test("R-15: without a number of key groups of its own a job takes the snapshot's", () => {
  const told = (change: Change, of: string): boolean =>
    rules(change, { of, keyGroups: [128] }).some(({ id }) => id === "R-15");
  expect(told({}, unsaid({}))).toBe(false);
  expect(told({ [MAXIMUM]: 128 }, unsaid({}))).toBe(false);
  // The job says it, and that counts.
  expect(told({ [MAXIMUM]: 64 }, text)).toBe(false);
});

test("R-18: plain records and committed ones are nobody's to roll back", () => {
  const told = (change: Change, of: string): boolean => rules(change, { of }).some(({ id }) => id === "R-18");
  expect(told({ "kafka:orders:isolationLevel": "read_committed" }, inTransactions)).toBe(false);
  expect(told({}, text)).toBe(false);
});

test("R-19, SK-112: where it stands the table is wrong at rest after a failure, and nowhere else", () => {
  const isRight = (mode: string, of: string): boolean => {
    const read = parseScenario(withConfig(of, drafted(of, { [ck("mode")]: mode })));
    if (!read.ok) throw new Error("not a scenario");
    return runScenario(read.value).report.delivery.every(({ differing }) => differing.length === 0);
  };
  for (const mode of ["EXACTLY_ONCE", "AT_LEAST_ONCE"])
    for (const parallelism of [1, 2]) {
      const of = sums(parallelism);
      const told = rules({ [ck("mode")]: mode }, { of }).some(({ id }) => id === "R-19");
      expect(isRight(mode, of), `${mode}, ${parallelism} channels`).toBe(!told);
    }
});

test("R-21: how many connections stay aligned", () => {
  const told = (of: string): string | undefined =>
    rules({ [ck("unaligned.enabled")]: true }, { of }).find(({ id }) => id === "R-21")?.message;
  expect(told(text)).toBeUndefined();
  expect(told(text.replaceAll('"rebalance"', '"rescale"'))).toMatch(/^2 of 6 connections stay aligned/);
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
