/**
 * The jobs that a scenario's operations `restore` and `rescale` submit: each says what changes of the one before it in the
 * list. `job` with `edges` is a whole new job; without, each of its vertices names what changes of the one with its uid.
 * `rescale` changes a whole chain, which is one vertex of Flink's job graph (CP-178).
 */
import { type JobGraph, isSource } from "../protocol/job-graph.ts";
import { prefixOf, storeOf } from "../protocol/sinks.ts";
import { configOf } from "./config.ts";
import { chains } from "./execution-graph.ts";
import { checkGraph } from "./graph-checks.ts";
import { checkBounded, checkNaming, hasBlocking, jobOf } from "./job.ts";
import { checkGroups, checkParallelSources } from "./sources.ts";
import { limits } from "./limits.ts";
import { didYouMean } from "./nearest.ts";
import { Problems, readBy } from "./problems.ts";
import type { Command, FlinkVersion, Topic } from "./scenario.ts";
import { jobSchema } from "./schema.ts";
import type { Source } from "./sections.ts";
import { checkTopics } from "./topics.ts";

type Json = { readonly [key: string]: unknown };
type Scalar = string | number | boolean;
export type Submission = NonNullable<Command["submission"]>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A job as it is written, and what goes with it. */
interface Written {
  readonly job: Json;
  readonly config: { readonly [key: string]: Scalar };
  readonly flink: FlinkVersion;
  readonly parsed: JobGraph;
}

/** By number of the fault: the job that it submits. What is wrong with one is told at its place. */
export function submissionsOf(
  source: Source,
  job: JobGraph,
  topics: readonly Topic[],
  problems: Problems,
): ReadonlyMap<number, Submission> {
  const found = new Map<number, Submission>();
  let last: Written = {
    job: isObject(source.raw) ? source.raw : {},
    config: source.config ?? {},
    flink: source.flink ?? "2.2",
    parsed: job,
  };
  const prefixes = new Set(prefixesOf(job));
  (source.faults ?? []).forEach((fault, index) => {
    if (!isObject(fault) || (fault["do"] !== "restore" && fault["do"] !== "rescale")) return;
    const own = new Problems();
    const change = fault["do"] === "restore" ? fault : rescaled(fault, last.parsed, own);
    const read = own.list.length > 0 ? null : changedJob(last, change, own);
    if (read !== null) {
      checkTopics(read.submission.job, topics, own);
      sameTopics(job, read.submission.job, own);
      for (const prefix of prefixesOf(read.submission.job)) prefixes.add(prefix);
      if (prefixes.size > limits.sinks)
        own.add(["job"], prefixes.size, `At most ${limits.sinks} prefixes of transactional ids are simulated.`);
      last = read.written;
      found.set(index, read.submission);
    }
    for (const { path, value, message } of own.list) problems.tell(["faults", index, path], value, message);
  });
  return found;
}

function prefixesOf({ vertices }: JobGraph): string[] {
  return vertices.flatMap((vertex) => prefixOf(vertex) ?? []);
}

/** `rescale` as a change of the job. */
function rescaled(fault: Json, job: JobGraph, problems: Problems): Json {
  const { vertex, parallelism } = fault;
  const uids = job.vertices.map(({ uid }) => uid);
  if (typeof vertex !== "string" || !uids.includes(vertex)) {
    problems.add(["vertex"], vertex, `No vertex has this uid.${didYouMean(String(vertex), uids)}`);
    return {};
  }
  const chain = new Set([vertex]);
  const joined = job.edges.filter((edge) => chains(job, edge));
  for (let size = 0; size !== chain.size;) {
    size = chain.size;
    for (const { from, to } of joined) if (chain.has(from) || chain.has(to)) chain.add(from).add(to);
  }
  return { job: { vertices: [...chain].map((uid) => ({ uid, parallelism })) } };
}

function changedJob(
  last: Written,
  change: Json,
  problems: Problems,
): { written: Written; submission: Submission } | null {
  const job = merged(last.job, isObject(change["job"]) ? change["job"] : {});
  const config = { ...last.config, ...(isObject(change["config"]) ? (change["config"] as Written["config"]) : {}) };
  const flink = (change["flink"] as FlinkVersion | undefined) ?? last.flink;
  const read = readBy(jobSchema, job, ["job"], problems);
  const configured = configOf(config, flink, problems, [], hasBlocking(read));
  if (read === undefined || problems.list.length > 0) return null;
  const parsed = jobOf(read, configured.job);
  checkGraph(parsed, problems);
  checkNaming(parsed, flink, problems);
  checkGroups(parsed, problems);
  checkParallelSources(parsed, problems);
  checkBounded(parsed, problems);
  checkSize(parsed, problems);
  if (problems.list.length > 0) return null;
  return { written: { job, config, flink, parsed }, submission: { flink, job: parsed, config: configured.config } };
}

/** A job as it is written, with what changes of it. */
export function merged(job: Json, change: Json): Json {
  if ("edges" in change) return change;
  const changes = listOf(change["vertices"]).filter(isObject);
  const vertices = listOf(job["vertices"]).filter(isObject);
  const changed = vertices.map((vertex): Json => ({
    ...vertex,
    ...changes.find(({ uid }) => uid === vertex["uid"]),
  }));
  const known = new Set(vertices.map(({ uid }) => uid));
  return { ...job, ...change, vertices: [...changed, ...changes.filter(({ uid }) => !known.has(uid))] };
}

function checkSize({ vertices, edges }: JobGraph, problems: Problems): void {
  const width = (uid: string): number => vertices.find((vertex) => vertex.uid === uid)?.parallelism ?? 0;
  const subtasks = vertices.reduce((sum, { parallelism }) => sum + parallelism, 0);
  const channels = edges.reduce((sum, { from, to }) => sum + width(from) * width(to), 0);
  if (subtasks > limits.subtasks || channels > limits.channels)
    problems.add(["job"], `${subtasks} subtasks, ${channels} channels`, "This job is too large to be simulated.");
}

/** What is read and written outside keeps its place in the run, so jobs that read other topics are not simulated. */
function sameTopics(first: JobGraph, job: JobGraph, problems: Problems): void {
  const read = (graph: JobGraph): string =>
    [...new Set(graph.vertices.flatMap((vertex) => (isSource(vertex) ? [vertex.topic] : [])))].sort().join(", ");
  if (read(first) !== read(job))
    problems.add(["job"], read(job), `Not simulated yet: a later job reads the topics of the first: ${read(first)}.`);
  const written = new Set(first.vertices.flatMap((vertex) => (vertex.type === "kafka-sink" ? [vertex.topic] : [])));
  for (const vertex of job.vertices) {
    if (vertex.type !== "kafka-sink" || written.has(vertex.topic)) continue;
    const allowed = [...written].join(", ");
    problems.add(["job"], vertex.topic, `Not simulated yet: a later job writes topics of the first: ${allowed}.`);
  }
  const stores = first.vertices.flatMap((vertex) => (storeOf(vertex) === null ? [] : [`${vertex.type} ${vertex.uid}`]));
  for (const vertex of job.vertices) {
    const sink = `${vertex.type} ${vertex.uid}`;
    if (storeOf(vertex) === null || stores.includes(sink)) continue;
    const allowed = stores.length === 0 ? "it has none" : stores.join(", ");
    problems.add(["job"], sink, `Not simulated yet: a later job has sinks with a store as the first has: ${allowed}.`);
  }
}
