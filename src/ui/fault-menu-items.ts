/** What can be made to happen at an element: the entries of its fault menu, most likely first. */
import { at } from "../base/assert.ts";
import type { ExecutionGraph, Partition, Subtask } from "../protocol/execution-graph.ts";
import { transactionName } from "../protocol/ids.ts";
import { type JobVertex, isSource } from "../protocol/job-graph.ts";
import type { CommitError, Rpc } from "../protocol/reasons.ts";
import { limits } from "../scenario/limits.ts";
import { commitsApart, prefixOf } from "../protocol/sinks.ts";
import type { Command } from "../scenario/scenario.ts";
import type { Stop } from "../view/stage/elements.ts";
import type { Text } from "./text/en.ts";
import { type Circumstances, type FaultItem, command } from "./fault-item.ts";
import { SAVEPOINTS, rescaleItems, submissionItems } from "./submission-items.ts";

/** Milliseconds. */
const STALL = 5000;
const SLOW = { factor: 4, for: 5000 } as const;
const SLOW_CHANNEL = { factor: 10, for: 5000 } as const;
const STORAGE = 3000;
/** Short of any client's patience, and beyond it. */
const BROKER = { "broker-down": 5000, "broker-away": 150_000 } as const;
/** How much faster producers get, or slower. */
const FASTER = 4;
/** From the JobManager for longer than Flink's heartbeat timeout of 50 s. */
const CUT = { jobmanager: 60_000, kafka: 5000 } as const;

export function faultItems(graph: ExecutionGraph, element: Stop, now: Circumstances, text: Text): readonly FaultItem[] {
  switch (element.kind) {
    case "subtask":
      return subtaskItems(graph, at(graph.subtasks, element.id), now, text);
    case "vertex":
      return vertexItems(graph, element.id, text);
    case "channel":
      return channelItems(at(graph.channels, element.id).name, text);
    case "storage":
      return storageItems(now, text);
    case "taskManager":
      return taskManagerItems(at(graph.taskManagers, element.id), now.taskManagerAlive(element.id), now, text);
    case "output":
      return brokerItems(now, text);
    case "transaction":
      return transactionItems(transactionName(graph, element.id), now.transactionUndecided(element.id), text);
    case "input":
      return [
        poisonItem(at(graph.inputs, element.id), now.nextOffset(element.id), text),
        ...inputItems(at(graph.inputs, element.id), now, text),
        ...brokerItems(now, text),
      ];
    case "jobManager":
      return now.ended ? submissionItems(now, text) : jobManagerItems(text);
    default:
      return [];
  }
}

/** Of each operator that is chained there: all of its subtasks at once. */
function vertexItems(graph: ExecutionGraph, id: number, { faults: { items } }: Text): FaultItem[] {
  return at(graph.vertices, id).operators.map((operator) => {
    const { uid } = at(graph.operators, operator).vertex;
    return {
      key: `fail-vertex-${uid}`,
      label: items["fail-vertex"].label(uid),
      note: items["fail-vertex"].note,
      command: command("fail-vertex", uid),
      icon: "exception",
    };
  });
}

function subtaskItems(graph: ExecutionGraph, subtask: Subtask, now: Circumstances, text: Text): FaultItem[] {
  const { items } = text.faults;
  const taskManager = now.taskManagerOf(subtask.index);
  const chain = at(graph.vertices, subtask.taskVertex).operators.map(
    (operator) => at(graph.operators, operator).vertex,
  );
  const lose = (rpc: Rpc): Command => command("lose-rpc", subtask.name, { rpc });
  const list: FaultItem[] = [
    { key: "fail-task", ...items["fail-task"], command: command("fail-task", subtask.name), icon: "exception" },
    {
      key: "fail-unrecoverable",
      ...items["fail-unrecoverable"],
      command: command("fail-task", subtask.name, { unrecoverable: true }),
      icon: "exception",
    },
  ];
  if (taskManager >= 0) {
    const name = at(graph.taskManagers, taskManager);
    const item = items["kill-own-taskmanager"];
    list.push({
      key: "kill-taskmanager",
      label: item.label(name),
      note: item.note,
      icon: "process",
      command: now.taskManagerAlive(taskManager) ? command("kill-taskmanager", name) : null,
    });
  }
  list.push(
    { key: "slow", ...items.slow, command: command("slow", subtask.name, SLOW), icon: "stall" },
    { key: "stall", ...items.stall, command: command("stall", subtask.name, { for: STALL }), icon: "stall" },
    ...snapshotItems(subtask.name, text),
    { key: "lose-notify", ...items["lose-notify"], command: lose("notify-complete"), icon: "message" },
    { key: "lose-ack", ...items["lose-ack"], command: lose("ack"), icon: "message" },
  );
  if (!now.ended) list.push(...rescaleItems(graph, subtask, now, text));
  if (chain.some(isSource))
    list.push({ key: "lose-trigger", ...items["lose-trigger"], command: lose("trigger"), icon: "message" });
  const [head] = chain;
  if (head?.type === "committer") list.push(...sinkItems(subtask.name, "expire-table-snapshots", text, head.sink));
  else if (chain.some((vertex) => prefixOf(vertex) !== null && !commitsApart(vertex)))
    list.push(...sinkItems(subtask.name, expiryOf(chain), text));
  if (chain.some(({ type }) => type === "write-ahead-log-sink")) list.push(...batchItems(subtask.name, text));
  return list;
}

