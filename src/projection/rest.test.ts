/** Replies of Flink's REST API about small runs, whole. */
import { describe, expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { withFaults } from "../engine/testing/runs.ts";
import { advance, initialView } from "./fold.ts";
import { restReplies, restText } from "./rest.ts";

type Json = Record<string, unknown>;

function replies(change: (source: Json) => void = () => {}, ...faults: Json[]): Record<string, Json> {
  const scenario = withFaults("linear", faults, change);
  const { graph, log } = runScenario(scenario);
  const view = initialView(scenario, graph);
  advance(view, log, log.length - 1);
  expect(JSON.stringify(JSON.parse(restText(view)))).toBeTruthy();
  return restReplies(view) as Record<string, Json>;
}

const job = `GET /jobs/${"0".repeat(32)}`;
const configure =
  (options: Json) =>
  (source: Json): void => {
    Object.assign(source["config"] as Json, options);
  };

describe("a run of three checkpoints", () => {
  const run = replies();
  test("every request is there", () => {
    expect(Object.keys(run).map((request) => request.replace(job, ""))).toMatchInlineSnapshot(`
      [
        "/checkpoints",
        "/checkpoints/config",
        "/checkpoints/details/1",
        "/checkpoints/details/1/subtasks/eb67c9876e0aa12414bbc4834d4fb980",
        "/checkpoints/details/1/subtasks/c020c91d91c885a8e8555ad4189df0c8",
        "/checkpoints/details/1/subtasks/551c8492b1ae5bb474fe8ec01584badf",
        "/checkpoints/details/2",
        "/checkpoints/details/2/subtasks/eb67c9876e0aa12414bbc4834d4fb980",
        "/checkpoints/details/2/subtasks/c020c91d91c885a8e8555ad4189df0c8",
        "/checkpoints/details/2/subtasks/551c8492b1ae5bb474fe8ec01584badf",
        "/checkpoints/details/3",
        "/checkpoints/details/3/subtasks/eb67c9876e0aa12414bbc4834d4fb980",
        "/checkpoints/details/3/subtasks/c020c91d91c885a8e8555ad4189df0c8",
        "/checkpoints/details/3/subtasks/551c8492b1ae5bb474fe8ec01584badf",
        "/plan",
      ]
    `);
  });
  test("CP-216: GET /jobs/:jobid/checkpoints", () => {
    expect(JSON.stringify(run[`${job}/checkpoints`], null, 1)).toMatchInlineSnapshot(`
      "{
       "counts": {
        "restored": 0,
        "total": 3,
        "in_progress": 0,
        "completed": 3,
        "failed": 0
       },
       "summary": {
        "checkpointed_size": {
         "min": 40,
         "max": 40,
         "avg": 40,
         "p50": 40,
         "p90": 40,
         "p95": 40,
         "p99": 40,
         "p999": 40
        },
        "state_size": {
         "min": 40,
         "max": 40,
         "avg": 40,
         "p50": 40,
         "p90": 40,
         "p95": 40,
         "p99": 40,
         "p999": 40
        },
        "end_to_end_duration": {
         "min": 30,
         "max": 30,
         "avg": 30,
         "p50": 30,
         "p90": 30,
         "p95": 30,
         "p99": 30,
         "p999": 30
        },
        "alignment_buffered": {
         "min": 0,
         "max": 0,
         "avg": 0,
         "p50": 0,
         "p90": 0,
         "p95": 0,
         "p99": 0,
         "p999": 0
        },
        "processed_data": {
         "min": 0,
         "max": 0,
         "avg": 0,
         "p50": 0,
         "p90": 0,
         "p95": 0,
         "p99": 0,
         "p999": 0
        },
        "persisted_data": {
         "min": 0,
         "max": 0,
         "avg": 0,
         "p50": 0,
         "p90": 0,
         "p95": 0,
         "p99": 0,
         "p999": 0
        }
       },
       "latest": {
        "completed": {
         "className": "completed",
         "id": 3,
         "status": "COMPLETED",
         "is_savepoint": false,
         "savepointFormat": null,
         "trigger_timestamp": 1101,
         "latest_ack_timestamp": 1131,
         "checkpointed_size": 40,
         "state_size": 40,
         "end_to_end_duration": 30,
         "alignment_buffered": 0,
         "processed_data": 0,
         "persisted_data": 0,
         "num_subtasks": 3,
         "num_acknowledged_subtasks": 3,
         "checkpoint_type": "CHECKPOINT",
         "tasks": {},
         "external_path": "<checkpoint-not-externally-addressable>",
         "discarded": false
        },
        "savepoint": null,
        "failed": null,
        "restored": null
       },
       "history": [
        {
         "className": "completed",
         "id": 3,
         "status": "COMPLETED",
         "is_savepoint": false,
         "savepointFormat": null,
         "trigger_timestamp": 1101,
         "latest_ack_timestamp": 1131,
         "checkpointed_size": 40,
         "state_size": 40,
         "end_to_end_duration": 30,
         "alignment_buffered": 0,
         "processed_data": 0,
         "persisted_data": 0,
         "num_subtasks": 3,
         "num_acknowledged_subtasks": 3,
         "checkpoint_type": "CHECKPOINT",
         "tasks": {},
         "external_path": "<checkpoint-not-externally-addressable>",
         "discarded": false
        },
        {
         "className": "completed",
         "id": 2,
         "status": "COMPLETED",
         "is_savepoint": false,
         "savepointFormat": null,
         "trigger_timestamp": 701,
         "latest_ack_timestamp": 731,
         "checkpointed_size": 40,
         "state_size": 40,
         "end_to_end_duration": 30,
         "alignment_buffered": 0,
         "processed_data": 0,
         "persisted_data": 0,
         "num_subtasks": 3,
         "num_acknowledged_subtasks": 3,
         "checkpoint_type": "CHECKPOINT",
         "tasks": {},
         "external_path": "<checkpoint-not-externally-addressable>",
         "discarded": true
        },
        {
         "className": "completed",
         "id": 1,
         "status": "COMPLETED",
         "is_savepoint": false,
         "savepointFormat": null,
         "trigger_timestamp": 301,
         "latest_ack_timestamp": 331,
         "checkpointed_size": 40,
         "state_size": 40,
         "end_to_end_duration": 30,
         "alignment_buffered": 0,
         "processed_data": 0,
         "persisted_data": 0,
         "num_subtasks": 3,
         "num_acknowledged_subtasks": 3,
         "checkpoint_type": "CHECKPOINT",
         "tasks": {},
         "external_path": "<checkpoint-not-externally-addressable>",
         "discarded": true
        }
       ]
      }"
    `);
  });
  test("CP-217: GET /jobs/:jobid/checkpoints/details/:checkpointid", () => {
    expect(run[`${job}/checkpoints/details/1`]).toMatchInlineSnapshot(`
      {
        "alignment_buffered": 0,
        "checkpoint_type": "CHECKPOINT",
        "checkpointed_size": 40,
        "className": "completed",
        "discarded": true,
        "end_to_end_duration": 30,
        "external_path": "<checkpoint-not-externally-addressable>",
        "id": 1,
        "is_savepoint": false,
        "latest_ack_timestamp": 331,
        "num_acknowledged_subtasks": 3,
        "num_subtasks": 3,
        "persisted_data": 0,
        "processed_data": 0,
        "savepointFormat": null,
        "state_size": 40,
        "status": "COMPLETED",
        "tasks": {
          "551c8492b1ae5bb474fe8ec01584badf": {
            "alignment_buffered": 0,
            "checkpointed_size": 16,
            "end_to_end_duration": 30,
            "id": 1,
            "latest_ack_timestamp": 331,
            "num_acknowledged_subtasks": 1,
            "num_subtasks": 1,
            "persisted_data": 0,
            "processed_data": 0,
            "state_size": 16,
            "status": "COMPLETED",
          },
          "c020c91d91c885a8e8555ad4189df0c8": {
            "alignment_buffered": 0,
            "checkpointed_size": 8,
            "end_to_end_duration": 25,
            "id": 1,
            "latest_ack_timestamp": 326,
            "num_acknowledged_subtasks": 1,
            "num_subtasks": 1,
            "persisted_data": 0,
            "processed_data": 0,
            "state_size": 8,
            "status": "COMPLETED",
          },
          "eb67c9876e0aa12414bbc4834d4fb980": {
            "alignment_buffered": 0,
            "checkpointed_size": 16,
            "end_to_end_duration": 23,
            "id": 1,
            "latest_ack_timestamp": 324,
            "num_acknowledged_subtasks": 1,
            "num_subtasks": 1,
            "persisted_data": 0,
            "processed_data": 0,
            "state_size": 16,
            "status": "COMPLETED",
          },
        },
        "trigger_timestamp": 301,
      }
    `);
  });
  test("CP-218: GET /jobs/:jobid/checkpoints/details/:checkpointid/subtasks/:vertexid", () => {
    const request = Object.keys(run).find((each) => each.includes("details/1/subtasks/"));
    expect(run[request ?? ""]).toMatchInlineSnapshot(`
      {
        "alignment_buffered": 0,
        "checkpointed_size": 16,
        "end_to_end_duration": 23,
        "id": 1,
        "latest_ack_timestamp": 324,
        "num_acknowledged_subtasks": 1,
        "num_subtasks": 1,
        "persisted_data": 0,
        "processed_data": 0,
        "state_size": 16,
        "status": "COMPLETED",
        "subtasks": [
          {
            "aborted": false,
            "ack_timestamp": 324,
            "alignment": {
              "buffered": 0,
              "duration": 0,
              "persisted": 0,
              "processed": 0,
            },
            "checkpoint": {
              "async": 20,
              "sync": 1,
            },
            "checkpointed_size": 16,
            "className": "completed",
            "end_to_end_duration": 23,
            "index": 0,
            "start_delay": 1,
            "state_size": 16,
            "status": "completed",
            "unaligned_checkpoint": false,
          },
        ],
        "summary": {
          "alignment": {
            "buffered": {
              "avg": 0,
              "max": 0,
              "min": 0,
              "p50": 0,
              "p90": 0,
              "p95": 0,
              "p99": 0,
              "p999": 0,
            },
            "duration": {
              "avg": 0,
              "max": 0,
              "min": 0,
              "p50": "NaN",
              "p90": "NaN",
              "p95": "NaN",
              "p99": "NaN",
              "p999": "NaN",
            },
            "persisted": {
              "avg": 0,
              "max": 0,
              "min": 0,
              "p50": "NaN",
              "p90": "NaN",
              "p95": "NaN",
              "p99": "NaN",
              "p999": "NaN",
            },
            "processed": {
              "avg": 0,
              "max": 0,
              "min": 0,
              "p50": "NaN",
              "p90": "NaN",
              "p95": "NaN",
              "p99": "NaN",
              "p999": "NaN",
            },
          },
          "checkpoint_duration": {
            "async": {
              "avg": 20,
              "max": 20,
              "min": 20,
              "p50": "NaN",
              "p90": "NaN",
              "p95": "NaN",
              "p99": "NaN",
              "p999": "NaN",
            },
            "sync": {
              "avg": 1,
              "max": 1,
              "min": 1,
              "p50": "NaN",
              "p90": "NaN",
              "p95": "NaN",
              "p99": "NaN",
              "p999": "NaN",
            },
          },
          "checkpointed_size": {
            "avg": 16,
            "max": 16,
            "min": 16,
            "p50": "NaN",
            "p90": "NaN",
            "p95": "NaN",
            "p99": "NaN",
            "p999": "NaN",
          },
          "end_to_end_duration": {
            "avg": 23,
            "max": 23,
            "min": 23,
            "p50": "NaN",
            "p90": "NaN",
            "p95": "NaN",
            "p99": "NaN",
            "p999": "NaN",
          },
          "start_delay": {
            "avg": 1,
            "max": 1,
            "min": 1,
            "p50": "NaN",
            "p90": "NaN",
            "p95": "NaN",
            "p99": "NaN",
            "p999": "NaN",
          },
          "state_size": {
            "avg": 16,
            "max": 16,
            "min": 16,
            "p50": "NaN",
            "p90": "NaN",
            "p95": "NaN",
            "p99": "NaN",
            "p999": "NaN",
          },
        },
      }
    `);
  });
  test("CP-219: GET /jobs/:jobid/checkpoints/config", () => {
    expect(run[`${job}/checkpoints/config`]).toMatchInlineSnapshot(`
      {
        "aligned_checkpoint_timeout": 0,
        "changelog_periodic_materialization_interval": 600000,
        "changelog_storage": "memory",
        "checkpoint_storage": "JobManagerCheckpointStorage",
        "checkpoints_after_tasks_finish": true,
        "externalization": {
          "delete_on_cancellation": true,
          "enabled": false,
        },
        "interval": 5000,
        "max_concurrent": 1,
        "min_pause": 0,
        "mode": "exactly_once",
        "state_backend": "HashMapStateBackend",
        "state_changelog_enabled": false,
        "timeout": 600000,
        "tolerable_failed_checkpoints": 0,
        "unaligned_checkpoints": false,
      }
    `);
  });
  test("CP-220: GET /jobs/:jobid/plan", () => {
    expect(JSON.stringify(run[`${job}/plan`], null, 1)).toMatchInlineSnapshot(`
      "{
       "plan": {
        "jid": "00000000000000000000000000000000",
        "name": "linear",
        "type": "STREAMING",
        "nodes": [
         {
          "id": "eb67c9876e0aa12414bbc4834d4fb980",
          "parallelism": 1,
          "operator": "",
          "operator_strategy": "",
          "description": "Source: in",
          "optimizer_properties": {}
         },
         {
          "id": "c020c91d91c885a8e8555ad4189df0c8",
          "parallelism": 1,
          "operator": "",
          "operator_strategy": "",
          "description": "Count",
          "inputs": [
           {
            "num": 0,
            "id": "eb67c9876e0aa12414bbc4834d4fb980",
            "ship_strategy": "FORWARD",
            "exchange": "pipelined_bounded"
           }
          ],
          "optimizer_properties": {}
         },
         {
          "id": "551c8492b1ae5bb474fe8ec01584badf",
          "parallelism": 1,
          "operator": "",
          "operator_strategy": "",
          "description": "Sink: out",
          "inputs": [
           {
            "num": 0,
            "id": "c020c91d91c885a8e8555ad4189df0c8",
            "ship_strategy": "FORWARD",
            "exchange": "pipelined_bounded"
           }
          ],
          "optimizer_properties": {}
         }
        ]
       }
      }"
    `);
  });
});

test("CP-216: a checkpoint that failed has when and why, one that was restored its time and path", () => {
  const run = replies(
    configure({
      "execution.checkpointing.dir": "file:///ck",
      "execution.checkpointing.tolerable-failed-checkpoints": 9,
    }),
    { at: { after: "SnapshotTaken", checkpoint: 2 }, do: "fail-task", target: "MAP[0]" },
  );
  const { latest, counts } = run[`${job}/checkpoints`] as { latest: Json; counts: Json };
  expect(counts).toMatchInlineSnapshot(`
    {
      "completed": 2,
      "failed": 2,
      "in_progress": 0,
      "restored": 1,
      "total": 4,
    }
  `);
  expect(latest["failed"]).toMatchInlineSnapshot(`
    {
      "alignment_buffered": 0,
      "checkpoint_type": "CHECKPOINT",
      "checkpointed_size": 0,
      "className": "failed",
      "end_to_end_duration": -1,
      "failure_message": "Checkpoint Coordinator is suspending.",
      "failure_timestamp": 704,
      "id": 2,
      "is_savepoint": false,
      "latest_ack_timestamp": -1,
      "num_acknowledged_subtasks": 0,
      "num_subtasks": 3,
      "persisted_data": 0,
      "processed_data": 0,
      "savepointFormat": null,
      "state_size": 0,
      "status": "FAILED",
      "tasks": {},
      "trigger_timestamp": 701,
    }
  `);
  expect(latest["restored"]).toMatchInlineSnapshot(`
    {
      "external_path": "file:///ck/00000000000000000000000000000000/chk-1",
      "id": 1,
      "is_savepoint": false,
      "restore_timestamp": 10704,
    }
  `);
});

test("CP-218: a subtask that did not acknowledge is pending or failed", () => {
  const run = replies(
    configure({
      "execution.checkpointing.timeout": "15 ms",
      "execution.checkpointing.tolerable-failed-checkpoints": 9,
    }),
  );
  const subtasks = Object.values(run).flatMap((reply) => (reply["subtasks"] ?? []) as Json[]);
  expect(subtasks).toContainEqual({ className: "pending", index: 0, status: "pending_or_failed" });
});

test("CP-219: options are told in Flink's words, in every version", () => {
  const config = (version: string, options: Json): Json =>
    replies((source) => {
      source["flink"] = version;
      configure(options)(source);
    })[`${job}/checkpoints/config`] ?? {};
  expect(
    config("1.18", {
      "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
      "state.backend.type": "rocksdb",
      "state.checkpoints.dir": "file:///ck",
    }),
  ).toMatchObject({
    state_backend: "EmbeddedRocksDBStateBackend",
    checkpoint_storage: "FileSystemCheckpointStorage",
    externalization: { enabled: true, delete_on_cancellation: false },
    checkpoints_after_tasks_finish: true,
  });
});

describe("savepoints", () => {
  const savepoint = (verb: string, more: Json = {}): Json => ({
    at: { after: "RecordEmitted", record: "in-0@5" },
    do: verb,
    path: "s3://sp",
    ...more,
  });
  const told = (run: Record<string, Json>): unknown => {
    const { counts, latest, history } = run[`${job}/checkpoints`] as { counts: Json; latest: Json; history: Json[] };
    const short = (each: Json): string =>
      ["id", "checkpoint_type", "savepointFormat", "discarded", "external_path"]
        .map((field) => String(each[field] as string | number | boolean | null).replace(/[0-9a-f]{12}$/, "…"))
        .join(" ");
    const named = (name: string): string | null => (latest[name] === null ? null : short(latest[name] as Json));
    return { counts, completed: named("completed"), savepoint: named("savepoint"), history: history.map(short) };
  };

  test("CP-216: a savepoint has its kind, its format and its path, and is not the latest completed checkpoint", () => {
    const run = replies(undefined, savepoint("trigger-savepoint", { formatType: "native" }));
    expect(told(run)).toMatchObject({
      counts: { total: 4, completed: 4 },
      completed: "4 CHECKPOINT null false <checkpoint-not-externally-addressable>",
      savepoint: "2 SAVEPOINT NATIVE false s3://sp/savepoint-000000-…",
    });
  });

  test("CP-168, CP-216: with the job that stops its checkpoints are discarded, its savepoint is not", () => {
    expect(told(replies(undefined, savepoint("stop-with-savepoint")))).toMatchObject({
      savepoint: "2 SYNC_SAVEPOINT CANONICAL false s3://sp/savepoint-000000-…",
      history: [
        "2 SYNC_SAVEPOINT CANONICAL false s3://sp/savepoint-000000-…",
        "1 CHECKPOINT null true <checkpoint-not-externally-addressable>",
      ],
    });
  });
});
