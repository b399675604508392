/**
 * Each invariant bites: with the defect that `docs/mutations.json` names for it, it is among the violations; without, the
 * same run has none. Every violation of a run is looked at, since a defect often breaks more than one.
 */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Decisions } from "./decisions.ts";
import * as defects from "./defects.ts";
import { Invariants } from "./invariants.ts";
import { type Mutation, type Mutations, violationsOf } from "./testing/mutations.ts";

const mutations = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../../docs/mutations.json"), "utf8"),
) as Mutations;

const known = new Map<string, Partial<Decisions>>(Object.entries(defects));

const cases: readonly { readonly title: string }[] = [
  { title: "INV-001: a record sent before the barrier is in the receiver's snapshot" },
  { title: "INV-002: a snapshot holds no record sent behind the barrier" },
  { title: "INV-003: an aligned snapshot holds exactly what was sent before the barrier" },
  { title: "INV-004: a record in flight is stored on one side of its channel" },
  { title: "INV-005: at least once, a record sent before the barrier is in the receiver's snapshot" },
  { title: "INV-006: a channel is first in, first out" },
  { title: "INV-007: the offset in a snapshot is that at the barrier" },
  { title: "INV-008: between barrier and snapshot a task does nothing else" },
  { title: "INV-010: checkpoint ids increase" },
  { title: "INV-011: barrier ids ascend on each channel" },
  { title: "INV-012: a barrier goes into each channel once" },
  { title: "INV-013: the snapshots of an attempt ascend" },
  { title: "INV-014: one request at a time is in its trigger phase" },
  { title: "INV-015: operator coordinators take their snapshots before any task" },
  { title: "INV-020: a checkpoint reaches one end and stays there" },
  { title: "INV-021: a completed checkpoint has one acknowledgement of each subtask" },
  { title: "INV-022: no more checkpoints are pending than may be" },
  { title: "INV-023: ids in the store ascend" },
  { title: "INV-024: the store holds no more than is to be retained" },
  { title: "INV-025: what a checkpoint in the store refers to is in storage" },
  { title: "INV-026: nobody is told of a checkpoint that is not in the store" },
  { title: "INV-027: the completion notifications of an attempt ascend" },
  { title: "INV-028: a checkpoint that failed has no effect on recovery" },
  { title: "INV-029: no channel is blocked without a pending checkpoint" },
  { title: "INV-031: a checkpoint ends no savepoint, and what a savepoint refers to is never deleted" },
  { title: "INV-032: a failed checkpoint is counted once" },
  { title: "INV-033: state holds each input once" },
  { title: "INV-034: a task ends with a completed checkpoint that it took behind its data" },
  { title: "INV-035: a finished vertex is restored as finished, and no other" },
  { title: "INV-036: no record comes behind the end of data" },
  { title: "INV-037: nothing is pending beside the savepoint of a stop" },
  { title: "INV-040: each key is processed by the owner of its key group" },
  { title: "INV-041: list state has the same elements in all subtasks together" },
  { title: "INV-042: recovered channel state comes before anything new" },
  { title: "INV-101: a terminal state is never left" },
  { title: "INV-102: every state change is a legal pair" },
  { title: "INV-103: one attempt of a subtask is non-terminal" },
  { title: "INV-104: attempt numbers grow by one" },
  { title: "INV-105: no checkpoint is pending while the job does not run" },
  { title: "INV-106: restart sets are closed" },
  { title: "INV-107: restarts obey the strategy's arithmetic" },
  { title: "INV-108: recovery uses the newest completed checkpoint" },
  { title: "INV-109: a restored source continues at its checkpoint's offset" },
  { title: "INV-110: a restored attempt has the state that its checkpoint holds" },
  { title: "INV-111: an old attempt's acknowledgement changes nothing" },
  { title: "INV-112: no transaction is both committed and aborted" },
  { title: "INV-113: a transaction is committed only after its checkpoint completed" },
  { title: "INV-114: what a completed checkpoint holds is committed" },
  { title: "INV-115: what came after the restored checkpoint is aborted" },
  { title: "INV-116: an initialised id fences older attempts" },
  { title: "INV-117: a sink's subtask has one transaction that accepts writes" },
  { title: "INV-118: records enter transactions in order" },
  { title: "INV-119: a transaction leaves one marker on each partition" },
  { title: "INV-120: at rest the committed reader has everything once" },
  { title: "INV-121: the committed reader never sees more than the input allows" },
  { title: "INV-122: finished files have everything once, and never more" },
  { title: "INV-123: at rest a table has the row of each key that it should have" },
  { title: "INV-124: what a write-ahead log has recorded is not sent again, and nothing is missing" },
  { title: "INV-125: with a flushed sink nothing is missing at rest" },
  { title: "INV-126: what a connection delivered counts at most once" },
  { title: "INV-127: the uncommitted reader sees all that the committed one does" },
  { title: "INV-128: a transaction given up shows in the verdict" },
  { title: "INV-129: the last stable offset never decreases" },
  { title: "INV-130: one transaction of an id is under way" },
  { title: "INV-131: a restore never reads the consumer group's offset" },
];

const idOf = (title: string): string => title.slice(0, 7);

/** An invariant's mutations as one list. */
function mutationsOf(id: string): readonly Mutation[] {
  const mutation = mutations[id];
  return mutation === undefined ? [] : [mutation, ...(mutation.also ?? [])];
}

describe("with its defect an invariant is violated, without it none is", () => {
  test.each(cases)("$title", ({ title }) => {
    const id = idOf(title);
    expect(mutationsOf(id).length).toBeGreaterThan(0);
    for (const mutation of mutationsOf(id)) {
      const defect = known.get(mutation.defect);
      expect(defect, mutation.defect).toBeDefined();
      expect(violationsOf(mutation, null), `${mutation.scenario} without ${mutation.defect}`).toEqual([]);
      const found = violationsOf(mutation, defect ?? {}).map(({ invariant }) => invariant);
      expect(found, mutation.what).toContain(id);
    }
  });
});

test("every invariant that is watched has its mutation, and every defect is used", () => {
  expect(cases.map(({ title }) => idOf(title))).toEqual([...new Invariants().checked]);
  expect(Object.keys(mutations)).toEqual([...new Invariants().checked]);
  const used = new Set(Object.keys(mutations).flatMap((id) => mutationsOf(id).map(({ defect }) => defect)));
  expect([...known.keys()].filter((name) => !used.has(name))).toEqual([]);
});

test("nothing that is shipped imports the defects", () => {
  const root = path.resolve(import.meta.dirname, "..");
  const shipped = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.(test|props|model|bench)\.tsx?$/.test(file) && !file.includes("testing"),
  );
  const importers = shipped.filter((file) =>
    /from "[./]*(engine\/)?defects\.ts"/.test(readFileSync(path.join(root, file), "utf8")),
  );
  expect(importers).toEqual([]);
});
