/**
 * From what a person wrote to a scenario that everything behind it may trust: structure, then meaning, then names. All
 * that is wrong is told at once. What comes from a file or a link is hostile until it has been through here.
 */
import type { Result } from "../base/result.ts";
import { configOf } from "./config.ts";
import { DURATION_HELP, parseDuration } from "./durations.ts";
import { executionGraph } from "./execution-graph.ts";
import { faultOf, untilOf } from "./faults.ts";
import { jobOf } from "./job.ts";
import { parseJson } from "./json-text.ts";
import { suggestion } from "./nearest.ts";
import { Problems, pathOf, structuralProblems } from "./problems.ts";
import type { Notice, Scenario, Timing, TimingOverride, Topic } from "./scenario.ts";
import { type ScenarioSource, limits } from "./schema.ts";
import { topicOf } from "./topics.ts";

/** Reads a scenario file's text. */
export function parseScenario(text: string): Result<Scenario> {
  const json = readJson(text);
  return json.ok ? scenarioFrom(json.value) : json;
}

/** The JSON of a scenario file's text, not looked at yet. */
export function readJson(text: string): Result<unknown> {
  if (text.length <= limits.characters) return parseJson(text);
  return { ok: false, problems: [{ path: "", value: `${text.length} characters`, message: `A scenario has at most ${limits.characters} characters.` }] };
}

/** Reads a scenario that is JSON already. */
export function scenarioFrom(json: unknown): Result<Scenario> {
  const problems = new Problems();
  const source = structuralProblems(json, problems);
  if (source === null) return { ok: false, problems: problems.list };
  const notices: Notice[] = [];
  const flink = source.flink ?? "2.2";
  const { maxParallelism, ...config } = configOf(source.config ?? {}, flink, problems, notices);
  const job = jobOf(source, maxParallelism, problems, notices);
  const scenario: Scenario = {
    id: source.id ?? "scenario", title: { en: source.title?.en ?? source.id ?? "Scenario", zh: source.title?.zh ?? source.title?.en ?? source.id ?? "Scenario" },
    flink, seed: source.seed ?? 1, job, cluster: clusterOf(source), topics: topicsOf(source, problems), config, timing: timingOf(source, problems),
    broker: brokerOf(source, problems), initialDelay: source.initialDelay === undefined ? null : duration(source.initialDelay, ["initialDelay"], problems),
    faults: [], broken: source.broken ?? [], until: { kind: "drained" }, notices,
  };
  checkTopics(scenario, problems);
  checkTimeouts(scenario, notices);
  if (problems.list.length > 0) return { ok: false, problems: problems.list };
  return withNames(scenario, source, problems);
}

/** Faults and the end of the run name subtasks and channels, which only the job as it is run has. */
function withNames(scenario: Scenario, source: ScenarioSource, problems: Problems): Result<Scenario> {
  const graph = executionGraph(scenario);
  const faults = (source.faults ?? []).map((fault, index) => faultOf(fault, index, graph, problems));
  const until = untilOf(source.until, graph, problems);
  if (graph.subtasks.length > 4000 || graph.channels.length > 100_000) {
    problems.add("job", `${graph.subtasks.length} subtasks, ${graph.channels.length} channels`, "At most 4000 subtasks and 100000 channels are simulated.");
  }
  if (problems.list.length > 0) return { ok: false, problems: problems.list };
  return { ok: true, value: { ...scenario, faults, until } };
}

function duration(text: string | number, path: readonly (string | number)[], problems: Problems): number {
  const parsed = parseDuration(text);
  if (parsed === null) problems.add(pathOf(path), text, `Must be ${DURATION_HELP}.`);
  return parsed ?? 0;
}

/** Default: one TaskManager with as many slots as the sharing groups need (FR-035). */
function clusterOf({ cluster, job }: ScenarioSource): Scenario["cluster"] {
  const groups = new Map<string, number>();
  for (const { slotSharingGroup = "default", parallelism = 1 } of job.vertices) groups.set(slotSharingGroup, Math.max(parallelism, groups.get(slotSharingGroup) ?? 0));
  const needed = [...groups.values()].reduce((sum, slots) => sum + slots, 0);
  const taskManagers = cluster?.taskManagers ?? 1;
  return { taskManagers, slots: cluster?.slots ?? Math.ceil(needed / taskManagers) };
}

