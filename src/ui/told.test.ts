/** Every kind of source, the write-ahead log and dedup, as the page tells and draws them: each entry has its sentence, each step its scene. */
import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { type Small, after, atTime, counter, sink, small, source, triggersAfter } from "../engine/testing/stories.ts";
import { createFollower } from "../view/machines/follower.ts";
import { createFrames } from "../view/stage/frame.ts";
import { stageLayout } from "../view/stage/layout.ts";
import { sentenceOf } from "./narration.ts";
import { Run } from "./run.ts";
import { en } from "./text/en.ts";

type Json = { readonly [key: string]: unknown };

/** The sentences of a run, each once, with names and numbers as they are; every step is drawn on the way. */
async function told(parts: Small): Promise<string[]> {
  const scenario = small(parts);
  const { graph, log } = runScenario(scenario);
  const run = new Run({ graph, scenario, parent: null, base: 0, commands: scenario.faults });
  run.append(log.chunk(0));
  const layout = await stageLayout(graph, { width: 1000, height: 600 });
  const [follower, frames] = [createFollower(), createFrames()];
  const sentences = new Set<string>();
  for (let step = 0; step < run.log.length; step++) {
    const view = run.stageViews.viewAt(step);
    expect(frames(view, follower.follow(run.log, view), view.clock, layout).scene.subtasks).toHaveLength(
      graph.subtasks.length,
    );
    const sentence = sentenceOf(run, step, en);
    expect(sentence, `step ${step}`).not.toMatch(/undefined|NaN|\[object/);
    sentences.add(sentence);
  }
  return [...sentences];
}

const behind = (vertex: Json, more: Partial<Small> = {}): Small => ({
  vertices: [{ uid: "S", chain: false, ...vertex }, counter("M"), sink("K")],
  edges: ["S forward M", "M forward K"],
  topics: {},
  ...more,
});

test.each<[string, Small, readonly RegExp[]]>([
  [
    "retention",
    {
      vertices: [source("S"), sink("K")],
      edges: ["S forward K"],
      faults: [
        ...triggersAfter("in-0@3"),
        atTime(950, "fail-task", { target: "S[0]" }),
        atTime(1200, "expire-records", { topic: "in", before: 7 }),
      ],
    },
    [
      /retention deletes the oldest records/,
      /Offset 4 of in-0 is gone from the log: S\[0\] goes on at 7\. The 3 records between are lost/,
    ],
  ],
  [
    "a partition more",
    {
      vertices: [source("S", { properties: { "partition.discovery.interval.ms": "1 s" } }), sink("K")],
      edges: ["S forward K"],
      faults: [
        atTime(300, "add-partition", { topic: "in", records: 3, every: "10 ms" }),
        atTime(400, "set-rate", { topic: "in", every: "50 ms" }),
      ],
    },
    [/one more partition/, /finds a new partition, in-1/, /get faster or slower/],
  ],
  ["files", behind({ type: "file-source", records: 6, every: "50 ms", files: 2 }), [/S\[0\] reads .*S-1@0/]],
  [
    "a connection",
    behind(
      { type: "socket-source", records: 12, every: "60 ms", cost: 90 },
      { faults: [atTime(600, "fail-task", { target: "S[0]" })] },
    ),
    [/The connection of S\[0\] breaks\. It cannot ask for anything again/, /record.* that it had not read yet with it/],
  ],
  [
    "a table",
    behind(
      { type: "database-source", records: 8, snapshotDuration: "1 s", changes: 3, every: "500 ms" },
      { checkpointing: { interval: "200 ms", timeout: "300 ms", "tolerable-failed-checkpoints": 9 }, initialDelay: 0 },
    ),
    [/Checkpoint 1 fails\./],
  ],
  [
    "a write-ahead log",
    {
      vertices: [source("S"), { uid: "K", type: "write-ahead-log-sink", chain: false }],
      edges: ["S forward K"],
      faults: [
        ...triggersAfter("in-0@3", "in-0@7", "in-0@11"),
        after("CheckpointCompleted", { checkpoint: 2 }, "commit-error", { target: "K[0]", kind: "reply-lost" }),
        after("BatchCommitted", { checkpoint: 1 }, "fail-task", { target: "K[0]" }),
      ],
    },
    [
      /closes its stream: \d+ records wait/,
      /has sent the batch of checkpoint/,
      /recorded the batch of checkpoint 1 before/,
      /could not record it/,
    ],
  ],
  [
    "dedup",
    {
      vertices: [
        source("S", { parallelism: 2 }),
        { uid: "D", type: "dedup" },
        { uid: "C", type: "keyed-sum" },
        { uid: "K", type: "append-sink" },
      ],
      edges: ["S hash D", "D forward C", "C forward K"],
      topics: { in: { partitions: 2, records: 60, every: "20 ms", keys: 6 } },
      checkpointing: { mode: "AT_LEAST_ONCE" },
      faults: [
        atTime(195, "stall", { target: "S[1]", for: "150 ms" }),
        atTime(200, "trigger-checkpoint"),
        atTime(900, "fail-job"),
      ],
    },
    [/D\[0\] has seen .* before, and drops it/],
  ],
])("%s", async (_, parts, expected) => {
  const sentences = await told(parts);
  for (const pattern of expected)
    expect(
      sentences.filter((sentence) => pattern.test(sentence)),
      String(pattern),
    ).not.toEqual([]);
});
