import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { Story, after, counter, sink, small, source, triggersAfter } from "../engine/testing/stories.ts";
import { EventNumber } from "../protocol/events.ts";
import { javaHash, keyGroup } from "../protocol/key-groups.ts";
import type { TraceEntry } from "../protocol/trace.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { advance, initialView } from "./fold.ts";
import { type RestorePreview, restorePreview } from "./restore-preview.ts";
import { Shelf } from "./shelf.ts";
import { movesInto } from "./state-moves.ts";

type Json = Record<string, unknown>;

/** Two readers of three partitions, counters, keyed sums and sinks; what changes of that. */
const wide = {
  vertices: [
    source("S", { parallelism: 2 }),
    counter("C", { parallelism: 2 }),
    { uid: "T", type: "keyed-sum", parallelism: 2, chain: false },
    sink("K", { parallelism: 2 }),
  ],
  edges: ["S rebalance C", "C hash T", "T rebalance K"],
  topics: { in: { partitions: 3, records: 60, every: "20 ms", keys: 9 }, out: { partitions: 1 } },
};

/** A job that fails at record 9 after checkpoints at 3 and 6, and one that is to go on from the newest. */
function both(job: Json, more: Json = {}, faults: readonly Json[] = []): Scenario {
  return small({
    vertices: [source("S"), counter("C"), { uid: "T", type: "keyed-sum", parallelism: 2, chain: false }, sink("K")],
    edges: ["S forward C", "C hash T", "T rebalance K"],
    restart: { type: "none" },
    cluster: { taskManagers: 1, slots: 4 },
    checkpointing: { dir: "file:///ck", "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION" },
    config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
    ...("topics" in more ? wide : {}),
    faults: [
      ...triggersAfter("in-0@3", "in-0@6"),
      after("RecordEmitted", { record: "in-0@9" }, "fail-job"),
      ...faults,
      after("JobStatusChanged", { to: "FAILED" }, "restore", { from: "checkpoint", job, ...without(more, "topics") }),
    ],
  });
}

const without = (json: Json, key: string): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => name !== key));

/** What is told before the new job is submitted, and what the engine then does. */
function asked(scenario: Scenario, storageIsDown = false): { told: RestorePreview; story: Story } {
  const done = runScenario(scenario);
  const view = initialView(scenario, done.graph);
  const submitted = Array.from({ length: done.log.length }, (_, step) => step).find(
    (step) => done.log.type(step) === EventNumber.JobSubmitted,
  );
  const before = (submitted ?? 1) - 1;
  const shelf = new Shelf(view.shared, done.log).at(before);
  advance(view, done.log, before);
  const command = scenario.faults.find(({ do: verb }) => verb === "restore" || verb === "rescale");
  const kind = command?.from === "savepoint" ? "SAVEPOINT" : "CHECKPOINT";
  const snapshot = command?.from === "none" ? null : shelf.findLast((entry) => entry.kind.endsWith(kind));
  return {
    told: restorePreview(view, snapshot ?? null, { ...command, storageIsDown }),
    story: new Story(done),
  };
}

const fates = (told: RestorePreview): string[] => told.operators.map(({ uid, fate }) => `${uid} ${fate}`).toSorted();

/** Everything that a dry run tells, beside what the log of the run says of it. */
function agrees({ told, story }: ReturnType<typeof asked>): void {
  const fated = (wanted: string): string[] => told.operators.flatMap(({ uid, fate }) => (fate === wanted ? [uid] : []));
  const refused = story
    .all("RestoreRefused")
    .map(({ refusal, uid }) => ({ reason: refusal as string, uid: (uid ?? "") as string }));
  expect(told.refusal === null ? [] : [told.refusal]).toEqual(refused);
  if (told.refusal !== null) return expect(story.all("StateRestored", { submission: 1 })).toEqual([]);
  expect(fated("dropped")).toEqual(story.values("OperatorStateDropped", "uid"));
  const rewound = story.all("SourceRewound", { submission: 1 });
  for (const { partition, offset, readAgain } of told.offsets) {
    const targets = rewound.filter((entry) => entry["partition"] === partition).map(({ target }) => target);
    expect(targets.slice(0, 1)).toEqual(offset === 0 ? targets.slice(0, 1) : [offset]);
    const read = (submission: number): string[] =>
      story
        .values("RecordEmitted", "record", { submission })
        .map(String)
        .filter((record) => record.startsWith(`${partition}@`));
    const before = new Set(read(0));
    expect(read(1).filter((record) => before.has(record))).toHaveLength(readAgain);
    expect(read(1)[0]).toBe(`${partition}@${offset}`);
  }
}

