/** What the storage strip shows of earlier jobs, beside the shelf that the log tells of. */
import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { after, atTime, lane, small, triggersAfter } from "../../engine/testing/stories.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { Shelf } from "../../projection/shelf.ts";
import { createFollower } from "../machines/follower.ts";
import { frameAt } from "./frame.ts";
import { laterWith } from "./frame-later.ts";
import type { StorageFrame } from "./frame-types.ts";
import { stageLayout } from "./layout.ts";

type Json = { readonly [key: string]: unknown };

/** Checkpoints 1 and 2, savepoint 3, the end of the first job, and a second that goes on from `restore`. */
async function storageOf(restore: Json, retention: string, retained = 2): Promise<StorageFrame> {
  const scenario = small({
    ...lane(1),
    restart: { type: "none" },
    config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
    checkpointing: { dir: "file:///ck", "num-retained": retained, "externalized-checkpoint-retention": retention },
    faults: [
      ...triggersAfter("in-0@3", "in-0@6"),
      after("RecordEmitted", { record: "in-0@8" }, "trigger-savepoint"),
      atTime(1000, "cancel"),
      after("JobStatusChanged", { to: "CANCELED" }, "restore", restore),
      after("RecordEmitted", { record: "in-0@9", submission: 1 }, "trigger-checkpoint"),
    ],
  });
  const { graph, log } = runScenario(scenario);
  const view = initialView(scenario, graph);
  const shelf = new Shelf(view.shared, log);
  const layout = await stageLayout(graph, { width: 1060, height: 560 });
  advance(view, log, log.length - 1);
  const later = laterWith((step) => shelf.at(step));
  return frameAt(view, createFollower().follow(log, view), view.clock, layout, later).scene.storage;
}

const lines = ({ earlier }: StorageFrame): string[] =>
  earlier.map(
    ({ checkpoint, savepoint, job, owner }) => `${savepoint ? "savepoint" : "chk"} ${checkpoint} job ${job} ${owner}`,
  );

test("CP-160, CP-168: what the job before has left stays on the strip: its retained checkpoints Flink's, its savepoint its user's", async () => {
  const storage = await storageOf({ from: "checkpoint" }, "RETAIN_ON_CANCELLATION");
  expect(lines(storage)).toEqual(["savepoint 3 job 1 user", "chk 1 job 1 1"]);
  // The one that the job was started from is among its own.
  expect(storage.checkpoints.map(({ id }) => id)).toContain(2);
});

test("CP-168: checkpoints that the end of their job deletes are gone, the savepoint stays", async () => {
  expect(lines(await storageOf({ from: "savepoint" }, "DELETE_ON_CANCELLATION"))).toEqual([]);
});

test("CP-131, CP-160: a savepoint that the job was started from is told as the job before's once its own checkpoints took its place", async () => {
  const storage = await storageOf({ from: "savepoint" }, "DELETE_ON_CANCELLATION", 1);
  expect(storage.checkpoints.map(({ id }) => id)).not.toContain(3);
  expect(lines(storage)).toEqual(["savepoint 3 job 1 user"]);
});
