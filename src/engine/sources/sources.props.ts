/**
 * Any kind of source in any mode, with one failure at any step: what becomes of its records is of the class that the matrix
 * states (SK-040), for appended output and for committed transactions, and each harm that it allows is seen.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import type { Report } from "../../scenario/report.ts";
import { runScenario } from "../run.ts";
import { fixedDelay, small } from "../testing/stories.ts";

type Json = { readonly [key: string]: unknown };
const long = process.env["BARRIERSCOPE_LONG"] === "1";

const kinds = ["kafka", "kafka latest", "kafka group", "files", "socket", "table", "table, incremental"] as const;
type Kind = (typeof kinds)[number];
const modes = ["EXACTLY_ONCE", "AT_LEAST_ONCE", "off"] as const;
type Mode = (typeof modes)[number];
const sinks = ["appended", "committed", "logged"] as const;
type Harm = "lost" | "duplicated";

/**
 * What a single failure may do to what readers see; `nothing`: they see nothing in any case. RS: replayable; RN: it cannot
 * go back. In mode AT_LEAST_ONCE the counter has two inputs wherever two subtasks read.
 */
const rs: { readonly [M in Mode]: { readonly [S in (typeof sinks)[number]]: readonly Harm[] | "nothing" } } = {
  EXACTLY_ONCE: { appended: ["duplicated"], committed: [], logged: ["duplicated"] },
  AT_LEAST_ONCE: { appended: ["duplicated"], committed: ["duplicated"], logged: ["duplicated"] },
  off: { appended: ["duplicated"], committed: "nothing", logged: "nothing" },
};
const rn: typeof rs = {
  EXACTLY_ONCE: { appended: ["lost"], committed: ["lost"], logged: ["lost", "duplicated"] },
  AT_LEAST_ONCE: { appended: ["lost"], committed: ["lost"], logged: ["lost", "duplicated"] },
  off: { appended: ["lost"], committed: "nothing", logged: "nothing" },
};
const skips: typeof rs = {
  EXACTLY_ONCE: { appended: ["lost", "duplicated"], committed: ["lost"], logged: ["lost", "duplicated"] },
  AT_LEAST_ONCE: {
    appended: ["lost", "duplicated"],
    committed: ["lost", "duplicated"],
    logged: ["lost", "duplicated"],
  },
  off: { appended: ["lost"], committed: "nothing", logged: "nothing" },
};
const matrix: { readonly [K in Kind]: typeof rs } = {
  kafka: rs,
  files: rs,
  table: rs,
  "table, incremental": rs,
  socket: rn,
  "kafka latest": skips,
  "kafka group": { ...skips, off: { ...skips.off, appended: ["lost", "duplicated"] } },
};

