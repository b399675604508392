import { expect, test } from "vitest";
import { commandText } from "./command-text.ts";
import { faultVerbs } from "../protocol/reasons.ts";
import { type Json, parsed, small } from "./testing/sources.ts";

const at = { time: "1 s" };
const full: readonly (Json & { readonly do: string })[] = [
  { do: "fail-task", target: "sum[1]" },
  { do: "fail-vertex", target: "sum" },
  { do: "fail-job" },
  { do: "kill-jobmanager" },
  { do: "kill-jobmanager", for: "700 ms" },
  { do: "kill-taskmanager", target: "tm-1" },
  { do: "restart-taskmanager", target: "tm-1" },
  { do: "lose-rpc", rpc: "ack", target: "sum[0]", checkpoint: 2, count: 3 },
  { do: "lose-rpc", rpc: "trigger" },
  { do: "stall", target: "sum[0]", for: "3 s" },
  { do: "resume", target: "sum[0]" },
  { do: "expire-transaction", target: "out[0]" },
  { do: "expire-transaction", transaction: "small-out-0-1" },
  { do: "expire-upload", target: "files[0]" },
  { do: "expire-table-snapshots", target: "table" },
  { do: "trigger-checkpoint" },
  { do: "fail-task", target: "sum[0]", unrecoverable: true },
  { do: "storage-down", what: "checkpoints", for: "2 s" },
  { do: "storage-down", what: "ha", kind: "reply-lost" },
  { do: "storage-up", what: "all" },
  { do: "storage-corrupt", checkpoint: 1, files: "shared" },
  { do: "slow", target: "sum[0]", factor: 4, for: "1 min" },
  { do: "partition", between: [["tm-1"], ["jobmanager"]], for: "500 ms" },
  { do: "heal", between: [["tm-1"], ["jobmanager"]] },
  {
    do: "restore",
    from: "checkpoint",
    jobId: "same",
    claimMode: "CLAIM",
    allowNonRestoredState: true,
    job: { vertices: [{ uid: "sum", parallelism: 3 }] },
    config: { "execution.checkpointing.interval": "2 s" },
    flink: "2.3",
  },
  {
    do: "restore",
    from: "savepoint",
    jobId: "fresh",
    claimMode: "NO_CLAIM",
    allowNonRestoredState: false,
    config: { "execution.checkpointing.interval": "3 s" },
    stop: "with-savepoint",
    path: "sp",
  },
  { do: "rescale", vertex: "sum", parallelism: 1, path: "sp" },
  { do: "snapshot-failure", target: "sum[0]", part: "async", checkpoint: 2 },
  { do: "commit-error", target: "out[0]", kind: "known", count: 2 },
  { do: "poison-record", record: "in-0@1", vertex: "sum" },
  { do: "poison-record", record: "in-0@1" },
  { do: "trigger-savepoint", path: "s3://bucket/savepoints", formatType: "NATIVE" },
  { do: "stop-with-savepoint", path: "sp", drain: true },
  { do: "add-partition", topic: "in", records: 4, every: "100 ms" },
  { do: "add-partition", topic: "in", values: [{ key: "a", value: 2 }] },
  { do: "expire-records", topic: "in", partition: 0, before: 3 },
  { do: "expire-records", topic: "in", before: 3 },
  { do: "set-rate", topic: "in", every: "20 ms" },
  { do: "broker-down" },
  { do: "broker-down", for: "5 s" },
  { do: "broker-up" },
  { do: "sink-write-error", target: "out[0]", kind: "reply-lost", count: 2 },
  { do: "cancel" },
  { do: "cancel-with-savepoint" },
  { do: "suppress" },
  { do: "suppress", for: "20 ms" },
  { do: "restore-cut", cut: { "sum[0]": 3, log: 2 } },
];

test("every fault is written as it was read", () => {
  const source = small();
  const sink = (source["job"] as { vertices: Json[] }).vertices[2]!;
  sink["transactionalIdPrefix"] = "small-out";
  const { vertices, edges } = source["job"] as { vertices: Json[]; edges: Json[] };
  vertices.push({ uid: "files", type: "file-sink" }, { uid: "table", type: "table-sink" });
  edges.push({ from: "sum", to: "files", ship: "rebalance" }, { from: "sum", to: "table", ship: "rebalance" });
  const { faults } = parsed({ ...source, faults: full.map((fault) => ({ at, ...fault })) });
  expect(faults.map((fault) => commandText(fault))).toEqual(full);
  expect([...new Set(full.map((fault) => fault.do))].sort()).toEqual([...faultVerbs].sort());
});
