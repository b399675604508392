/**
 * A scenario's `faults`: names checked against the job as it is run, and those of a chain's members rewritten
 * to its head, by which subtasks and channels are named. Without a graph (the job itself is wrong) only what needs none is
 * checked.
 */
import { commitsApart, isSink, prefixOf } from "../protocol/sinks.ts";
import type { FaultVerb } from "../protocol/reasons.ts";
import { type Graph, momentOf, nameOf } from "./moments.ts";
import type { NameKind } from "./names.ts";
import { oneOfNames } from "./nearest.ts";
import type { Path, Problems } from "./problems.ts";
import type { Command, Fault } from "./scenario.ts";
import type { FaultSource } from "./schema-faults.ts";

const nothing: Pick<Command, "target" | "rpc" | "checkpoint" | "count" | "for"> = {
  target: null,
  rpc: null,
  checkpoint: null,
  count: 1,
  for: null,
};

export function faultOf(source: FaultSource, path: Path, graph: Graph, problems: Problems): Fault {
  const named = (kind: NameKind, target: string): string => nameOf(kind, target, [...path, "target"], graph, problems);
  const base = { ...nothing, at: momentOf(source.at, [...path, "at"], graph, problems) };
  if (source.do === "restore-cut") return drawnCutOf(source, base, path, graph, problems);
  if ("topic" in source) return topicFaultOf(source, base, path, graph, problems);
  switch (source.do) {
    case "fail-task":
      return { ...base, do: source.do, target: named("subtask", source.target), ...errorOf(source) };
    case "resume":
    case "stall":
      return { ...base, do: source.do, target: named(kindOf(source.target), source.target), for: lastsOf(source) };
    case "fail-vertex":
      return { ...base, do: source.do, target: named("vertex", source.target) };
    case "kill-taskmanager":
    case "restart-taskmanager":
      return { ...base, do: source.do, target: named("taskManager", source.target) };
    case "lose-rpc": {
      const { do: verb, rpc, checkpoint = null, count = 1 } = source;
      const target = source.target === undefined ? null : named("subtask", source.target);
      return { ...base, do: verb, rpc, target, checkpoint, count };
    }
    case "snapshot-failure":
    case "expire-transaction":
    case "expire-upload":
    case "expire-table-snapshots":
    case "poison-record":
    case "commit-error":
    case "sink-write-error":
      return dataFaultOf(source, base, path, graph, problems);
    case "kill-jobmanager":
    case "broker-down":
    case "suppress":
    case "broker-up":
      return { ...base, do: source.do, for: lastsOf(source) };
    case "fail-job":
    case "cancel":
    case "trigger-checkpoint":
      return { ...base, do: source.do };
    case "trigger-savepoint":
    case "stop-with-savepoint":
    case "cancel-with-savepoint":
      return savepointOf(source, base);
    case "restore":
      return restoreOf(source, base, path, problems);
    case "rescale":
      return { ...base, do: source.do, target: source.vertex, from: "savepoint", ...newParallelism(source) };
    default:
      return outsideOf(source, base, path, graph, problems);
  }
}

/** In milliseconds; `null`: until something ends it, or not at all. */
function lastsOf(source: FaultSource): number | null {
  return "for" in source ? (source.for ?? null) : null;
}

function newParallelism({ parallelism, path }: Extract<FaultSource, { do: "rescale" }>): Partial<Command> {
  return { parallelism, ...(path !== undefined && { path }) };
}

function errorOf({ unrecoverable }: Extract<FaultSource, { do: "fail-task" }>): Pick<Command, "unrecoverable"> {
  return unrecoverable === true ? { unrecoverable } : {};
}

/** A savepoint, and what is to become of the job with it. */
function savepointOf(
  source: Extract<FaultSource, { do: "trigger-savepoint" | "stop-with-savepoint" | "cancel-with-savepoint" }>,
  base: typeof nothing & Pick<Fault, "at">,
): Fault {
  const { do: verb, path, formatType } = source;
  return {
    ...base,
    do: verb,
    ...(path !== undefined && { path }),
    ...(formatType !== undefined && { formatType }),
    ...(verb === "stop-with-savepoint" && source.drain === true && { drain: true }),
  };
}

