/** The directories that the log tells of, beside the files that the engine's report has. */
import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { after, atTime, sink, small, source, triggersAfter } from "../engine/testing/stories.ts";
import { EventNumber } from "../protocol/events.ts";
import { storedFilesOf } from "./stored-files.ts";

const run = runScenario(
  small({
    vertices: [source("S", { parallelism: 2 }), { uid: "T", type: "keyed-sum", parallelism: 2 }, sink("K")],
    edges: ["S hash T", "T rebalance K"],
    topics: { in: { partitions: 2, records: 14, every: "100 ms", keys: 4 } },
    restart: { type: "none" },
    config: {
      "execution.checkpointing.savepoint-dir": "file:///sp",
      "state.backend.type": "rocksdb",
      "execution.checkpointing.data-inline-threshold": "0 b",
      "execution.checkpointing.incremental": true,
    },
    checkpointing: {
      dir: "file:///ck",
      "num-retained": 2,
      "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
    },
    faults: [
      ...triggersAfter("in-0@3", "in-0@5"),
      after("RecordEmitted", { record: "in-0@7" }, "trigger-savepoint"),
      atTime(1000, "cancel"),
      after("JobStatusChanged", { to: "CANCELED" }, "restore", {}),
      after("RecordEmitted", { record: "in-0@11", submission: 1 }, "trigger-checkpoint"),
    ],
  }),
);

/** Of paths of files: by directory how many there are, their bytes, and whether the metadata is among them. */
function byFolder(): Map<string, [files: number, bytes: number, whole: boolean]> {
  const folders = new Map<string, [number, number, boolean]>();
  for (const { path, bytes } of run.report.files) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const [files, sum, whole] = folders.get(folder) ?? [0, 0, false];
    folders.set(folder, [files + 1, sum + bytes, whole || path.endsWith("/_metadata")]);
  }
  return folders;
}

test("CP-112: each job's directories hold what the report's files say, its own and those of the job before", () => {
  const told = storedFilesOf(run.log).at(run.log.length - 1);
  const figures = (list: Iterable<readonly [number, number, boolean]>): string[] => [...list].map(String).toSorted();
  expect(figures(told.map(({ files, bytes, whole }) => [files, bytes, whole]))).toEqual(figures(byFolder().values()));
  expect(new Set(told.map(({ submission }) => submission))).toEqual(new Set([0, 1]));
  expect(told.filter(({ checkpoint }) => checkpoint === null).length).toBeGreaterThan(0);
});

test("CP-130: what is deleted is in no directory any more, and is there before", () => {
  const files = storedFilesOf(run.log);
  const deletions = Array.from({ length: run.log.length }, (_, step) => step).filter((step) => {
    const [before, then] = [files.at(step - 1), files.at(step)].map((list) =>
      list.reduce((sum, directory) => sum + directory.files, 0),
    ) as [number, number];
    return then < before;
  });
  const deleted = Array.from({ length: run.log.length }, (_, step) => step).filter(
    (step) => run.log.type(step) === EventNumber.CheckpointFileDeleted,
  );
  expect(deletions).toEqual(deleted);
  expect(files.at(0)).toEqual([]);
});
