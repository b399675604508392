/** A scenario's `job`: vertices and edges with every default filled in, and the checks that Flink makes when it builds the graph. */
import type { JobEdge, JobGraph, JobVertex } from "../protocol/job-graph.ts";
import { defaultMaxParallelism } from "../protocol/key-groups.ts";
import { DURATION_HELP, parseDuration } from "./durations.ts";
import { suggestion } from "./nearest.ts";
import { type Problems, pathOf } from "./problems.ts";
import type { Notice } from "./scenario.ts";
import type { ScenarioSource, VertexSource } from "./schema.ts";

type Path = readonly (string | number)[];

/** Flink's own default of the Kafka sink, and the broker's limit (SK-159). */
const SINK_TIMEOUT = 3_600_000;

export function jobOf({ job }: ScenarioSource, maxParallelism: number | null, problems: Problems, notices: Notice[]): JobGraph {
  const vertices = job.vertices.map((vertex, index) => vertexOf(vertex, ["job", "vertices", index], problems, notices));
  const edges = (job.edges ?? []).map((edge, index): JobEdge => {
    const path = ["job", "edges", index];
    if (edge.exchange === "BLOCKING") problems.add(pathOf([...path, "exchange"]), edge.exchange, "Blocking exchanges are not simulated yet. Allowed: PIPELINED, PIPELINED_BOUNDED.");
    if (edge.input === 2) problems.add(pathOf([...path, "input"]), edge.input, "Two-input vertices are not simulated yet.");
    return { from: edge.from, to: edge.to, ship: edge.ship, latency: edge.latency === undefined ? null : duration(edge.latency, [...path, "latency"], problems), capacity: edge.capacity ?? 8 };
  });
  const graph = { name: job.name ?? "job", maxParallelism: job.maxParallelism ?? maxParallelism, vertices, edges };
  checkVertices(graph, problems);
  checkEdges(graph, problems);
  if (problems.list.length === 0) checkShape(graph, problems);
  return graph;
}

function duration(text: string | number, path: Path, problems: Problems): number {
  const parsed = parseDuration(text);
  if (parsed === null) problems.add(pathOf(path), text, `Must be ${DURATION_HELP}.`);
  return parsed ?? 0;
}

function vertexOf(source: VertexSource, path: Path, problems: Problems, notices: Notice[]): JobVertex {
  const base = {
    uid: source.uid, name: source.name ?? source.uid, parallelism: source.parallelism ?? 1,
    cost: source.cost === undefined ? 1 : duration(source.cost, [...path, "cost"], problems),
    chain: source.chain ?? true, slotSharingGroup: source.slotSharingGroup ?? "default",
  };
  for (const key of ["stateSize", "generated", "outOfOrderness", "isolationLevel"] as const) {
    if (key in source && (source as Record<string, unknown>)[key] !== undefined) {
      notices.push({ code: "NOT_SIMULATED", path: pathOf([...path, key]), message: `${key} has no effect on a simulated run yet.` });
    }
  }
  if (source.type === "kafka-source") return sourceOf(source, base, path, problems);
  if (source.type === "kafka-sink") return sinkOf(source, base, path, problems);
  return { ...base, type: source.type, fanOut: source.type === "flat-map" ? (source.fanOut ?? 2) : 1, counter: source.type === "map" && source.counter === true };
}

type Base = Pick<JobVertex, "uid" | "name" | "parallelism" | "cost" | "chain" | "slotSharingGroup">;

function sourceOf(source: VertexSource & { type: "kafka-source" }, base: Base, path: Path, problems: Problems): JobVertex {
  const offsets = source.startingOffsets ?? "earliest";
  if (offsets !== "earliest" && offsets !== "latest") problems.add(pathOf([...path, "startingOffsets"]), offsets, "Not simulated yet. Simulated: earliest, latest.");
  if (source.bounded === true) problems.add(pathOf([...path, "bounded"]), true, "Bounded sources are not simulated yet: the source idles at the end of what there is. Allowed: false.");
  for (const key of Object.keys(source.properties ?? {})) {
    if (key !== "commit.offsets.on.checkpoint") problems.add(pathOf([...path, "properties", key]), source.properties?.[key], `Not simulated yet.${suggestion(key, ["commit.offsets.on.checkpoint"])} Known here: commit.offsets.on.checkpoint.`);
  }
  const commits = String(source.properties?.["commit.offsets.on.checkpoint"] ?? "true") === "true";
  return { ...base, type: "kafka-source", topic: source.topic, groupId: commits ? (source.groupId ?? null) : null, startingOffsets: offsets === "latest" ? "latest" : "earliest" };
}