function topicsOf({ topics, until }: ScenarioSource, problems: Problems): Topic[] {
  const time = typeof until === "object" ? until["time"] : undefined;
  const horizon = typeof time === "string" || typeof time === "number" ? parseDuration(time) : null;
  const list = Object.entries(topics ?? {}).map(([name, topic]) => topicOf(name, topic, horizon, problems));
  const total = list.reduce((sum, { partitions }) => sum + partitions.reduce((inner, records) => inner + records.length, 0), 0);
  if (total > limits.records) problems.add("topics", `${total} records`, `At most ${limits.records} records are simulated.`);
  return list;
}

function timingOf({ timing = {}, job }: ScenarioSource, problems: Problems): Timing {
  const read = (key: Exclude<keyof typeof timing, "overrides">, standard: number): number =>
    timing[key] === undefined ? standard : duration(timing[key], ["timing", key], problems);
  const uids = job.vertices.map(({ uid }) => uid);
  const overrides = (timing.overrides ?? []).map((source, index): TimingOverride => {
    const path = ["timing", "overrides", index];
    const part = (key: "snapshot.sync" | "snapshot.async"): number | null => (source[key] === undefined ? null : duration(source[key], [...path, key], problems));
    if (!uids.includes(source.vertex)) problems.add(pathOf([...path, "vertex"]), source.vertex, `No vertex has this uid.${suggestion(source.vertex, uids)}`);
    return { vertex: source.vertex, index: source.index ?? null, checkpoint: source.checkpoint ?? null, snapshotSync: part("snapshot.sync"), snapshotAsync: part("snapshot.async") };
  });
  return {
    network: read("network", 2), rpc: read("rpc", 1), snapshotSync: read("snapshot.sync", 1), snapshotAsync: read("snapshot.async", 20),
    deploy: read("deploy", 50), cancel: read("cancel", 5), restore: read("restore", 10), commit: read("commit", 2),
    initTransactions: read("initTransactions", 5), heartbeatDetect: read("heartbeat.detect", 50_000), overrides,
  };
}

function brokerOf({ broker = {} }: ScenarioSource, problems: Problems): Scenario["broker"] {
  const read = (key: keyof typeof broker, standard: number): number => (broker[key] === undefined ? standard : duration(broker[key], ["broker", key], problems));
  const cleanupInterval = read("transaction.abort.timed.out.transaction.cleanup.interval.ms", 10_000);
  if (cleanupInterval < 1) problems.add(pathOf(["broker", "transaction.abort.timed.out.transaction.cleanup.interval.ms"]), cleanupInterval, "Must be at least 1 ms.");
  return { transactionMaxTimeout: read("transaction.max.timeout.ms", 900_000), cleanupInterval: Math.max(1, cleanupInterval) };
}

function checkTopics({ job, topics }: Scenario, problems: Problems): void {
  const names = topics.map(({ name }) => name);
  job.vertices.forEach((vertex, index) => {
    if (!("topic" in vertex) || names.includes(vertex.topic)) return;
    problems.add(pathOf(["job", "vertices", index, "topic"]), vertex.topic, `"topics" has no such topic.${suggestion(vertex.topic, names)} There are: ${names.join(", ")}.`);
  });
  for (const { topic, uid } of job.vertices.filter((vertex) => vertex.type === "kafka-sink")) {
    if (job.vertices.some((vertex) => vertex.type === "kafka-source" && vertex.topic === topic)) problems.add("job.vertices", uid, `Topic ${JSON.stringify(topic)} is read and written; reading what the job writes is not simulated yet.`);
  }
}

/** accepted, and the sink fails while INITIALIZING at every start (SK-159). */
function checkTimeouts({ job, topics, broker }: Scenario, notices: Notice[]): void {
  job.vertices.forEach((vertex, index) => {
    if (vertex.type !== "kafka-sink" || vertex.delivery !== "exactly-once") return;
    const limit = topics.find(({ name }) => name === vertex.topic)?.transactionMaxTimeout ?? broker.transactionMaxTimeout;
    if (vertex.transactionTimeout <= limit) return;
    notices.push({
      code: "TRANSACTION_TIMEOUT_ABOVE_BROKER", path: pathOf(["job", "vertices", index, "properties", "transaction.timeout.ms"]),
      message: `The broker allows at most ${limit} ms, the sink asks for ${vertex.transactionTimeout} ms: it fails at every start. Lower the client's value or raise the broker's.`,
    });
  });
}
