/**
 * Checks of the job graph that Flink makes when it builds one (`StreamGraph`, `StreamingJobGraphGenerator`), and those of
 * this program. They look at what can be read of a job, so that one bad field does not hide a loop.
 */
import { defaultMaxParallelism } from "../protocol/key-groups.ts";
import { isSinkType } from "../protocol/sinks.ts";
import { didYouMean } from "./nearest.ts";
import type { Problems } from "./problems.ts";
import { limits } from "./limits.ts";
import { committerUid } from "./sink-topology.ts";

/** A vertex and an edge as far as they can be read; `null`: they cannot. */
export interface LooseVertex {
  readonly uid: string | null;
  readonly type: string | null;
  readonly parallelism: number | null;
}

export interface LooseEdge {
  readonly from: string | null;
  readonly to: string | null;
  readonly ship: string | null;
}

export interface LooseGraph {
  readonly maxParallelism: number | null;
  readonly vertices: readonly LooseVertex[];
  readonly edges: readonly LooseEdge[];
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** What can be read of a job that its schema has refused. */
export function looseGraph(job: unknown): LooseGraph {
  const { vertices, edges } = isObject(job) ? job : { vertices: [], edges: [] };
  const items = (list: unknown): readonly { readonly [key: string]: unknown }[] =>
    Array.isArray(list) ? list.slice(0, limits.edges).map((item: unknown) => (isObject(item) ? item : {})) : [];
  return {
    maxParallelism: null,
    vertices: items(vertices).map(({ uid, type, parallelism = 1 }) => ({
      uid: textOf(uid),
      type: textOf(type),
      parallelism: typeof parallelism === "number" ? parallelism : null,
    })),
    edges: items(edges).map(({ from, to, ship }) => ({ from: textOf(from), to: textOf(to), ship: textOf(ship) })),
  };
}

export function checkGraph(graph: LooseGraph, problems: Problems): void {
  checkVertices(graph, problems);
  checkEdges(graph, problems);
  checkLoops(graph, problems);
  // Where an edge leads to nobody known, it was meant for somebody.
  const uids = graph.vertices.map(({ uid }) => uid);
  const told = !uids.includes(null) && graph.edges.every(({ from, to }) => uids.includes(from) && uids.includes(to));
  if (told) checkEnds(graph, problems);
}

function checkVertices({ vertices, maxParallelism }: LooseGraph, problems: Problems): void {
  vertices.forEach(({ uid, parallelism }, index) => {
    const path = ["job", "vertices", index];
    if (uid !== null && vertices.findIndex((other) => other.uid === uid) < index)
      problems.add([...path, "uid"], uid, "Another vertex has this uid; each must have its own.");
    const sink = vertices.find(
      (other) => other.type === "table-sink" && other.uid !== null && committerUid(other.uid) === uid,
    );
    if (sink !== undefined)
      problems.add(
        [...path, "uid"],
        uid,
        `The committer of the sink ${sink.uid} has this uid; each must have its own.`,
      );
    if (parallelism === null) return;
    const most = maxParallelism ?? defaultMaxParallelism(parallelism);
    if (parallelism > most)
      problems.add(
        [...path, "parallelism"],
        parallelism,
        `There are ${most} key groups, so at most ${most} subtasks (CP-178).`,
      );
  });
  const sinks = vertices.filter(({ type }) => isSinkType(type)).length;
  if (sinks > limits.sinks)
    problems.add(["job", "vertices"], `${sinks} sinks`, `At most ${limits.sinks} sinks are simulated.`);
  if (vertices.length > 0 && !vertices.some(({ type }) => isSourceType(type) || type === null))
    problems.add(["job", "vertices"], undefined, "A job has at least one source.");
}

function checkEdges({ vertices, edges }: LooseGraph, problems: Problems): void {
  const uids = vertices.flatMap(({ uid }) => uid ?? []);
  edges.forEach((edge, index) => {
    const path = ["job", "edges", index];
    for (const end of ["from", "to"] as const) {
      const uid = edge[end];
      if (uid !== null && !uids.includes(uid))
        problems.add(
          [...path, end],
          uid,
          `No vertex has this uid.${didYouMean(uid, uids)} There are: ${uids.join(", ")}.`,
        );
    }
    const twice =
      edge.from !== null &&
      edge.to !== null &&
      edges.findIndex(({ from, to }) => from === edge.from && to === edge.to) < index;
    if (twice) problems.add(path, `${edge.from} to ${edge.to}`, "There is an edge between these two already.");
    const from = vertices.find(({ uid }) => uid !== null && uid === edge.from);
    const to = vertices.find(({ uid }) => uid !== null && uid === edge.to);
    if (isSinkType(from?.type ?? null)) problems.add([...path, "from"], edge.from, "A sink has no output.");
    if (isSourceType(to?.type ?? null)) problems.add([...path, "to"], edge.to, "A source has no input.");
    if (from !== undefined && to !== undefined) checkShip(edge.ship, from, to, [...path, "ship"], problems);
  });
}

/** `StreamGraph.addEdgeInternal` refuses the first; keyed state needs the second (`KeyGroupStreamPartitioner`). */
function checkShip(
  ship: string | null,
  from: LooseVertex,
  to: LooseVertex,
  path: (string | number)[],
  problems: Problems,
): void {
  if (
    ship === "forward" &&
    from.parallelism !== null &&
    to.parallelism !== null &&
    from.parallelism !== to.parallelism
  ) {
    problems.add(
      path,
      ship,
      `Flink refuses it: forward partitioning does not allow change of parallelism. Upstream ${from.uid} has ${from.parallelism}, downstream ${to.uid} has ${to.parallelism}. Use another ship, such as broadcast, rebalance, shuffle or global (R-16).`,
    );
  }
  // Behind a `dedup` records are where their keys are (`DataStreamUtils.reinterpretAsKeyedStream`).
  const isByKey = ship === "hash" || (ship === "forward" && from.type === "dedup");
  if ((to.type === "keyed-sum" || to.type === "keyed-count" || to.type === "dedup") && !isByKey) {
    problems.add(
      path,
      ship ?? undefined,
      `${to.uid} keeps state by key, so its input must come by key. Allowed: hash.`,
    );
  }
}

function checkLoops({ vertices, edges }: LooseGraph, problems: Problems): void {
  const next = (uid: string): string[] => edges.flatMap(({ from, to }) => (from === uid && to !== null ? [to] : []));
  const done = new Set<string>();
  const visit = (uid: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(uid)) return [...way.slice(way.indexOf(uid)), uid];
    if (done.has(uid)) return null;
    for (const other of next(uid)) {
      const loop = visit(other, [...way, uid]);
      if (loop !== null) return loop;
    }
    done.add(uid);
    return null;
  };
  for (const { uid } of vertices) {
    const loop = uid === null ? null : visit(uid, []);
    if (loop === null) continue;
    problems.add(
      ["job", "edges"],
      loop.join(" -> "),
      "This is a loop. A job has none: barriers would never come round (R-17).",
    );
    return;
  }
}

/** Every record comes from a source and goes to a sink. */
function checkEnds({ vertices, edges }: LooseGraph, problems: Problems): void {
  vertices.forEach(({ uid, type }, index) => {
    const path = ["job", "vertices", index];
    const inputs = edges.filter(({ to }) => to === uid).length;
    const outputs = edges.filter(({ from }) => from === uid).length;
    if (!isSourceType(type) && inputs === 0)
      problems.add(path, uid, "No edge leads to this vertex, so nothing ever reaches it.");
    if (type === "union" && inputs === 1) problems.add(path, uid, "A union has at least two inputs.");
    if (!isSinkType(type) && outputs === 0)
      problems.add(path, uid, "No edge leads on from this vertex; every way must end in a sink.");
  });
}

function isSourceType(type: string | null): boolean {
  return type?.endsWith("-source") === true;
}