/** What a new job starts from; the job itself is read with those before it (`resubmission.ts`). */
function restoreOf(
  source: Extract<FaultSource, { do: "restore" }>,
  base: typeof nothing & Pick<Fault, "at">,
  place: Path,
  problems: Problems,
): Fault {
  const { stop, path } = source;
  if (path !== undefined && stop !== "with-savepoint")
    problems.add(
      [...place, "path"],
      path,
      'Only beside "stop": "with-savepoint": where the savepoint of the stop goes.',
    );
  const { from = "none", jobId = "fresh", claimMode = "NO_CLAIM", allowNonRestoredState = false } = source;
  const { job, config, flink } = source;
  const change = {
    ...(job !== undefined && { job }),
    ...(config !== undefined && { config }),
    ...(flink !== undefined && { flink }),
  };
  return {
    ...base,
    do: source.do,
    from,
    jobId,
    claimMode,
    allowNonRestoredState,
    change,
    ...(stop && { stop }),
    ...(path && { path }),
  };
}

/** A cut by the names of its processes; a job is submitted from it as from a savepoint. */
function drawnCutOf(
  { do: verb, cut = {} }: Extract<FaultSource, { do: "restore-cut" }>,
  base: typeof nothing & Pick<Fault, "at">,
  path: Path,
  graph: Graph,
  problems: Problems,
): Fault {
  const named = (process: string): string =>
    process === "log" ? process : nameOf("subtask", process, [...path, "cut", process], graph, problems);
  const places = Object.fromEntries(Object.entries(cut).map(([process, entries]) => [named(process), entries]));
  return { ...base, do: verb, cut: places, from: "cut" };
}

/** What a name looks like that may be a channel's, a subtask's or a TaskManager's. */
function kindOf(target: string): NameKind {
  return target.includes("->") ? "channel" : target.includes("[") ? "subtask" : "taskManager";
}

type DataVerb =
  | "snapshot-failure"
  | "expire-transaction"
  | "expire-upload"
  | "expire-table-snapshots"
  | "poison-record"
  | "commit-error"
  | "sink-write-error";

/** Faults of single snapshots, records and transactions. */
function dataFaultOf(
  source: Extract<FaultSource, { do: DataVerb }>,
  base: typeof nothing & Pick<Fault, "at">,
  path: Path,
  graph: Graph,
  problems: Problems,
): Fault {
  switch (source.do) {
    case "snapshot-failure": {
      const { do: verb, part, checkpoint = null } = source;
      const target = nameOf("subtask", source.target, [...path, "target"], graph, problems);
      return { ...base, do: verb, target, part, checkpoint };
    }
    case "expire-transaction":
    case "expire-upload":
      return { ...base, do: source.do, target: transactionOf(source, path, graph, problems) };
    case "expire-table-snapshots":
      return { ...base, do: source.do, target: tableOf(source.target, [...path, "target"], graph, problems) };
    case "poison-record":
      return {
        ...base,
        do: source.do,
        target:
          source.vertex === undefined ? null : nameOf("vertex", source.vertex, [...path, "vertex"], graph, problems),
        record: nameOf("record", source.record, [...path, "record"], graph, problems),
      };
    case "commit-error":
    case "sink-write-error":
      return {
        ...base,
        do: source.do,
        target: sinkSubtaskOf(source.do, source.target, path, graph, problems),
        kind: source.kind,
        count: source.count ?? 1,
      };
  }
}

/** Faults of what tasks run on: storage, the network, the speed of things. */
function outsideOf(
  source: Extract<
    FaultSource,
    {
      do: "storage-down" | "storage-up" | "storage-corrupt" | "slow" | "partition" | "heal";
    }
  >,
  base: typeof nothing & Pick<Fault, "at">,
  path: Path,
  graph: Graph,
  problems: Problems,
): Fault {
  switch (source.do) {
    case "storage-down": {
      const { do: verb, what = "checkpoints", kind } = source;
      if (kind !== undefined && what !== "ha")
        problems.add([...path, "kind"], kind, 'Only of "what": "ha" can a reply be lost.');
      return { ...base, do: verb, what, for: source.for ?? null, ...(kind !== undefined && { replyLost: true }) };
    }
    case "storage-up":
      return { ...base, do: source.do, what: source.what ?? "all" };
    case "storage-corrupt":
      return { ...base, do: source.do, checkpoint: source.checkpoint, what: source.files ?? "all" };
    case "slow": {
      const { do: verb, target, factor } = source;
      return {
        ...base,
        do: verb,
        target: nameOf(kindOf(target), target, [...path, "target"], graph, problems),
        factor,
        for: source.for ?? null,
      };
    }
    case "partition":
      return {
        ...base,
        do: source.do,
        between: sidesOf(source.between, path, graph, problems),
        for: source.for ?? null,
      };
    case "heal":
      return source.between === undefined
        ? { ...base, do: source.do }
        : { ...base, do: source.do, between: sidesOf(source.between, path, graph, problems) };
  }
}