/** What can go wrong between a write-ahead log and its store. */
function batchItems(target: string, { faults: { items } }: Text): FaultItem[] {
  return (["reply-lost", "fatal"] as const).map((kind) => ({
    key: `batch-${kind}`,
    ...items[`batch-${kind}`],
    command: command("commit-error", target, { kind }),
    icon: "transaction",
  }));
}

type Expiry = "expire-upload" | "expire-transaction" | "expire-table-snapshots";

/** What of the sink's store can run out of time. */
function expiryOf(chain: readonly JobVertex[]): Expiry {
  return chain.some(({ type }) => type === "file-sink") ? "expire-upload" : "expire-transaction";
}

/** `table`: the sink whose committer alone the subtask is; others write too. */
function sinkItems(
  target: string,
  expiry: Expiry,
  { faults: { items } }: Text,
  table: string | null = null,
): FaultItem[] {
  const wrong = (
    verb: "commit-error" | "sink-write-error",
    kind: CommitError,
  ): Pick<FaultItem, "command" | "icon"> => ({
    command: command(verb, target, { kind }),
    icon: "transaction",
  });
  // What a table has taken in stands in its snapshots, so an answer that is lost changes nothing there.
  const refusals = table === null ? (["known", "fatal", "reply-lost"] as const) : (["known", "fatal"] as const);
  const writeErrors = table === null ? (["retriable", "fatal"] as const) : [];
  return [
    { key: expiry, ...items[expiry], command: command(expiry, table ?? target), icon: "transaction" },
    ...refusals.map((kind) => ({
      key: `commit-error-${kind}`,
      ...items[`commit-error-${kind}`],
      ...wrong("commit-error", kind),
    })),
    ...writeErrors.map((kind) => ({
      key: `sink-write-error-${kind}`,
      ...items[`sink-write-error-${kind}`],
      ...wrong("sink-write-error", kind),
    })),
  ];
}

function channelItems(name: string, text: Text): FaultItem[] {
  const { items } = text.faults;
  return [
    { key: "slow", ...items["slow-channel"], command: command("slow", name, SLOW_CHANNEL), icon: "stall" },
    { key: "stall", ...items["stall-channel"], command: command("stall", name, { for: STALL }), icon: "stall" },
  ];
}

/** Only what is down can come up; only what is completed can be corrupt. */
function storageItems({ storageIsDown, restoreCandidate }: Circumstances, text: Text): FaultItem[] {
  const { items } = text.faults;
  const down = command("storage-down", null, { what: "checkpoints", for: STORAGE });
  const up = command("storage-up", null, { what: "checkpoints" });
  const corrupt = command("storage-corrupt", null, { checkpoint: restoreCandidate, what: "all" });
  return [
    { key: "storage-down", ...items["storage-down"], command: storageIsDown ? null : down, icon: "storage" },
    { key: "storage-up", ...items["storage-up"], command: storageIsDown ? up : null, icon: "operation" },
    {
      key: "storage-corrupt",
      label: items["storage-corrupt"].label(restoreCandidate),
      note: restoreCandidate < 0 ? items["storage-corrupt"].none : items["storage-corrupt"].note,
      command: restoreCandidate < 0 ? null : corrupt,
      icon: "storage",
    },
  ];
}

/** Of any partition of the log: its brokers are one. */
function brokerItems({ brokerIsDown }: Circumstances, { faults: { items } }: Text): FaultItem[] {
  const down = (key: keyof typeof BROKER): FaultItem => ({
    key,
    ...items[key],
    command: brokerIsDown ? null : command("broker-down", null, { for: BROKER[key] }),
    icon: "storage",
  });
  const up = brokerIsDown ? command("broker-up", null) : null;
  return [
    down("broker-down"),
    down("broker-away"),
    { key: "broker-up", ...items["broker-up"], command: up, icon: "operation" },
  ];
}