const drawn = fc.record({
  kind: fc.constantFrom(...kinds),
  mode: fc.constantFrom(...modes),
  sink: fc.constantFrom(...sinks),
  records: fc.integer({ min: 6, max: 30 }),
  every: fc.constantFrom("10 ms", "25 ms"),
  cost: fc.constantFrom(1, 6, 15),
  interval: fc.constantFrom("60 ms", "110 ms", "250 ms"),
  seed: fc.nat({ max: 200 }),
  part: fc.integer({ min: 0, max: 1000 }),
  target: fc.nat({ max: 9 }),
  kills: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function sourceOf({ kind, records, every, cost }: Drawn): { vertex: Json; topics: Json; width: number } {
  const base = { uid: "S", chain: false, cost };
  const two = { ...base, parallelism: 2 };
  const topics = { in: { partitions: 2, records, every, keys: 3 }, out: { partitions: 1 } };
  const own = { out: { partitions: 1 } };
  switch (kind) {
    case "kafka":
      return { vertex: { ...two, type: "kafka-source", topic: "in" }, topics, width: 2 };
    case "kafka latest":
      return { vertex: { ...two, type: "kafka-source", topic: "in", startingOffsets: "latest" }, topics, width: 2 };
    case "kafka group": {
      const properties = { "enable.auto.commit": true, "auto.commit.interval.ms": "40 ms" };
      const group = { startingOffsets: "group:earliest", groupId: "g", properties };
      return { vertex: { ...two, type: "kafka-source", topic: "in", ...group }, topics, width: 2 };
    }
    case "files":
      return {
        vertex: { ...two, type: "file-source", records, every, keys: 3, files: 3, bounded: false },
        topics: own,
        width: 2,
      };
    case "socket":
      return { vertex: { ...base, type: "socket-source", records, every, keys: 3 }, topics: own, width: 1 };
    case "table":
    case "table, incremental": {
      const table = { records: 4, snapshotDuration: "40 ms", changes: records, every, keys: 3 };
      const incremental = kind === "table, incremental";
      return { vertex: { ...base, type: "database-source", ...table, incremental }, topics: own, width: 1 };
    }
  }
}

const sinkVertices: { readonly [S in (typeof sinks)[number]]: Json } = {
  appended: { type: "append-sink" },
  committed: {
    type: "kafka-sink",
    topic: "out",
    delivery: "exactly-once",
    properties: { "transaction.timeout.ms": "15 min" },
  },
  logged: { type: "write-ahead-log-sink" },
};

function play(given: Drawn, faults: readonly Json[]): { report: Report; entries: number } {
  const { vertex, topics } = sourceOf(given);
  const scenario = small({
    vertices: [
      vertex,
      { uid: "C", type: "keyed-sum", chain: false },
      { uid: "K", chain: false, ...sinkVertices[given.sink] },
    ],
    edges: ["S hash C", "C forward K"],
    topics,
    cluster: { taskManagers: 3, slots: 1 },
    checkpointing:
      given.mode === "off"
        ? { interval: null }
        : { mode: given.mode, interval: given.interval, timeout: "200 ms", "tolerable-failed-checkpoints": 99 },
    restart: fixedDelay(9, "50 ms"),
    timing: { deploy: "5 ms", "snapshot.async": "5 ms", "heartbeat.detect": "30 ms", commit: "6 ms" },
    initialDelay: 20,
    seed: given.seed,
    faults,
    until: given.mode === "off" ? { time: 3000 } : "drained",
  });
  const { report, log, violations } = runScenario(scenario, { checkInvariants: true });
  expect(violations).toEqual([]);
  return { report, entries: log.length };
}

const rowOf = ({ delivery }: Report): Report["delivery"][number] => at(delivery, 0);

test("SK-040, SK-030, SK-033: under a single failure anywhere each kind of source does what its class does, and each harm is seen", () => {
  const seen = new Map<string, Set<Harm>>();
  fc.assert(
    fc.property(drawn, (given) => {
      const { entries } = play(given, []);
      const targets = given.kills ? ["tm-1", "tm-2", "tm-3"] : ["S[0]", "C[0]", "K[0]"];
      const fault = {
        at: { step: Math.floor((entries * given.part) / 1000) },
        do: given.kills ? "restart-taskmanager" : "fail-task",
        target: at(targets, given.target % targets.length),
      };
      const { report } = play(given, [fault]);
      const allowed = matrix[given.kind][given.mode][given.sink];
      const { lost, duplicated, seen: records } = rowOf(report);
      if (allowed === "nothing") {
        expect(records).toBe(0);
        return;
      }
      const harms: Harm[] = [
        ...(lost.length > 0 ? (["lost"] as const) : []),
        ...(duplicated.length > 0 ? (["duplicated"] as const) : []),
      ];
      expect(allowed, JSON.stringify(rowOf(report))).toEqual(expect.arrayContaining(harms));
      const place = `${given.kind}, ${given.mode}, ${given.sink}`;
      seen.set(place, new Set([...(seen.get(place) ?? []), ...harms]));
    }),
    { numRuns: long ? 20_000 : 600, seed: 7 },
  );
  const shown = (kind: Kind): Harm[] =>
    [...new Set([...seen].flatMap(([place, harms]) => (place.startsWith(`${kind},`) ? [...harms] : [])))].sort();
  expect(kinds.map((kind) => [kind, shown(kind)])).toEqual(
    kinds.map((kind) => [
      kind,
      [...new Set(Object.values(matrix[kind]).flatMap((column) => Object.values(column).flat()))]
        .filter((harm) => harm !== "nothing")
        .sort(),
    ]),
  );
});

test("INV-126, SK-002: of a connection exactly what came behind the last completed checkpoint is lost", () => {
  fc.assert(
    fc.property(drawn, (any) => {
      const given: Drawn = { ...any, kind: "socket", mode: "EXACTLY_ONCE", sink: "committed" };
      const { entries } = play(given, []);
      const fault = { at: { step: Math.floor((entries * given.part) / 1000) }, do: "fail-task", target: "S[0]" };
      const { report } = play(given, [fault]);
      const offsets = rowOf(report)
        .lost.map((record) => Number(record.split("@")[1]))
        .toSorted((a, b) => a - b);
      // One span without a gap; in state and for committed readers the same.
      expect(offsets).toEqual(offsets.map((_, i) => (offsets[0] ?? 0) + i));
      expect(at(report.state, 0).lost).toEqual(rowOf(report).lost);
      expect([at(report.state, 0).duplicated, rowOf(report).duplicated]).toEqual([[], []]);
    }),
    { numRuns: long ? 5000 : 100, seed: 7 },
  );
});