/** What happens to a topic that the job reads. */
function topicFaultOf(
  source: Extract<FaultSource, { do: "add-partition" | "expire-records" | "set-rate" }>,
  base: typeof nothing & Pick<Fault, "at">,
  path: Path,
  graph: Graph,
  problems: Problems,
): Fault {
  const { topic } = source;
  const own = graph?.inputs.filter((input) => input.topic === topic) ?? [];
  const known = [...new Set(graph?.inputs.map((input) => input.topic))];
  if (graph !== null && own.length === 0)
    problems.add([...path, "topic"], topic, `The job reads no such topic.${oneOfNames(topic, known)}`);
  if (source.do === "set-rate") return { ...base, do: source.do, topic, every: source.every };
  if (source.do === "add-partition") {
    const { at: _, do: verb, topic: __, ...given } = source;
    return { ...base, do: verb, topic, given };
  }
  const { partition, before } = source;
  if (partition !== undefined && own.length > 0 && partition >= own.length)
    problems.add([...path, "partition"], partition, `The topic has partitions 0 to ${own.length - 1}.`);
  return { ...base, do: source.do, topic, before, ...(partition !== undefined && { partition }) };
}

/** The two sides of a cut, each name checked. */
function sidesOf(
  between: readonly [readonly string[], readonly string[]],
  path: Path,
  graph: Graph,
  problems: Problems,
): [string[], string[]] {
  const side = (place: 0 | 1): string[] =>
    between[place].map((name, index) =>
      ["jobmanager", "kafka", "storage"].includes(name)
        ? name
        : nameOf("taskManager", name, [...path, "between", place, index], graph, problems),
    );
  return [side(0), side(1)];
}

function transactionOf(
  source: FaultSource & { do: "expire-transaction" | "expire-upload" },
  path: Path,
  graph: Graph,
  problems: Problems,
): string | null {
  if (source.do === "expire-upload") return sinkSubtaskOf(source.do, source.target, path, graph, problems);
  const { target, transaction } = source;
  if ((target === undefined) === (transaction === undefined)) {
    problems.add(
      path,
      source.do,
      'Must name either a "transaction" or, by "target", the sink\'s subtask whose oldest undecided one it is.',
    );
    return null;
  }
  if (transaction !== undefined) return nameOf("transaction", transaction, [...path, "transaction"], graph, problems);
  return sinkSubtaskOf(source.do, target ?? "", path, graph, problems);
}

/** The uid of a sink that commits to a lake table. */
function tableOf(target: string, path: Path, graph: Graph, problems: Problems): string {
  const uid = nameOf("vertex", target, path, graph, problems);
  const found = graph?.operators.find(({ vertex }) => vertex.uid === uid)?.vertex;
  if (found !== undefined && found.type !== "table-sink")
    problems.add(path, target, "It writes to no table. Allowed: the uid of a table-sink.");
  return uid;
}

/** A subtask in which a sink runs that may have transactions. */
function sinkSubtaskOf(verb: FaultVerb, target: string, path: Path, graph: Graph, problems: Problems): string {
  const subtask = nameOf("subtask", target, [...path, "target"], graph, problems);
  const found = graph?.subtasks.find(({ name }) => name === subtask);
  const chain = found === undefined ? [] : (graph?.vertices[found.taskVertex]?.operators ?? []);
  const needsTransactions = verb !== "sink-write-error";
  const isMeant = (operator: number): boolean => {
    const vertex = graph?.operators[operator]?.vertex;
    if (vertex?.type === "committer") return verb === "commit-error";
    if (vertex === undefined || !isSink(vertex)) return false;
    // Its files wait for no commit of their own task's, and no table gives one up.
    if (commitsApart(vertex)) return !needsTransactions;
    if (verb === "expire-upload") return vertex.type === "file-sink";
    // A write-ahead log has none, but commits what it keeps.
    if (vertex.type === "write-ahead-log-sink") return verb === "commit-error";
    return !needsTransactions || prefixOf(vertex) !== null;
  };
  if (found !== undefined && !chain.some(isMeant)) {
    const has = verb === "expire-upload" ? " that writes files" : " that has transactions";
    const which = needsTransactions ? has : "";
    problems.add([...path, "target"], target, `No sink runs in this subtask${which}.`);
  }
  return subtask;
}
