/** At least once with a log of seen ids in front of the effect (`recovery-and-sinks.md` 9.2; SK-034). */
import { describe, expect, test } from "vitest";
import { problemsOf } from "../scenario/testing/sources.ts";
import { type Small, type Story, atTime, small, story } from "./testing/stories.ts";

type Json = { readonly [key: string]: unknown };

/**
 * Two sources into one dedup, whose barriers come apart: p1's source is slow at its barrier. In mode AT_LEAST_ONCE what the
 * fast one sends meanwhile is in the snapshot, and comes again after the failure at 900 ms.
 */
const job = (dedup: Json | null, more: Partial<Small> = {}): Small => ({
  vertices: [
    { uid: "S", type: "kafka-source", topic: "in", parallelism: 2, chain: false },
    ...(dedup === null ? [] : [{ uid: "D", type: "dedup", ...dedup }]),
    { uid: "C", type: "keyed-sum" },
    { uid: "K", type: "append-sink", chain: false },
  ],
  edges: [...(dedup === null ? ["S hash C"] : ["S hash D", "D forward C"]), "C rebalance K"],
  topics: { in: { partitions: 2, records: 60, every: "20 ms", keys: 6 } },
  checkpointing: { mode: "AT_LEAST_ONCE" },
  timing: { overrides: [{ vertex: "S", index: 1, checkpoint: 1, "snapshot.sync": "150 ms" }] },
  faults: [
    atTime(195, "stall", { target: "S[1]", for: "150 ms" }),
    atTime(200, "trigger-checkpoint"),
    atTime(900, "fail-job"),
  ],
  ...more,
});
const run = (dedup: Json | null, more: Partial<Small> = {}): Story => story(small(job(dedup, more)));
const effect = ({ report }: Story): Story["report"]["state"][number] | undefined =>
  report.state.find(({ vertex }) => vertex === "C");

describe("at-least-once delivery", () => {
  test("SK-034: without a log of ids what was processed behind the barrier is in the effect twice", () => {
    const told = run(null);
    expect(effect(told)?.duplicated.length).toBeGreaterThan(0);
    expect(told.report.verdict.state).toBe("at-least-once");
  });

  test("FI-86, SK-041: a transactional sink commits each transaction once, and its committed reader has those records twice", () => {
    const sink = { uid: "K", type: "kafka-sink", topic: "out", delivery: "exactly-once", chain: false };
    const parts = job(null);
    const told = story(
      small({
        ...parts,
        vertices: [...parts.vertices.slice(0, -1), { ...sink, properties: { "transaction.timeout.ms": "15 min" } }],
      }),
    );
    const committed = told
      .all("TransactionCommitted", { again: false })
      .map(({ transaction, step }) => [transaction, step]);
    expect(new Set(committed.map(([transaction]) => transaction)).size).toBeGreaterThan(0);
    const row = told.report.delivery.find(({ reader }) => reader === "read_committed");
    expect([row?.lost, (row?.duplicated.length ?? 0) > 0]).toEqual([[], true]);
    expect(row?.duplicated).toEqual(effect(told)?.duplicated);
    expect(told.report.verdict.endToEnd).toBe("at-least-once");
  });

  test("SK-034: with the ids in the same snapshot as the effect each record has its effect once", () => {
    const told = run({});
    expect(told.all("DuplicateDropped").length).toBeGreaterThan(0);
    expect(effect(told)).toEqual({ vertex: "C", lost: [], duplicated: [] });
    expect(told.report.verdict.state).toBe("exactly-once");
  });

  test("SK-034: ids that are kept outside, and do not go back with the effect, make it lose what is replayed", () => {
    const told = run({ ids: "outside" });
    expect(effect(told)?.lost.length).toBeGreaterThan(0);
    expect(effect(told)?.duplicated).toEqual([]);
    expect(told.report.verdict.state).toBe("at-most-once");
  });

  test("SK-034: ids in another task's snapshot do not suffice: the effect's own channels are not aligned either", () => {
    // The effect has two inputs of its own; what it takes behind the first barrier its dedups do not know to be in its state.
    const told = story(
      small({
        ...job({}),
        vertices: [
          { uid: "S", type: "kafka-source", topic: "in", parallelism: 2, chain: false },
          { uid: "D", type: "dedup", parallelism: 2, chain: false },
          { uid: "C", type: "keyed-sum", chain: false },
          { uid: "K", type: "append-sink", chain: false },
        ],
        edges: ["S hash D", "D hash C", "C rebalance K"],
        faults: [
          atTime(195, "stall", { target: "D[1]", for: "150 ms" }),
          atTime(200, "trigger-checkpoint"),
          atTime(900, "fail-job"),
        ],
      }),
    );
    expect(effect(told)?.duplicated.length).toBeGreaterThan(0);
  });

  test("SK-034: its state grows with the records, where the effect's grows with the keys", () => {
    const bytes = (dedup: Json | null): number[] => {
      const faults = [atTime(200, "trigger-checkpoint"), atTime(500, "trigger-checkpoint")];
      const { checkpoints } = run(dedup, { faults, checkpointing: { mode: "EXACTLY_ONCE" } }).report;
      return checkpoints.slice(0, 2).map(({ stateBytes }) => stateBytes);
    };
    const [alone, with1] = [bytes(null), bytes({})];
    expect((alone[1] ?? 0) - (alone[0] ?? 0)).toBe(0);
    expect((with1[1] ?? 0) - (with1[0] ?? 0)).toBeGreaterThan(16 * 20);
    expect(bytes({ ids: "outside" })).toEqual(alone);
  });
});

test("a dedup needs its input by key; what is behind it has it by key already", () => {
  const vertices = [
    { uid: "S", type: "kafka-source", topic: "in" },
    { uid: "D", type: "dedup" },
    { uid: "C", type: "keyed-sum" },
    { uid: "K", type: "print-sink" },
  ];
  const edges = (first: string, second: string): unknown => ({
    format: 1,
    topics: { in: { records: 1 } },
    job: {
      vertices,
      edges: [
        { from: "S", to: "D", ship: first },
        { from: "D", to: "C", ship: second },
        { from: "C", to: "K" },
      ],
    },
  });
  expect([problemsOf(edges("forward", "hash")).length, problemsOf(edges("hash", "forward")).length]).toEqual([1, 0]);
  expect(problemsOf(edges("hash", "rebalance"))).toEqual([
    'job.edges[1].ship: "rebalance": C keeps state by key, so its input must come by key. Allowed: hash.',
  ]);
});