function sinkOf(source: VertexSource & { type: "kafka-sink" }, base: Base, path: Path, problems: Problems): JobVertex {
  if (source.transactionNaming === "pooling") problems.add(pathOf([...path, "transactionNaming"]), "pooling", "Not simulated yet. Simulated: incrementing.");
  if (source.globalCommitter === true) problems.add(pathOf([...path, "globalCommitter"]), true, "Not simulated yet. Allowed: false.");
  const known = ["transaction.timeout.ms", "linger.ms"];
  const properties = source.properties ?? {};
  for (const key of Object.keys(properties)) {
    if (!known.includes(key)) problems.add(pathOf([...path, "properties", key]), properties[key], `Unknown or not simulated yet.${suggestion(key, known)} Known here: ${known.join(", ")}.`);
  }
  const read = (key: string, standard: number): number => {
    const value = properties[key];
    return value === undefined || typeof value === "boolean" ? standard : duration(value, [...path, "properties", key], problems);
  };
  return {
    ...base, type: "kafka-sink", topic: source.topic, delivery: source.delivery ?? "none", transactionalIdPrefix: source.transactionalIdPrefix ?? source.uid,
    transactionTimeout: read("transaction.timeout.ms", SINK_TIMEOUT), linger: read("linger.ms", 0),
  };
}

function checkVertices({ vertices, maxParallelism }: JobGraph, problems: Problems): void {
  vertices.forEach(({ uid, parallelism, type }, index) => {
    const path = ["job", "vertices", index];
    if (vertices.findIndex((other) => other.uid === uid) < index) problems.add(pathOf([...path, "uid"]), uid, "Another vertex has this uid; each must have its own.");
    const most = maxParallelism ?? defaultMaxParallelism(parallelism);
    if (parallelism > most) problems.add(pathOf([...path, "parallelism"]), parallelism, `There are ${most} key groups, so at most ${most} subtasks can run (CP-178).`);
    if (type === "kafka-sink" && vertices.filter((vertex) => vertex.type === "kafka-sink").length > 32) problems.add(pathOf(path), uid, "At most 32 sinks are simulated.");
  });
}

function checkEdges({ vertices, edges }: JobGraph, problems: Problems): void {
  const uids = vertices.map(({ uid }) => uid);
  edges.forEach(({ from, to, ship }, index) => {
    const path = ["job", "edges", index];
    const source = vertices.find(({ uid }) => uid === from);
    const target = vertices.find(({ uid }) => uid === to);
    for (const [end, uid, found] of [["from", from, source], ["to", to, target]] as const) {
      if (found === undefined) problems.add(pathOf([...path, end]), uid, `No vertex has this uid.${suggestion(uid, uids)} There are: ${uids.join(", ")}.`);
    }
    if (source === undefined || target === undefined) return;
    if (source.type === "kafka-sink") problems.add(pathOf([...path, "from"]), from, "A sink has no output.");
    if (target.type === "kafka-source") problems.add(pathOf([...path, "to"]), to, "A source has no input.");
    if (ship === "forward" && source.parallelism !== target.parallelism) problems.add(pathOf([...path, "ship"]), ship, `FORWARD needs equal parallelism (${source.parallelism} ≠ ${target.parallelism}). Use rebalance, or make them equal (R-16).`);
    if ((target.type === "keyed-sum" || target.type === "keyed-count") && ship !== "hash") problems.add(pathOf([...path, "ship"]), ship, "A keyed vertex is fed by key. Allowed: hash.");
  });
}

function checkShape({ vertices, edges }: JobGraph, problems: Problems): void {
  const loop = cycleOf(vertices, edges);
  if (loop !== null) problems.add("job.edges", loop, `A loop goes through ${loop.join(" → ")}. Checkpoints need a graph without cycles (R-17).`);
  vertices.forEach(({ uid, type }, index) => {
    const inputs = edges.filter(({ to }) => to === uid).length;
    const outputs = edges.filter(({ from }) => from === uid).length;
    const path = pathOf(["job", "vertices", index]);
    if (type !== "kafka-source" && inputs === 0) problems.add(path, uid, "This vertex has no input: no edge leads to it.");
    if (type === "union" && inputs === 1) problems.add(path, uid, "A union has at least two inputs.");
    if (type !== "kafka-sink" && outputs === 0) problems.add(path, uid, "This vertex has no output: every path must end in a sink.");
  });
}

/** The uids of one loop, or `null`. */
function cycleOf(vertices: readonly JobVertex[], edges: readonly JobEdge[]): string[] | null {
  const done = new Set<string>();
  const visit = (uid: string, path: readonly string[]): string[] | null => {
    if (path.includes(uid)) return [...path.slice(path.indexOf(uid)), uid];
    if (done.has(uid)) return null;
    for (const edge of edges.filter(({ from }) => from === uid)) {
      const found = visit(edge.to, [...path, uid]);
      if (found !== null) return found;
    }
    done.add(uid);
    return null;
  };
  for (const { uid } of vertices) {
    const found = visit(uid, []);
    if (found !== null) return found;
  }
  return null;
}