const chain = (uid: string): Json => ({
  vertices: [source("S"), counter(uid), { uid: "T", type: "keyed-sum", parallelism: 2, chain: false }, sink("K")],
  edges: [
    { from: "S", to: uid, ship: "forward" },
    { from: uid, to: "T", ship: "hash" },
    { from: "T", to: "K", ship: "rebalance" },
  ],
});

describe("what is told before a restore is what the restore does", () => {
  test("CP-172: with the same operators all state is found; offsets, and what is read again", () => {
    const run = asked(both({ vertices: [{ uid: "T", parallelism: 3 }] }));
    expect(fates(run.told)).toEqual(["C restored", "K restored", "S restored", "T restored"]);
    expect(run.told.offsets).toEqual([{ partition: "in-0", offset: 7, readAgain: 3 }]);
    agrees(run);
  });

  test("CP-172, FR-116: an operator that is missing: refused, or dropped where that is allowed", () => {
    const refused = asked(both(chain("N")));
    expect(fates(refused.told)).toEqual(["C refused", "K restored", "N new", "S restored", "T restored"]);
    expect(refused.told.refusal).toEqual({ reason: "OPERATOR_MISSING", uid: "C" });
    agrees(refused);
    const dropped = asked(both(chain("N"), { allowNonRestoredState: true }));
    expect(fates(dropped.told)).toEqual(["C dropped", "K restored", "N new", "S restored", "T restored"]);
    agrees(dropped);
  });

  test.each([
    ["CP-178: another maximum parallelism", { maxParallelism: 16 }, "MAX_PARALLELISM_CHANGED"],
    [
      "CP-178: a parallelism above the maximum",
      { vertices: [{ uid: "T", parallelism: 130 }] },
      "PARALLELISM_ABOVE_MAXIMUM",
    ],
  ])("%s", (_, job, reason) => {
    const run = asked(both(job));
    expect(run.told.refusal?.reason).toBe(reason);
    expect(run.told.moves).toEqual([]);
    agrees(run);
  });

  test("FR-115: metadata that is damaged, and storage that is not there", () => {
    const damaged = asked(
      both({}, {}, [after("CheckpointCompleted", { checkpoint: 2 }, "storage-corrupt", { checkpoint: 2 })]),
    );
    expect(damaged.told.refusal).toEqual({ reason: "METADATA_NOT_READABLE", uid: "" });
    agrees(damaged);
    const down = after("JobStatusChanged", { to: "FAILING" }, "storage-down", { what: "checkpoints" });
    agrees(asked(both({}, {}, [down]), true));
  });

  test("FR-035, FR-037: a job that needs more slots than there are gets no further than that", () => {
    const run = asked(both({ vertices: [{ uid: "T", parallelism: 5 }] }));
    expect(run.told.slots).toEqual({ needed: 5, there: 4 });
    expect(run.story.all("TaskStateChanged", { to: "DEPLOYING", submission: 1 })).toEqual([]);
    expect(run.story.all("SlotRequestFailed", { submission: 1 })).toHaveLength(1);
  });

  test("FI-24: without a snapshot every operator is new, and all is read again", () => {
    const run = asked(both({}, { from: "none" }));
    expect(fates(run.told)).toEqual(["C new", "K new", "S new", "T new"]);
    expect(run.told.offsets).toEqual([{ partition: "in-0", offset: 0, readAgain: 10 }]);
    agrees(run);
  });

  test("FI-62: what the view does not have is not there", () => {
    const scenario = both({});
    const { graph, log } = runScenario(scenario);
    const view = initialView(scenario, graph);
    const [entry] = new Shelf(view.shared, log).at(log.length - 1);
    advance(view, log, 40);
    expect(restorePreview(view, entry ?? null, {}).refusal?.reason).toBe("NO_SUCH_SNAPSHOT");
  });
});

/** By operator and number of the subtask: what the run shows of it, before and behind the restore. */
const subtasksOf = (entries: readonly TraceEntry[], named: (entry: TraceEntry) => string): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  for (const entry of entries) {
    const name = named(entry);
    found.set(name, (found.get(name) ?? new Set()).add(entry["subtask"] as string));
  }
  return found;
};