function snapshotItems(target: string, { faults: { items } }: Text): FaultItem[] {
  return [
    {
      key: "snapshot-failure-async",
      ...items["snapshot-failure-async"],
      command: command("snapshot-failure", target, { part: "async" }),
      icon: "storage",
    },
    {
      key: "snapshot-failure-sync",
      ...items["snapshot-failure-sync"],
      command: command("snapshot-failure", target, { part: "sync" }),
      icon: "exception",
    },
  ];
}

function taskManagerItems(name: string, alive: boolean, { isCutOff }: Circumstances, text: Text): FaultItem[] {
  const { items } = text.faults;
  const cut = isCutOff(name);
  const partition = (other: keyof typeof CUT): Command =>
    command("partition", null, { between: [[name], [other]], for: CUT[other] });
  return [
    {
      key: "kill-taskmanager",
      ...items["kill-taskmanager"],
      command: alive ? command("kill-taskmanager", name) : null,
      icon: "process",
    },
    {
      key: "restart-taskmanager",
      ...items["restart-taskmanager"],
      command: alive ? null : command("restart-taskmanager", name),
      icon: "operation",
    },
    { key: "slow", ...items.slow, command: alive ? command("slow", name, SLOW) : null, icon: "stall" },
    {
      key: "stall",
      ...items["stall-taskmanager"],
      command: alive && !cut ? command("stall", name, { for: STALL }) : null,
      icon: "stall",
    },
    {
      key: "partition-jobmanager",
      ...items["partition-jobmanager"],
      command: cut ? null : partition("jobmanager"),
      icon: "network",
    },
    { key: "partition-kafka", ...items["partition-kafka"], command: cut ? null : partition("kafka"), icon: "network" },
    { key: "heal", ...items.heal, command: cut ? command("heal", null) : null, icon: "operation" },
  ];
}

function transactionItems(name: string, undecided: boolean, text: Text): FaultItem[] {
  const item = text.faults.items["expire-this-transaction"];
  return [
    {
      key: "expire-transaction",
      label: item.label,
      note: undecided ? item.note : item.decided,
      command: undecided ? command("expire-transaction", name) : null,
      icon: "transaction",
    },
  ];
}

/** The record that is read next fails its task, each time. */
function poisonItem({ name }: Partition, next: ReturnType<Circumstances["nextOffset"]>, text: Text): FaultItem {
  const item = text.faults.items["poison-record"];
  const there = next !== null && next.offset < next.of;
  const record = `${name}@${next?.offset ?? 0}`;
  return {
    key: "poison-record",
    label: item.label(record),
    note: there ? item.note : item.none,
    command: there ? command("poison-record", null, { record }) : null,
    icon: "exception",
  };
}

/** What the log does with a partition that is read, and what its producers do. */
function inputItems({ topic, partition }: Partition, now: Circumstances, { faults: { items } }: Text): FaultItem[] {
  const source = now.scenario.job.vertices.find((vertex) => isSource(vertex) && vertex.topic === topic);
  if (source?.type !== "kafka-source") return [];
  const [first, second] = now.scenario.topics.find(({ name }) => name === topic)?.partitions[partition] ?? [];
  const every = (second?.at ?? 0) - (first?.at ?? 0);
  const rate = (key: "rate-up" | "rate-down", between: number): FaultItem => ({
    key,
    ...items[key],
    command: every === 0 ? null : command("set-rate", null, { topic, every: between }),
    icon: "operation",
  });
  return [
    {
      key: "expire-records",
      ...items["expire-records"],
      command: command("expire-records", null, { topic, partition, before: limits.records }),
      icon: "storage",
    },
    rate("rate-up", Math.ceil(every / FASTER)),
    rate("rate-down", every * FASTER),
  ];
}

function jobManagerItems(text: Text): FaultItem[] {
  const { items } = text.faults;
  return [
    {
      key: "trigger-checkpoint",
      ...items["trigger-checkpoint"],
      command: command("trigger-checkpoint", null),
      icon: "operation",
    },
    ...(["trigger-savepoint", "stop-with-savepoint", "cancel"] as const).map((verb): FaultItem => ({
      key: verb,
      ...items[verb],
      command: command(verb, null, verb === "cancel" ? {} : { path: SAVEPOINTS }),
      icon: "operation",
    })),
    {
      key: "ha-down",
      ...items["ha-down"],
      command: command("storage-down", null, { what: "ha", for: STORAGE }),
      icon: "storage",
    },
    { key: "fail-job", ...items["fail-job"], command: command("fail-job", null), icon: "exception" },
    {
      key: "kill-jobmanager",
      ...items["kill-jobmanager"],
      command: command("kill-jobmanager", null),
      icon: "process",
    },
  ];
}