describe("where each piece of state goes", () => {
  const changes: [string, Json][] = [
    ["2 to 3", { S: 3, C: 3, T: 3, K: 3 }],
    ["2 to 1", { S: 1, C: 1, T: 1, K: 1 }],
    ["as it was", {}],
    ["some of each", { S: 1, C: 3, T: 4 }],
  ];
  const job = (widths: Json): Json => ({
    vertices: Object.entries(widths).map(([uid, parallelism]) => ({ uid, parallelism })),
  });

  test.each(changes)("CP-175, CP-177, CP-180: %s: keys and splits are where the dry run says", (_, widths) => {
    const run = asked(both(job(widths), { topics: true }));
    agrees(run);
    const { told, story } = run;
    const { graph } = told;
    const place = (operator: number, number: number): string =>
      `${at(graph.operators, operator).vertex.uid}[${number}]`;
    const byKey = (submission: number): Map<string, Set<string>> =>
      subtasksOf(story.all("RecordProcessed", { vertex: "T", submission }), ({ record }) => keyOf(record as string));
    const keyOf = (record: string): string => {
      const [partition, offset] = [record.split("@")[0] ?? "", Number(record.split("@")[1])];
      return `key-${(offset * 3 + Number(partition.split("-")[1])) % 9}`;
    };
    const keyed = told.moves.filter(({ kind }) => kind === "key-groups");
    expect(keyed.reduce((sum, { first, last }) => sum + last - first + 1, 0)).toBe(128);
    for (const [submission, side] of [
      [0, "from"],
      [1, "to"],
    ] as const)
      for (const [key, subtasks] of byKey(submission)) {
        const group = keyGroup(javaHash(key), 128);
        const moves = keyed.filter(({ first, last }) => first <= group && group <= last);
        expect(moves.map((move) => place(move.operator, move[side]))).toEqual([...subtasks]);
      }
    for (const { kind, operator, from, to, first } of told.moves) {
      if (kind !== "split") continue;
      const partition = at(graph.inputs, first).name;
      const emitted = (submission: number): Set<unknown> =>
        new Set(
          story
            .all("RecordEmitted", { submission })
            .filter(({ record }) => (record as string).startsWith(`${partition}@`))
            .map(({ subtask }) => subtask),
        );
      expect([[...emitted(0)], [...emitted(1)]]).toEqual([[place(operator, from)], [place(operator, to)]]);
    }
  });

  test.each(changes)("CP-180: %s: a counter goes on from the elements that the dry run gives it", (_, widths) => {
    const { told, story } = asked(both(job(widths), { topics: true }));
    const last = story.first("StateRestored", { submission: 1 })["checkpoint"];
    const held = (number: number): number => {
      const taken = story.first("SnapshotTaken", { subtask: `C[${number}]`, checkpoint: last }).step;
      return story.all("RecordProcessed", { subtask: `C[${number}]` }).filter(({ step }) => step < taken).length;
    };
    const counters = told.moves.filter(({ operator }) => at(told.graph.operators, operator).vertex.uid === "C");
    const parallelism = Number((widths as { C?: number }).C ?? 2);
    expect(counters).toHaveLength(2);
    for (let number = 0; number < parallelism; number++) {
      const sum = counters.filter(({ to }) => to === number).reduce((all, { from }) => all + held(from), 0);
      const [first] = story.values("RecordProcessed", "value", { subtask: `C[${number}]`, submission: 1 });
      expect(first ?? sum + 1).toBe(sum + 1);
    }
  });

  test("CP-175: what the view says of the job that runs is what the dry run said", () => {
    const scenario = both({ vertices: [{ uid: "T", parallelism: 3 }] });
    const { told, story } = asked(scenario);
    const view = initialView(scenario, story.result.graph);
    advance(view, story.result.log, story.first("StateRestored", { submission: 1 }).step);
    expect(movesInto(view.shared, (submission) => view.past[submission]?.shared)).toEqual(told.moves);
    expect(
      told.moves
        .filter(({ kind }) => kind === "key-groups")
        .map(({ from, to, first, last }) => [from, to, first, last]),
    ).toEqual([
      [0, 0, 0, 42],
      [0, 1, 43, 63],
      [1, 1, 64, 85],
      [1, 2, 86, 127],
    ]);
  });

  test("CP-164, FR-014: before a rescale: nothing is read again, and key groups go where they then go", () => {
    const rescale = after("RecordEmitted", { record: "in-0@5" }, "rescale", { vertex: "T", parallelism: 3 });
    const scenario = small({
      vertices: [source("S"), { uid: "T", type: "keyed-sum", parallelism: 2, chain: false }, sink("K")],
      edges: ["S hash T", "T rebalance K"],
      cluster: { taskManagers: 1, slots: 4 },
      config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
      faults: [rescale],
    });
    const done = runScenario(scenario);
    const story = new Story(done);
    const view = initialView(scenario, done.graph);
    advance(view, done.log, story.first("FaultInjected").step - 1);
    const told = restorePreview(view, "now", { ...at(scenario.faults, 0) });
    expect(told.refusal).toBe(null);
    expect(told.offsets.map(({ readAgain }) => readAgain)).toEqual([0]);
    const target = Number(story.first("SourceRewound", { submission: 1 })["target"]);
    expect(target).toBeGreaterThanOrEqual(at(told.offsets, 0).offset);
    advance(view, done.log, story.first("StateRestored", { submission: 1 }).step);
    expect(movesInto(view.shared, (submission) => view.past[submission]?.shared)).toEqual(told.moves);
  });
});
